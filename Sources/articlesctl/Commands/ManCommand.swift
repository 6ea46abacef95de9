import Arguments
import Terminal

/// `man`: shows the manual page.
struct ManCommand: Command {
    static let name = "man"
    static let spec = CommandSpec(
        name: name, summary: "show the manual page, or print its source",
        discussion: """
            On a terminal, man or groff shows the page if one of them is installed. Into a pipe, the command writes \
            the source of the page.
            """,
        examples: [
            Example(command: "articlesctl man", summary: "read the manual page"),
            Example(command: "articlesctl man > articlesctl.1", summary: "save the source of the manual page"),
        ])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        let page = ManualPage(root: CommandTable.root, version: VersionCommand.number, date: VersionCommand.date).roff
        if context.terminal.output.isTerminal, context.terminal.isCapable {
            try context.output.flush()
            // A command fails if it is not installed or does not support the option.
            for command in [["man", "-l", "-"], try groff(in: context)] where show(page, command, in: context) {
                return
            }
        }
        try context.output.write(page)
    }

    private func show(_ page: String, _ command: [String], in context: Context) -> Bool {
        Pager(command, environment: context.variables).show(page)
    }

    private func groff(in context: Context) throws -> [String] {
        let script = #"command -v groff >/dev/null || exit 127; groff -man -Tutf8 | "$@""#
        return ["sh", "-c", script, "sh"] + (try context.pager()?.arguments ?? ["cat"])
    }
}

import Terminal

/// `man`: the manual page.
struct ManCommand: Command {
    static let spec = CommandSpec(
        name: "man", summary: "write the manual page",
        examples: [Example(command: "articlesctl man | man -l -", summary: "read it")])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try context.output.write(
            ManualPage(root: CommandTable.root, version: VersionCommand.number, date: VersionCommand.date).roff)
    }
}

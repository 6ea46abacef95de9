import Arguments
import Terminal

/// `help`, and `--help`.
struct HelpCommand: Command {
    static let spec = CommandSpec(
        name: "help", summary: "show how a command is used",
        arguments: [
            ArgumentSpec(
                name: "COMMAND", summary: "a command and its subcommand", isRequired: false, isRepeating: true,
                // All but help itself, whose specification would need its own.
                values: .suggestions(CommandTable.commands.filter { $0 != Self.self }.map { $0.spec.name }))
        ],
        examples: [
            Example(command: "articlesctl help search", summary: "how search is used"),
            Example(command: "articlesctl help users role", summary: "how a command of a command is used"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let path = parsed.arguments("COMMAND")
        guard let page = HelpPage(of: CommandTable.root, path: path) else {
            throw parsed.error(.unknownCommand(path.joined(separator: " ")))
        }
        try Self.write(page, to: context.output, on: context.terminal)
    }

    /// Writes the page of a command, for the width and the colours of the terminal.
    static func write(_ page: HelpPage, to output: Writer, on terminal: Terminal) throws {
        try output.write(page.text(width: terminal.width).rendered(isColored: terminal.output.isColored))
    }
}

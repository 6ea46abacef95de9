import Arguments
import Terminal

/// `help`, and `--help`.
struct HelpCommand: Command {
    static let name = "help"
    static let spec = CommandSpec(
        name: name, summary: "show the help of a command",
        arguments: [
            ArgumentSpec(
                name: "COMMAND", summary: "a command and its subcommand", isRequired: false, isRepeating: true,
                // Exclude `help` itself, because the specification would refer to itself.
                values: .suggestions(CommandTable.commands.filter { $0 != Self.self }.map { $0.name }))
        ],
        examples: [
            Example(command: "articlesctl help search", summary: "show the help of search"),
            Example(command: "articlesctl help users role", summary: "show the help of a subcommand"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let path = parsed.arguments("COMMAND")
        guard let page = HelpPage(of: CommandTable.root, path: path) else { throw unknown(path) }
        try Self.write(page, to: context.output, on: context.terminal)
    }

    /// Returns the error for a path in which only the first commands are known.
    private func unknown(_ path: [String]) -> UsageError {
        var (command, known) = (CommandTable.root, 0)
        while known < path.count, let next = command.subcommand(named: path[known]) {
            (command, known) = (next, known + 1)
        }
        return UsageError(
            .unknownCommand(path.prefix(known + 1).joined(separator: " ")),
            command: [CommandTable.root.name] + path.prefix(known),
            suggestions: (known < path.count ? command.suggestions(for: path[known]) : []).map { name in
                (path.prefix(known) + [name]).joined(separator: " ")
            })
    }

    /// Prints the page of a command, fitted to the width and colors of the terminal.
    static func write(_ page: HelpPage, to output: Writer, on terminal: Terminal) throws {
        try output.write(page.text(width: terminal.width).rendered(isColored: terminal.output.isColored))
    }
}

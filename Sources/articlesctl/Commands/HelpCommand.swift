import Arguments
import Database
import Migrations
import Terminal
import Text

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

/// `version`, and `--version`.
struct VersionCommand: Command {
    static let number = ProgramVersion.number
    static let date = ProgramVersion.date

    static let name = "version"
    static let spec = CommandSpec(
        name: name, summary: "show the version",
        discussion:
            "Also shows the versions of the database schema and of SQLite, for bug reports.",
        examples: [
            Example(command: "articlesctl version", summary: "show the version for a bug report"),
            Example(command: "articlesctl --version --json", summary: "print the version as JSON"),
        ])

    /// Whether to print only the number, as for `--version`.
    private let isShort: Bool

    init(_ parsed: ParsedCommand) { isShort = parsed.path.isEmpty }

    func run(in context: Context) async throws {
        let schema = Schema.articlesctl.version
        try context.report(
            isShort
                ? Self.number
                : "articlesctl \(Self.number) (schema \(schema), SQLite \(Database.sqliteVersion))",
            json: [
                "version": .string(Self.number), "schema": JSON(schema), "sqlite": .string(Database.sqliteVersion),
            ])
    }
}

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

/// `completions`: writes a script with which a shell completes the commands.
struct CompletionsCommand: Command {
    static let name = "completions"
    static let spec = CommandSpec(
        name: name, summary: "print the completion script of a shell",
        discussion: """
            The script completes commands, options, values, and names of the library: articles, tags, authors, and \
            your sessions if you are logged in; sources and users always. It reads the default database or \
            ARTICLESCTL_DATABASE, and offers at most \(CompleteNamesCommand.limit) names at a time. It never prompts \
            and changes nothing.
            """,
        arguments: [
            ArgumentSpec(name: "SHELL", summary: "the shell", values: .choices(Shell.allCases.map(\.rawValue)))
        ],
        examples: [
            Example(command: "source <(articlesctl completions bash)", summary: "enable completions in this bash")
        ])

    private let shell: Shell

    init(_ parsed: ParsedCommand) throws {
        guard let shell = parsed.argument("SHELL").flatMap(Shell.init) else {
            throw parsed.error(.missingArguments(["SHELL"]))
        }
        self.shell = shell
    }

    func run(in context: Context) async throws {
        try context.output.write(CommandTable.root.completions(for: shell))
    }
}

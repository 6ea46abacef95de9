import Arguments
import Terminal

/// `completions`: writes a script with which a shell completes the commands.
struct CompletionsCommand: Command {
    static let spec = CommandSpec(
        name: "completions", summary: "write the completions for a shell",
        discussion: """
            Commands, options and values are offered, and the names that the library has: articles, tags, authors and your \
            sessions for who is logged in, sources and users for everybody. They are those of the usual database, or of \
            ARTICLESCTL_DATABASE, and at most \(CompleteNamesCommand.limit) at a time. Nothing is asked and nothing is changed by it.
            """,
        arguments: [
            ArgumentSpec(name: "SHELL", summary: "the shell", values: .choices(Shell.allCases.map(\.rawValue)))
        ],
        examples: [
            Example(command: "source <(articlesctl completions bash)", summary: "complete in this bash")
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

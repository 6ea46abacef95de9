import Arguments
import Terminal

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

import Terminal

/// `completions`: what makes a shell complete the commands.
struct CompletionsCommand: Command {
    static let spec = CommandSpec(
        name: "completions", summary: "write the completions for a shell",
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

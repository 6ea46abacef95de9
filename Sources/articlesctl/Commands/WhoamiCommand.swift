import Arguments
import FlowCoordinators

/// `whoami`: shows the signed-in user.
struct WhoamiCommand: Command {
    static let name = "whoami"
    static let spec = CommandSpec(
        name: name, summary: "show who is logged in",
        examples: [
            Example(command: "articlesctl whoami", summary: "show the user"),
            Example(command: "articlesctl whoami --json | jq -r .username", summary: "print the name for a script"),
        ])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try await context.show(.account)
    }
}

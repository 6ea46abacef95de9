import FlowCoordinators

/// `whoami`: the account.
struct WhoamiCommand: Command {
    static let spec = CommandSpec(name: "whoami", summary: "show who is logged in")

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws {
        try await context.show(.account)
    }
}

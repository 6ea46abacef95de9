import AuthService
import FlowCoordinators
import Text

/// `sessions`: where the account is logged in.
struct SessionsCommand: Command {
    static let spec = CommandSpec(
        name: "sessions", summary: "list or end the sessions of the account",
        subcommands: [
            CommandSpec(name: "list", summary: "list the sessions"),
            CommandSpec(
                name: "revoke", summary: "end a session",
                arguments: [ArgumentSpec(name: "ID", summary: "the id, as the list shows it")]),
        ],
        examples: [
            Example(command: "articlesctl sessions", summary: "list them"),
            Example(command: "articlesctl sessions revoke ID", summary: "end one"),
        ])

    private let revoked: String?

    init(_ parsed: ParsedCommand) {
        revoked = parsed.path.last == "revoke" ? parsed.argument("ID") : nil
    }

    func run(in context: Context) async throws {
        guard let revoked else { return try await context.show(.sessions) }
        let front = try context.front()
        try await front.go(to: .sessions) { $0 == .sessions }
        guard let id = Session.ID(revoked) else { throw ScreenError.noSession(revoked) }
        try context.report(try await front.send(.sessionRevoked(id)), json: ["revoked": .string(revoked)])
    }
}

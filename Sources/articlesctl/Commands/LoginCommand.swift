import AuthService
import FlowCoordinators
import Text

/// `login`: the log-in.
struct LoginCommand: Command {
    static let spec = CommandSpec(
        name: "login", summary: "log in and keep the session",
        discussion: """
            The token of the session is kept in a file that only you can read, one for each database. The password is \
            asked for and not shown.
            """,
        arguments: [ArgumentSpec(name: "USERNAME", summary: "the name of the account", isRequired: false)],
        options: [Credentials.passwordOption],
        examples: [
            Example(command: "articlesctl login ada", summary: "log in, asking for the password"),
            Example(
                command: "pass show articles | articlesctl login ada --password-stdin", summary: "log in from a script"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let front = try context.front(purpose: .replace)
        let username = parsed.argument("USERNAME")
        let answers = try Credentials.answers(
            parsed, given: [.username: username], passwords: [.password],
            needs: [
                .init(field: .username, spelling: "USERNAME"), .init(field: .password, spelling: "--password-stdin"),
            ], in: context)
        try await front.go(to: .login(username: username), answers: answers) { place in
            place.flow != .login && place.flow != .signUp
        }
        guard let session = front.application.signedIn.session else {
            throw CommandError("not logged in", code: .software)
        }
        try context.report("Logged in as \(session.user.username).", json: JSON(account: session))
    }
}

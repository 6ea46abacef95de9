import AuthService
import FlowCoordinators

/// `logout`: ends the session, or all of them.
struct LogoutCommand: Command {
    static let spec = CommandSpec(
        name: "logout", summary: "end the session",
        options: [OptionSpec(name: "everywhere", summary: "end every session of the account")])

    private let isEverywhere: Bool

    init(_ parsed: ParsedCommand) { isEverywhere = parsed.flag("everywhere") }

    func run(in context: Context) async throws {
        let application = try context.front().application
        try await application.start(at: .account)
        guard application.signedIn.session != nil else { throw AuthError.notSignedIn }
        try await application.send(isEverywhere ? .logOutEverywhereChosen : .logOutChosen)
        let notice = try await application.screen().notice
        if let error = notice?.error { throw error }
        try context.report(notice?.text, json: ["loggedOut": true])
    }
}

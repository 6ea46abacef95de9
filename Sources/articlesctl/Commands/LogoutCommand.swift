import AuthService
import FlowCoordinators
import Text

/// `logout`: ends the session, or all of them.
struct LogoutCommand: Command {
    static let spec = CommandSpec(
        name: "logout", summary: "end the session",
        options: [OptionSpec(name: "everywhere", summary: "end every session of the account")])

    private let isEverywhere: Bool

    init(_ parsed: ParsedCommand) { isEverywhere = parsed.flag("everywhere") }

    func run(in context: Context) async throws {
        let front = try context.front(purpose: .end)
        try await front.application.start(at: .account)
        guard front.application.signedIn.session != nil else { throw AuthError.notSignedIn }
        let notice = try await front.send(isEverywhere ? .logOutEverywhereChosen : .logOutChosen)
        try context.report(notice, json: ["loggedOut": true])
    }
}

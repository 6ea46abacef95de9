import Arguments
import AuthService
import FlowCoordinators
import Text

/// `logout`: ends the session, or all of them.
struct LogoutCommand: Command {
    static let name = "logout"
    static let spec = CommandSpec(
        name: name, summary: "end the session",
        discussion: "With --everywhere, the command asks for the password if you logged in more than an hour ago.",
        options: [
            OptionSpec(name: "everywhere", summary: "end every session of the account"), Credentials.passwordOption,
        ],
        examples: [
            Example(command: "articlesctl logout", summary: "end this session"),
            Example(command: "articlesctl logout --everywhere", summary: "also end the sessions on other machines"),
        ])

    private let isEverywhere: Bool
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
        isEverywhere = parsed.flag("everywhere")
    }

    func run(in context: Context) async throws {
        let answers = try Credentials.password(parsed, in: context)
        let front = try await context.front(purpose: .end)
        try await front.application.start(at: .account)
        guard front.application.currentUser.session != nil else { throw AuthError.notLoggedIn }
        let notice = try await front.send(isEverywhere ? .logOutEverywhereChosen : .logOutChosen, answers: answers)
        try context.report(notice, json: ["loggedOut": true])
    }
}

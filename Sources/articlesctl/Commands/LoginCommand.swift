import Arguments
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `login`: logs in.
struct LoginCommand: Command {
    static let name = "login"
    static let spec = CommandSpec(
        name: name, summary: "log in and save the session",
        discussion: """
            The token of the session is stored in a file that only you can read, one file per database. The command \
            asks for the password and does not show it. If the account has a second factor, the command also asks for \
            a code: the one that the authenticator shows, or a recovery code. With --password-stdin, the code is the \
            second line of standard input.
            """,
        arguments: [ArgumentSpec(name: "USERNAME", summary: "the name of the account", isRequired: false)],
        options: [Credentials.passwordOption],
        examples: [
            Example(command: "articlesctl login ada", summary: "log in with a prompt for the password"),
            Example(
                command: "pass show articles | articlesctl login ada --password-stdin", summary: "log in from a script"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let front = try await context.front(purpose: .replace)
        let username = parsed.argument("USERNAME")
        let answers = try Credentials.answers(
            parsed, given: [.username: username], passwords: [.password],
            needs: [
                .init(field: .username, spelling: "USERNAME"), .init(field: .password, spelling: "--password-stdin"),
            ], in: context)
        let isPiped = parsed.flag(Credentials.passwordOption.name)
        try await front.go(to: .login(username: username), answers: answers) { place in
            place.flow != .login && place.flow != .signUp && (isPiped || place != .secondFactor)
        }
        if front.application.place == .secondFactor { _ = try await front.send(.submitted([.code: code()])) }
        guard let session = front.application.currentUser.session else {
            throw front.application.notice?.error ?? AuthError.logInEnded
        }
        try context.report("Logged in as \(session.user.username).", json: JSON(account: session))
    }

    /// Reads the code. A program can write it after the prompt.
    private func code() throws -> String {
        do {
            return try Prompt().firstLine(of: 0)
        } catch PromptError.endOfInput {
            throw CommandError(
                "this account needs a code of the authenticator",
                hint: "with --password-stdin, pass it in the second line of standard input", code: .notLoggedIn)
        }
    }
}

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

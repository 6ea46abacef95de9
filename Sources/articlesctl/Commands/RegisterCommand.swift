import Arguments
import AuthService
import FlowCoordinators
import Text

/// `register`: creates an account.
struct RegisterCommand: Command {
    static let name = "register"
    static let spec = CommandSpec(
        name: name, summary: "create an account",
        discussion: """
            Logs the new user in, unless another user is logged in. The command asks for missing values, and twice for \
            the password, which is not shown. The password must have at least \(PasswordPolicy().minimumLength) \
            characters and be hard to guess.

            If registration needs an invitation, the command asks for its code; with --password-stdin and --invited, \
            the code is the first line of standard input, before the password.
            """,
        arguments: [
            ArgumentSpec(
                name: "USERNAME",
                summary: "\(Username.lengths.lowerBound) to \(Username.lengths.upperBound) of a-z, 0-9, dot, hyphen, "
                    + "underscore", isRequired: false)
        ],
        options: [
            OptionSpec(
                name: "region", short: "r", summary: "the two-letter code of a country or region", value: "CODE",
                values: .suggestions(Region.all.map(\.code))),
            Credentials.passwordOption,
            OptionSpec(name: "no-login", summary: "do not log the new user in"),
            OptionSpec(name: "invited", summary: "read the code of an invitation before the password"),
        ],
        examples: [
            Example(
                command: "articlesctl register ada --region SE",
                summary: "create an account with a prompt for the password")
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        // Check the name before the user answers other questions.
        if let name = parsed.argument("USERNAME") { _ = try Username(name) }
        let front = try await context.front(signUp: SignUpOptions(logsIn: !parsed.flag("no-login")))
        let answers = try Credentials.answers(
            parsed, given: [.username: parsed.argument("USERNAME"), .region: parsed.value("region")],
            passwords: parsed.flag("invited") ? [.code, .password] : [.password], confirming: .password,
            needs: [
                .init(field: .username, spelling: "USERNAME"), .init(field: .region, spelling: "--region"),
                .init(field: .password, spelling: "--password-stdin"),
            ], in: context)
        if !context.isInteractive, !parsed.flag("invited"),
            try await context.accounts().registration() == .invitation
        {
            throw CommandError(
                "registration needs an invitation", hint: "pass its code with --invited", code: .notLoggedIn)
        }
        let notice = try await front.go(to: .signUpAccount, answers: answers) { $0.flow != .signUp }
        let username: String
        switch front.application.place {
        case .login(let name?): username = name
        default:
            guard let session = front.application.currentUser.session else {
                throw CommandError("not registered", code: .software)
            }
            username = session.user.username.text
        }
        try context.report(notice?.text, json: ["username": .string(username)])
    }
}

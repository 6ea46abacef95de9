import Arguments
import AuthService
import FlowCoordinators
import ModelJSON
import Text

/// `tokens`: manages API tokens.
struct TokensCommand: Command {
    private enum Task {
        case list
        case create(String, APIToken.Scope, days: Int)
        case revoke(String)
    }

    private static let longest = Int(AccountPolicy().tokenLifetime / 86_400)

    static let spec = CommandSpec(
        name: "tokens", summary: "list, make or revoke API tokens",
        discussion: """
            An API token is for a program: it stands for the account, may do less than who logs in, and ends. Programs give it \
            in ARTICLESCTL_TOKEN. It is revoked one by one, and with all sessions when the password changes.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the tokens"),
            CommandSpec(
                name: "create", summary: "make a token, and show it this once",
                discussion: """
                    With the scope read, a program may list, show, read and export. With the scope write, it may also mark, star, tag \
                    and note articles, and bring articles in if the role of the account allows that. With neither does it see or \
                    change sessions, tokens or the password.

                    To make one takes the password, where you have been logged in for an hour.
                    """,
                arguments: [ArgumentSpec(name: "NAME", summary: "what to call it, such as what it is for")],
                options: [
                    OptionSpec(
                        name: "scope", summary: "what it may be used for", value: "SCOPE",
                        values: .choices(APIToken.Scope.allCases.map(\.rawValue)),
                        defaultValue: APIToken.Scope.read.rawValue),
                    OptionSpec(
                        name: "days", summary: "how long it lasts, up to \(longest)", value: "NUMBER",
                        defaultValue: "90"),
                    Credentials.passwordOption,
                ]),
            CommandSpec(
                name: "revoke", summary: "end a token",
                arguments: [
                    ArgumentSpec(
                        name: "TOKEN", summary: "its name or its id, as the list shows them", values: .names(.token))
                ]),
        ],
        examples: [
            Example(command: "articlesctl tokens create backup --days 30", summary: "one that may read, for a month"),
            Example(
                command: "ARTICLESCTL_TOKEN=$(cat token) articlesctl export", summary: "use one that is kept in a file"),
            Example(command: "articlesctl tokens revoke backup", summary: "end one"),
            Example(command: "articlesctl tokens list", summary: "see which there are"),
        ])

    private let task: Task
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        switch parsed.path.last {
        case "create":
            task = .create(
                parsed.argument("NAME") ?? "", parsed.value("scope").flatMap(APIToken.Scope.init) ?? .read,
                days: try parsed.integer("days", in: 1...Self.longest) ?? 90)
        case "revoke": task = .revoke(parsed.argument("TOKEN") ?? "")
        default: task = .list
        }
    }

    func run(in context: Context) async throws {
        if case .list = task { return try await context.show(.tokens) }
        // Read standard input before asking anything.
        let answers = if case .create = task { try Credentials.password(parsed, in: context) } else { Answers([:]) }
        let front = try context.front()
        try await front.go(to: .tokens) { $0 == .tokens }
        let signedIn = front.application.signedIn
        switch task {
        case .list: break
        case .create(let name, let scope, let days):
            let (made, token) = try await front.confirming(answers) {
                try await signedIn.account.createToken(named: name, scope: scope, lifetime: Double(days) * 86_400)
            }
            let end = RFC3339.string(from: made.expiresAt)
            context.say("“\(made.name)” may \(scope.rawValue) until \(end). It is shown this once:")
            try context.report(token.text, json: JSON(apiToken: made, secret: token.text))
        case .revoke(let name):
            let tokens = try await signedIn.account.auth.tokens(token: signedIn.account.token)
            guard let token = tokens.first(where: { $0.name == name || $0.id.description == name }) else {
                throw ScreenError.noToken(name)
            }
            _ = try await front.send(.tokenRevocationChosen(token.id))
            try context.report("Revoked “\(token.name)”.", json: ["revoked": .string(token.name)])
        }
    }
}

import Arguments
import AuthService
import FlowCoordinators
import LibraryServices
import Text

/// `tokens`: manages API tokens.
struct TokensCommand: Command {
    private enum Task {
        case list
        case create(String, APIToken.Scope, days: Int)
        case revoke(String)
    }

    private static let longest = Int(AccountPolicy().tokenLifetime / 86_400)

    static let name = "tokens"
    static let spec = CommandSpec(
        name: name, summary: "list, create, or revoke API tokens",
        discussion: """
            An API token lets a program use your account with fewer rights and for a limited time. Programs pass it in \
            ARTICLESCTL_TOKEN. You can revoke each token; a change of the password revokes all tokens and sessions.
            """,
        subcommands: [
            CommandSpec(
                name: "list", summary: "list the tokens",
                discussion: "The time of the last use can be up to five minutes old."),
            CommandSpec(
                name: "create", summary: "create a token, and show it once",
                discussion: """
                    With the scope read, a program may list, show, read, and export. With the scope write, it may also \
                    mark, star, tag, and annotate articles, and import articles if the role of the account allows it. \
                    Neither scope can see or change sessions, tokens, or the password.

                    If your session is older than an hour, the command asks for the password.
                    """,
                arguments: [ArgumentSpec(name: "NAME", summary: "the name of the token, such as its purpose")],
                options: [
                    OptionSpec(
                        name: "scope", summary: "what the token permits", value: "SCOPE",
                        values: .choices(APIToken.Scope.allCases.map(\.rawValue)),
                        defaultValue: APIToken.Scope.read.rawValue),
                    OptionSpec(
                        name: "days", summary: "the lifetime in days, at most \(longest)", value: "NUMBER",
                        defaultValue: "90"),
                    Credentials.passwordOption,
                ]),
            CommandSpec(
                name: "revoke", summary: "revoke a token",
                arguments: [
                    ArgumentSpec(
                        name: "TOKEN", summary: "the name or ID of the token, as shown by list", values: .names(.token))
                ]),
        ],
        examples: [
            Example(
                command: "articlesctl tokens create backup --days 30", summary: "create a read-only token for 30 days"),
            Example(
                command: "ARTICLESCTL_TOKEN=$(cat token) articlesctl export",
                summary: "use a token that is stored in a file"),
            Example(command: "articlesctl tokens revoke backup", summary: "revoke a token"),
            Example(command: "articlesctl tokens list", summary: "list the tokens"),
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
        let front = try await context.front()
        try await front.go(to: .tokens) { $0 == .tokens }
        let currentUser = front.application.currentUser
        switch task {
        case .list: break
        case .create(let name, let scope, let days):
            let (made, token) = try await front.confirming(answers) {
                try await currentUser.account.createToken(named: name, scope: scope, lifetime: Double(days) * 86_400)
            }
            let end = RFC3339.string(from: made.expiresAt)
            context.say("“\(made.name)” has the scope \(scope.rawValue) until \(end). It is shown only once:")
            try context.report(token.text, json: JSON(apiToken: made, secret: token.text))
        case .revoke(let name):
            let tokens = try await currentUser.account.auth.tokens(token: currentUser.account.token)
            guard let token = tokens.first(where: { $0.name == name || $0.id.description == name }) else {
                throw ScreenError.noToken(name)
            }
            _ = try await front.send(.tokenRevocationChosen(token.id))
            try context.report("Revoked “\(token.name)”.", json: ["revoked": .string(token.name)])
        }
    }
}

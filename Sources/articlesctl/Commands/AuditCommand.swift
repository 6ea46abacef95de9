import Arguments
import AuthService
import FlowCoordinators
import Text

/// `audit`: shows the audit log.
struct AuditCommand: Command {
    static let spec = CommandSpec(
        name: "audit", summary: "show what happened to the accounts and the library",
        discussion: """
            The latest first: log-ins that succeeded, failed or were refused, sessions and tokens that began and ended, changes of \
            accounts and roles, exports, and what was done to the library, each with who did it. It holds no password, no token \
            and no name that was typed. What is older than \(Int(AccountPolicy().logLifetime / 86_400)) days goes. Like seed, this \
            needs no log-in.
            """,
        options: [
            OptionSpec(
                name: "user", summary: "only what happened to this user, by name, or by number when they are gone",
                value: "NAME", values: .names(.user)),
            OptionSpec(
                name: "event", summary: "only this kind of event, such as logInFailed", value: "KIND",
                values: .suggestions(AuditEvent.Kind.allCases.map(\.rawValue))),
            OptionSpec(name: "since", summary: "only what happened at this date or later", value: "DATE"),
            OptionSpec(name: "until", summary: "only what happened before this date", value: "DATE"),
            OptionSpec(name: "limit", short: "n", summary: "how many at most", value: "NUMBER", defaultValue: "100"),
        ],
        subcommands: [
            CommandSpec(
                name: "verify", summary: "check that no record was changed or removed",
                discussion: """
                    Each record holds a hash of itself and of the one before it. The first place that does not fit is named, and \
                    the exit code is 65. Who can write the file and reckons all hashes anew is not noticed.
                    """)
        ],
        examples: [
            Example(
                command: "articlesctl audit --event logInFailed --since 2026-01-31", summary: "log-ins that failed"),
            Example(command: "articlesctl audit --user ada --json", summary: "what happened to a user, for a program"),
            Example(command: "articlesctl audit verify", summary: "whether the log is whole"),
        ])

    private let verifies: Bool
    private let user: String?
    private let query: AuditQuery

    init(_ parsed: ParsedCommand) throws {
        verifies = parsed.path.last == "verify"
        user = parsed.value("user")
        var kind: AuditEvent.Kind?
        if let text = parsed.value("event") {
            kind = AuditEvent.Kind(rawValue: text)
            guard kind != nil else {
                let expected = "one of " + AuditEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw parsed.error(
                    .invalidValue(of: "--event", value: text, expected: expected),
                    suggestions: AuditEvent.Kind.allCases.map(\.rawValue).suggestions(for: text))
            }
        }
        query = AuditQuery(
            kind: kind, since: try parsed.date("since")?.date, until: try parsed.date("until")?.date,
            limit: try parsed.integer("limit", in: 1...1_000_000) ?? 100)
    }

    func run(in context: Context) async throws {
        let (auth, authority) = (try context.accounts(), context.operatorOfTheMachine)
        if verifies {
            if let fault = try await auth.verifyLog(by: authority) {
                throw CommandError(
                    "\(fault)", hint: "compare it with the log in a backup: articlesctl audit --database BACKUP",
                    code: .badData)
            }
            return try context.report("The log is as it was written.", json: ["whole": true])
        }
        let users = try await auth.users(by: authority)
        var query = query
        if let user {
            let known = (try? Username(user)).flatMap { name in users.first { $0.username == name }?.id }
            guard let id = known ?? User.ID(user) else { throw AuthError.noUser(try Username(user)) }
            query.user = id
        }
        try context.write(.audit(try await auth.events(matching: query, by: authority), users: users))
    }
}

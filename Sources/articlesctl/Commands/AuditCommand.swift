import Arguments
import AuthService
import FlowCoordinators
import Text

/// `audit`: shows the audit log.
struct AuditCommand: Command {
    static let name = "audit"
    static let spec = CommandSpec(
        name: name, summary: "show the audit log of accounts and the library",
        discussion: """
            Shows the latest records first: successful, failed, and refused logins; sessions and tokens that began or \
            ended; changes to accounts and roles; exports; and changes to the library. Each record names the user. The \
            log never contains passwords, tokens, or names typed at a failed login. Records older than \
            \(Int(AccountPolicy().logLifetime / 86_400)) days are deleted. Like seed, this command needs no login.
            """,
        options: [
            OptionSpec(
                name: "user", summary: "only records of this user: a name, or the number of a deleted user",
                value: "NAME", values: .names(.user)),
            OptionSpec(
                name: "event", summary: "only events of this kind, such as logInFailed", value: "KIND",
                values: .suggestions(AuditEvent.Kind.allCases.map(\.rawValue))),
            OptionSpec(name: "since", summary: "only records from this date or later", value: "DATE"),
            OptionSpec(name: "until", summary: "only records before this date", value: "DATE"),
            OptionSpec(
                name: "limit", short: "n", summary: "the maximum number of records", value: "NUMBER",
                defaultValue: "100"),
        ],
        subcommands: [
            CommandSpec(
                name: "verify", summary: "check that no record was changed or removed",
                discussion: """
                    Each record contains a hash of itself and of the previous record. The command reports the first \
                    record that does not match, and the exit code is 65. It cannot detect a user who can write the \
                    file and recomputes all hashes.
                    """)
        ],
        examples: [
            Example(
                command: "articlesctl audit --event logInFailed --since 2026-01-31", summary: "show failed logins"),
            Example(
                command: "articlesctl audit --user ada --json", summary: "print the records of a user for a program"),
            Example(command: "articlesctl audit verify", summary: "check the log"),
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
        let (auth, authority) = (try await context.accounts(), context.operatorOfTheMachine)
        if verifies {
            if let fault = try await auth.verifyLog(by: authority) {
                throw CommandError(
                    "\(fault)", hint: "compare the log with that of a backup: articlesctl audit --database BACKUP",
                    code: .badData)
            }
            return try context.report("The log is unchanged.", json: ["whole": true])
        }
        let users = try await auth.users(by: authority)
        var query = query
        if let user {
            let known = (try? Username(user)).flatMap { name in users.first { $0.username == name }?.id }
            guard let id = known ?? User.ID(user) else { throw AuthError.noUser(try Username(user)) }
            query.user = id
        }
        let isFiltered = query != AuditQuery(limit: query.limit)
        try context.write(
            .audit(try await auth.events(matching: query, by: authority), users: users, isFiltered: isFiltered))
    }
}

import SQLiteStores
import Arguments
import ArticleStore
import AuthService
import Database
import Migrations
import Terminal
import Text

/// `restore`: replaces the database with a backup.
struct RestoreCommand: Command {
    static let spec = CommandSpec(
        name: "restore", summary: "put a backup in the place of the database, which is kept beside it",
        discussion: """
            The backup is checked first: that it is whole, of this program, and of no newer version. If there is a database, \
            restore asks before it replaces it; without a terminal it takes --yes. Nothing is changed while \
            another process has the database open. The backup then takes its place in one step, and stays where it is itself.

            Its sessions are ended, so that nobody is logged in who has logged out since, and so are its API tokens and the codes \
            that were issued; --keep-sessions leaves them open. \
            What was there is kept beside the database, with “.before-restore-” and the time after its name; “restore” with \
            that file goes back. A database that is damaged is kept as it is, with its log, and “recover” may save more of it.
            """,
        arguments: [ArgumentSpec(name: "FILE", summary: "the backup", values: .file)],
        options: [
            OptionSpec(name: "keep-sessions", summary: "leave the sessions and API tokens of the backup open"),
            Confirmation.option,
            OptionSpec(name: "dry-run", summary: "check the backup, say what it would replace, and change nothing"),
        ],
        examples: [
            Example(command: "articlesctl restore ~/articles.backup", summary: "go back to a backup"),
            Example(
                command: "articlesctl restore ~/articles.backup --dry-run", summary: "check a backup and change nothing"
            ),
        ])

    private let backup: String
    private let keepsSessions: Bool
    private let isDryRun: Bool
    private let confirmation: Confirmation

    init(_ parsed: ParsedCommand) {
        backup = parsed.argument("FILE") ?? ""
        keepsSessions = parsed.flag("keep-sessions")
        isDryRun = parsed.flag("dry-run")
        confirmation = Confirmation(parsed)
    }

    func run(in context: Context) async throws {
        let path = try context.locations.database
        let restorer = Restorer(
            path: path, schema: .articlesctl, configuration: context.databaseConfiguration, clock: context.clock)
        do {
            let plan = try restorer.plan(from: backup, isChecked: isDryRun)
            if isDryRun { return try report(plan, at: path, in: context) }
            if plan.replaces { try confirm(plan, at: path, in: context) }
            try context.makeDefaultFolder()
            try context.closeToOthers(path)
            let outcome = try context.keeping { progress in
                try restorer.restore(from: backup, progress: progress) { transaction, replaced in
                    try transaction.renewLibraryCopy()
                    if let replaced { try transaction.reserveNumbers(of: replaced) }
                    if !keepsSessions { try transaction.endAllSessions(at: context.clock(), client: Context.client) }
                }
            }
            try report(outcome, at: path, in: context)
        } catch let error as DatabaseError where error.isDamage {
            // The replaced database may be damaged, so the error is about the backup.
            let failure = CommandError(error)
            throw CommandError(
                failure.message,
                hint:
                    "give the name of a file that articlesctl backup wrote; if this one is damaged, save what can be read with: "
                    + "articlesctl recover \(backup.shellQuoted) NEW; and restore that",
                code: failure.code)
        } catch let error as DatabaseError {
            throw CommandError(reading: error, at: backup, kind: "backup")
        }
    }

    private func confirm(_ plan: Restorer.Plan, at path: String, in context: Context) throws {
        try confirmation.check(in: context)
        if context.isInteractive {
            let present = plan.replacedRows.isEmpty ? "cannot be read" : "has \(plan.replacedRows.libraryWords)"
            context.say("\(path) \(present), and is kept beside it. \(backup) has \(plan.rows.libraryWords).")
        }
        guard try confirmation.agrees(to: "Replace \(path) with \(backup)?", in: context) else {
            throw CommandError("nothing was changed", code: .declined)
        }
    }

    private func report(_ plan: Restorer.Plan, at path: String, in context: Context) throws {
        let replaced = plan.replacedRows.isEmpty ? "" : " (\(plan.replacedRows.libraryWords))"
        try context.report(
            plan.replaces
                ? "\(backup) is whole: \(plan.rows.libraryWords). It would replace \(path)\(replaced)."
                : "\(backup) is whole: \(plan.rows.libraryWords). It would become \(path), where nothing is.",
            json: [
                "database": .string(path), "version": JSON(plan.version), "replaces": .bool(plan.replaces),
                "articles": JSON(plan.rows["article"] ?? 0), "users": JSON(plan.rows["user"] ?? 0),
                "sessions": JSON(plan.rows["session"] ?? 0), "apiTokens": JSON(plan.rows["api_token"] ?? 0),
                "dryRun": true,
            ])
    }

    private func report(_ outcome: Restorer.Outcome, at path: String, in context: Context) throws {
        let isCurrent = outcome.version == Schema.articlesctl.version
        if !context.json {
            if let kept = outcome.keptPath { try context.output.writeLine("Kept: \(kept.sanitized())") }
            if !isCurrent { context.say("Bring it up to date with: articlesctl migrate") }
        }
        let sessions = outcome.rows["session"] ?? 0
        let tokens = outcome.rows["api_token"] ?? 0
        let ended =
            "\(sessions) \(sessions == 1 ? "session" : "sessions")"
            + (tokens == 0 ? "" : " and \(tokens) API \(tokens == 1 ? "token" : "tokens")")
        try context.report(
            "Restored \(path): \(outcome.rows.libraryWords); \(ended) \(keepsSessions ? "left open" : "ended").",
            json: [
                "database": .string(path), "kept": JSON(outcome.keptPath), "version": JSON(outcome.version),
                "articles": JSON(outcome.rows["article"] ?? 0), "users": JSON(outcome.rows["user"] ?? 0),
                "sessions": JSON(sessions), "apiTokens": JSON(tokens), "sessionsEnded": .bool(!keepsSessions),
            ])
    }
}

extension [String: Int] {
    /// The numbers of articles and users in a library, from the row counts of its tables. A library of the first
    /// version does not have a table of articles.
    fileprivate var libraryWords: String {
        let users = self["user"] ?? 0
        return "\((self["article"] ?? 0).articles), \(users) \(users == 1 ? "user" : "users")"
    }
}

extension DatabaseError {
    /// Whether the error means that the file is damaged or not a database.
    fileprivate var isDamage: Bool {
        switch self {
        case .damaged, .unsound, .notADatabase, .unknownSchema: true
        default: false
        }
    }
}

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
    static let name = "restore"
    static let spec = CommandSpec(
        name: name, summary: "replace the database with a backup, and keep the old database",
        discussion: """
            Checks first that the backup is intact, belongs to this program, and is not of a newer version. If a \
            database exists, restore asks for confirmation before it replaces it; without a terminal it needs --yes. \
            Nothing is changed while another process has the database open. A copy of the backup replaces the database \
            in one step.

            Sessions, API tokens, and codes in the backup end, so that users who logged out after the backup stay \
            logged out; --keep-sessions keeps them valid. The old database is kept beside the new one, with \
            “.before-restore-” and the time after its name; to go back, “restore” that file. A damaged database is \
            kept with its log, and “recover” may recover more of its data.
            """,
        arguments: [ArgumentSpec(name: "FILE", summary: "the backup", values: .file)],
        options: [
            OptionSpec(name: "keep-sessions", summary: "keep the sessions and API tokens of the backup valid"),
            Confirmation.option,
            OptionSpec(name: "dry-run", summary: "check the backup, show what it would replace, and change nothing"),
        ],
        examples: [
            Example(command: "articlesctl restore ~/articles.backup", summary: "restore a backup"),
            Example(
                command: "articlesctl restore ~/articles.backup --dry-run", summary: "check a backup without changes"
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
        let path = try context.locations.place.file(
            for: "restore", onServer: "use pg_restore, pgBackRest, or point-in-time recovery")
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
                    "give the path of a file that articlesctl backup wrote; if this file is damaged, copy the readable data with: "
                    + "articlesctl recover \(backup.shellQuoted) NEW; and restore NEW",
                code: failure.code)
        } catch let error as DatabaseError {
            throw CommandError(reading: error, at: backup, kind: "backup")
        }
    }

    private func confirm(_ plan: Restorer.Plan, at path: String, in context: Context) throws {
        try confirmation.check(in: context)
        if context.isInteractive {
            let present = plan.replacedRows.isEmpty ? "cannot be read" : "has \(plan.replacedRows.libraryWords)"
            context.say("\(path) \(present), and will be kept. \(backup) has \(plan.rows.libraryWords).")
        }
        guard try confirmation.agrees(to: "Replace \(path) with \(backup)?", in: context) else {
            throw CommandError("nothing was changed", code: .declined)
        }
    }

    private func report(_ plan: Restorer.Plan, at path: String, in context: Context) throws {
        let replaced = plan.replacedRows.isEmpty ? "" : " (\(plan.replacedRows.libraryWords))"
        try context.report(
            plan.replaces
                ? "\(backup) is intact: \(plan.rows.libraryWords). It would replace \(path)\(replaced)."
                : "\(backup) is intact: \(plan.rows.libraryWords). It would become \(path), which does not exist.",
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
            if let kept = outcome.keptPath { try context.output.writeLine("Old database: \(kept.sanitized())") }
            if !isCurrent { context.say("Update its schema with: articlesctl migrate") }
        }
        let sessions = outcome.rows["session"] ?? 0
        let tokens = outcome.rows["api_token"] ?? 0
        let ended =
            sessions.quantity(of: "session") + (tokens == 0 ? "" : " and " + tokens.quantity(of: "API token"))
        try context.report(
            "Restored \(path): \(outcome.rows.libraryWords); \(ended) \(keepsSessions ? "kept" : "ended").",
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
        return "\((self["article"] ?? 0).articles), \(users.quantity(of: "user"))"
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

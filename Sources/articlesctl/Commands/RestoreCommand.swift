import Arguments
import ArticleStore
import AuthService
import Database
import Migrations
import Terminal
import Text

/// `restore`: puts a backup in the place of the database.
struct RestoreCommand: Command {
    static let spec = CommandSpec(
        name: "restore", summary: "put a backup in the place of the database, which is kept beside it",
        discussion: """
            The backup is checked first: that it is whole, of this program, and of no newer version. Nothing is changed while \
            another process has the database open. The backup then takes its place in one step, and stays where it is itself.

            Its sessions are ended, so that nobody is logged in who has logged out since, and so are its API tokens and the codes \
            that were issued; --keep-sessions leaves them open. \
            What was there is kept beside the database, with “.before-restore-” and the time after its name; “restore” with \
            that file goes back. A database that is damaged is kept as it is, with its log, and “recover” may save more of it.
            """,
        arguments: [ArgumentSpec(name: "FILE", summary: "the backup", values: .file)],
        options: [OptionSpec(name: "keep-sessions", summary: "leave the sessions of the backup open")],
        examples: [Example(command: "articlesctl restore ~/articles.backup", summary: "go back to a backup")])

    private let backup: String
    private let keepsSessions: Bool

    init(_ parsed: ParsedCommand) {
        backup = parsed.argument("FILE") ?? ""
        keepsSessions = parsed.flag("keep-sessions")
    }

    func run(in context: Context) async throws {
        let path = try context.locations.database
        try context.makeDefaultFolder()
        try context.closeToOthers(path)
        let restorer = Restorer(
            path: path, schema: .articlesctl, configuration: context.databaseConfiguration, clock: context.clock)
        let outcome: Restorer.Outcome<Int?>
        do {
            outcome = try context.keeping { progress in
                try restorer.restore(from: backup, progress: progress) { transaction, replaced in
                    try transaction.renewLibraryCopy()
                    if let replaced { try transaction.keepNumbers(of: replaced) }
                    return keepsSessions
                        ? nil : try transaction.endAllSessions(at: context.clock(), client: Context.client)
                }
            }
        } catch let error as DatabaseError where error.isDamage {
            // Of what is replaced, nothing has to be whole.
            let failure = CommandError(error)
            throw CommandError(
                failure.message,
                hint:
                    "save what can be read of it with: articlesctl recover \(backup.shellQuoted) NEW; and restore that",
                code: failure.code)
        }
        try report(outcome, at: path, in: context)
    }

    private func report(_ outcome: Restorer.Outcome<Int?>, at path: String, in context: Context) throws {
        // One of the first version has no articles.
        let (articles, users) = (outcome.rows["article"] ?? 0, outcome.rows["user"] ?? 0)
        let sessionCount = outcome.preparation ?? outcome.rows["session"] ?? 0
        let isCurrent = outcome.version == Schema.articlesctl.version
        if !context.json {
            if let kept = outcome.keptPath { try context.output.writeLine("Kept: \(kept.sanitized())") }
            if !isCurrent { context.say("Bring it up to date with: articlesctl migrate") }
        }
        let sessions = "\(sessionCount) \(sessionCount == 1 ? "session" : "sessions")"
        try context.report(
            "Restored \(path): \(articles) \(articles == 1 ? "article" : "articles"), \(users) "
                + "\(users == 1 ? "user" : "users"); \(sessions) \(keepsSessions ? "left open" : "ended").",
            json: [
                "database": .string(path), "kept": JSON(outcome.keptPath), "version": JSON(outcome.version),
                "articles": JSON(articles), "users": JSON(users), "sessions": JSON(sessionCount),
                "sessionsEnded": .bool(!keepsSessions),
            ])
    }
}

extension DatabaseError {
    /// Whether it says that a file is damaged, or so much so that it is none.
    fileprivate var isDamage: Bool {
        switch self {
        case .damaged, .unsound, .notADatabase, .unknownSchema: true
        default: false
        }
    }
}

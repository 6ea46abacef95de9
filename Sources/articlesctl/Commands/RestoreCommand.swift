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

            Its sessions are ended, so that nobody is logged in who has logged out since; --keep-sessions leaves them open. \
            What was there is kept as FILE.before-restore-TIME; “restore” with that file goes back.
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

    /// What came back.
    private struct Content: Sendable {
        let articles: Int
        let users: Int
        let sessions: Int
    }

    func run(in context: Context) async throws {
        let path = try context.locations.database
        try context.makeDefaultFolder()
        let restorer = Restorer(
            path: path, schema: .articlesctl, configuration: context.databaseConfiguration, clock: context.clock)
        let outcome = try context.keeping { progress in
            try restorer.restore(from: backup, progress: progress) { transaction in
                func count(_ table: String) throws -> Int {
                    try transaction.first("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? 0
                }
                return Content(
                    articles: try count("article"), users: try count("user"),
                    sessions: keepsSessions ? try count("session") : try transaction.endAllSessions())
            }
        }
        try report(outcome, at: path, in: context)
    }

    private func report(_ outcome: Restorer.Outcome<Content>, at path: String, in context: Context) throws {
        let content = outcome.preparation
        let isCurrent = outcome.version == Schema.articlesctl.version
        if !context.json {
            if let kept = outcome.keptPath { try context.output.writeLine("Kept: \(kept.sanitized())") }
            if !isCurrent { context.say("Bring it up to date with: articlesctl migrate") }
        }
        let sessions = "\(content.sessions) \(content.sessions == 1 ? "session" : "sessions")"
        try context.report(
            "Restored \(path): \(content.articles) \(content.articles == 1 ? "article" : "articles"), \(content.users) "
                + "\(content.users == 1 ? "user" : "users"); \(sessions) \(keepsSessions ? "left open" : "ended").",
            json: [
                "database": .string(path), "kept": JSON(outcome.keptPath), "version": JSON(outcome.version),
                "articles": JSON(content.articles), "users": JSON(content.users), "sessions": JSON(content.sessions),
                "sessionsEnded": .bool(!keepsSessions),
            ])
    }
}

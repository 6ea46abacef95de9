import Arguments
import ArticleStore
import Database
import Migrations
import Terminal
import Text

/// `migrate`: creates or updates the database.
struct MigrateCommand: Command {
    static let spec = CommandSpec(
        name: "migrate", summary: "create the database, or update its schema",
        discussion: """
            Each step runs in its own transaction, so after a failure the database is at the previous step. A database \
            that is not empty is copied to a backup beside it first; to go back, “restore” the backup with the version \
            of the program that made it. Finally, articles that are missing in the search index are indexed.
            """,
        options: [
            OptionSpec(name: "no-backup", summary: "do not make a backup of the database first"),
            OptionSpec(name: "dry-run", summary: "print the SQL that would run, and change nothing"),
        ],
        subcommands: [
            CommandSpec(name: "status", summary: "show which steps are applied")
        ],
        examples: [
            Example(command: "articlesctl migrate", summary: "create the database, or update its schema"),
            Example(command: "articlesctl migrate --dry-run", summary: "show the SQL that would run"),
            Example(command: "articlesctl migrate status", summary: "show the version of the database"),
        ])

    private let isStatus: Bool
    private let isDryRun: Bool
    private let makesBackup: Bool

    init(_ parsed: ParsedCommand) {
        isStatus = parsed.path.last == "status"
        isDryRun = parsed.flag("dry-run")
        makesBackup = !parsed.flag("no-backup")
    }

    func run(in context: Context) async throws {
        let locations = try context.locations
        let migrator = Migrator(
            path: locations.database, schema: .articlesctl, configuration: context.databaseConfiguration,
            clock: context.clock)
        if isStatus { return try writeStatus(try migrator.status(), of: locations.database, in: context) }
        if isDryRun { return try writeSQL(try migrator.status(), in: context) }

        try context.makeDefaultFolder()
        try context.closeToOthers(locations.database)
        let outcome = try migrator.migrate(backup: makesBackup)
        if context.json {
            try await context.completeSearch()
            return try context.report(
                nil,
                json: [
                    "database": .string(locations.database),
                    "applied": JSON(outcome.applied.map(Self.name)),
                    "backup": JSON(outcome.backupPath),
                ])
        }
        if let backup = outcome.backupPath { try context.output.writeLine("Backup: \(backup.sanitized())") }
        for migration in outcome.applied { try context.output.writeLine("Applied \(Self.name(migration))") }
        try await context.completeSearch()
        let path = locations.database.sanitized()
        try context.output.writeLine(
            outcome.applied.isEmpty
                ? "\(path) is up to date." : "\(path) is at version \(Schema.articlesctl.version).")
    }

    private static func name(_ migration: Migration) -> String {
        let digits = String(migration.version)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)_\(migration.name)"
    }

    private func writeStatus(_ steps: [Migrator.Step], of path: String, in context: Context) throws {
        if context.json {
            let objects = steps.map { step -> JSON in
                let (applied, isUnchanged): (JSON, JSON) =
                    switch step.state {
                    case .pending: (.null, .null)
                    case .applied(let date, let isUnchanged): (.string(RFC3339.string(from: date)), .bool(isUnchanged))
                    }
                return [
                    "version": JSON(step.migration.version), "name": .string(step.migration.name), "applied": applied,
                    "checksumOK": isUnchanged,
                ]
            }
            return try context.report(nil, json: ["database": .string(path), "migrations": .array(objects)])
        }
        let rows = steps.map { step -> [String] in
            switch step.state {
            case .pending: [Self.name(step.migration), "pending", "", ""]
            case .applied(let date, let isUnchanged):
                [
                    Self.name(step.migration), "applied", RFC3339.string(from: date),
                    isUnchanged ? "checksum ok" : "CHANGED since it was applied",
                ]
            }
        }
        try context.write(
            Table(columns: ["MIGRATION", "STATE", "WHEN", "CHECKSUM"].map { Table.Column(title: $0) }, rows: rows))
    }

    private func writeSQL(_ steps: [Migrator.Step], in context: Context) throws {
        let pending = steps.filter { $0.state == .pending }.map(\.migration)
        if context.json {
            let objects: [JSON] = pending.map { ["name": .string(Self.name($0)), "sql": .string($0.sql)] }
            return try context.report(nil, json: ["pending": .array(objects)])
        }
        for migration in pending {
            try context.output.writeLine("-- \(Self.name(migration))")
            if migration.isOfProgram {
                try context.output.writeLine(
                    "-- This needs SQL functions of articlesctl; sqlite3 cannot run it.")
            }
            try context.output.writeLine(migration.sql)
        }
        if pending.isEmpty { context.say("Nothing to do: the database is up to date.") }
    }
}

extension Migration {
    /// Whether the migration uses functions that only this program registers with SQLite (`csearch_register`).
    fileprivate var isOfProgram: Bool { ["tokenize='words'", "search_fold("].contains { sql.contains($0) } }
}

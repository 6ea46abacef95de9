import Arguments
import ArticleStore
import Database
import LibraryStores
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

            On a PostgreSQL server, the database must exist, and no backup is made: use pg_dump first.
            """,
        options: [
            OptionSpec(name: "no-backup", summary: "do not make a backup of the file first"),
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
        let place = try context.locations.place
        if isStatus || isDryRun {
            let steps = try await Stores.schemaSteps(of: place, options: context.storeOptions)
            return isStatus ? try write(steps, of: place, in: context) : try writeSQL(steps, in: context)
        }
        var backup: String?
        let applied: [String]
        switch place {
        case .file(let path):
            try context.makeDefaultFolder()
            try context.closeToOthers(path)
            let outcome = try Migrator(
                path: path, schema: .articlesctl, configuration: context.databaseConfiguration, clock: context.clock
            ).migrate(backup: makesBackup)
            backup = outcome.backupPath
            applied = outcome.applied.map { Self.name($0.version, $0.name) }
        case .server:
            applied = try await Stores.applyMigrations(to: place, options: context.storeOptions).map {
                Self.name($0.version, $0.name)
            }
        }
        if context.json {
            try await context.completeSearch()
            return try context.report(
                nil,
                json: [
                    "database": .string(place.description), "applied": JSON(applied), "backup": JSON(backup),
                ])
        }
        if let backup { try context.output.writeLine("Backup: \(backup.sanitized())") }
        for name in applied { try context.output.writeLine("Applied \(name)") }
        try await context.completeSearch()
        let name = place.description.sanitized()
        try context.output.writeLine(
            applied.isEmpty ? "\(name) is up to date." : "\(name) is at version \(Schema.articlesctl.version).")
    }

    private static func name(_ version: Int, _ name: String) -> String {
        let digits = String(version)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)_\(name)"
    }

    private func write(_ steps: [SchemaStep], of place: StorePlace, in context: Context) throws {
        if context.json {
            let objects = steps.map { step -> JSON in
                [
                    "version": JSON(step.version), "name": .string(step.name),
                    "applied": step.appliedAt.map { .string(RFC3339.string(from: $0)) } ?? .null,
                    "checksumOK": step.appliedAt == nil ? .null : .bool(step.isUnchanged),
                ]
            }
            return try context.report(
                nil, json: ["database": .string(place.description), "migrations": .array(objects)])
        }
        let rows = steps.map { step -> [String] in
            let name = Self.name(step.version, step.name)
            guard let date = step.appliedAt else { return [name, "pending", "", ""] }
            return [
                name, "applied", RFC3339.string(from: date),
                step.isUnchanged ? "checksum ok" : "CHANGED since it was applied",
            ]
        }
        try context.write(
            Table(columns: ["MIGRATION", "STATE", "WHEN", "CHECKSUM"].map { Table.Column(title: $0) }, rows: rows))
    }

    private func writeSQL(_ steps: [SchemaStep], in context: Context) throws {
        let pending = steps.filter { $0.appliedAt == nil }
        if context.json {
            let objects: [JSON] = pending.map {
                ["name": .string(Self.name($0.version, $0.name)), "sql": .string($0.sql)]
            }
            return try context.report(nil, json: ["pending": .array(objects)])
        }
        for step in pending {
            try context.output.writeLine("-- \(Self.name(step.version, step.name))")
            if step.isOfProgram {
                try context.output.writeLine(
                    "-- This needs SQL functions of articlesctl; sqlite3 cannot run it.")
            }
            try context.output.writeLine(step.sql)
        }
        if pending.isEmpty { context.say("Nothing to do: the database is up to date.") }
    }
}

extension SchemaStep {
    /// Whether the step uses functions that only this program registers with SQLite (`csearch_register`).
    fileprivate var isOfProgram: Bool { ["tokenize='words'", "search_fold("].contains { sql.contains($0) } }
}

import Arguments
import ArticleStore
import Database
import LibraryStores
import Migrations
import Terminal
import Text

/// `migrate`: creates or updates the database.
struct MigrateCommand: Command {
    static let name = "migrate"
    static let spec = CommandSpec(
        name: name, summary: "create the database, update its schema, or copy it to another place",
        discussion: """
            Each step runs in its own transaction, so after a failure the database is at the previous step. A database \
            that is not empty is copied to a backup beside it first; to go back, “restore” the backup with the version \
            of the program that made it. Finally, articles that are missing in the search index are indexed.

            On a PostgreSQL server, the database must exist, and no backup is made: use pg_dump first.

            With --from and --to, it copies the library from one place to another, such as from a file to a PostgreSQL \
            server or back: articles, accounts, sessions, marks, subscriptions, the audit log, and all other data. \
            First end all programs that use the library. The target must not exist or must be empty. If the copy is \
            interrupted, run the same command again to continue it. Finally, the contents of both libraries are \
            compared; until they are equal, other commands refuse the target with 69. The source is not changed.
            """,
        options: [
            OptionSpec(name: "no-backup", summary: "do not make a backup of the file first"),
            OptionSpec(name: "dry-run", summary: "print the SQL that would run, and change nothing"),
            OptionSpec(
                name: "from", summary: "the library to copy: a file, or postgres://…; only with --to", value: "PLACE",
                values: .file),
            OptionSpec(name: "to", summary: "the place of the copy; only with --from", value: "PLACE", values: .file),
        ],
        subcommands: [
            CommandSpec(name: "status", summary: "show which steps are applied")
        ],
        examples: [
            Example(command: "articlesctl migrate", summary: "create the database, or update its schema"),
            Example(command: "articlesctl migrate --dry-run", summary: "show the SQL that would run"),
            Example(command: "articlesctl migrate status", summary: "show the version of the database"),
            Example(
                command: "articlesctl migrate --from articles.db --to postgres://db.example/articles",
                summary: "copy the library from a file to a PostgreSQL server"),
        ])

    private let isStatus: Bool
    private let isDryRun: Bool
    private let makesBackup: Bool
    private let copy: (from: StorePlace, to: StorePlace)?

    init(_ parsed: ParsedCommand) throws {
        isStatus = parsed.path.last == "status"
        isDryRun = parsed.flag("dry-run")
        makesBackup = !parsed.flag("no-backup")
        switch (try parsed.filled("from"), try parsed.filled("to")) {
        case (let from?, let to?): copy = (StorePlace(from), StorePlace(to))
        case (nil, nil): copy = nil
        default: throw CommandError("--from and --to need each other", code: .usage)
        }
        if copy != nil, isStatus || isDryRun || parsed.flag("no-backup") {
            throw CommandError("a copy with --from and --to has no other options", code: .usage)
        }
    }

    func run(in context: Context) async throws {
        if let copy { return try await run(copy, in: context) }
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

    private func run(_ copy: (from: StorePlace, to: StorePlace), in context: Context) async throws {
        let watch = InterruptWatch()
        var line = ProgressLine(writer: context.error, terminal: context.terminal)
        let clock = ContinuousClock()
        let start = clock.now
        defer { line.erase() }
        let transfer: LibraryTransfer
        do {
            transfer = try await LibraryTransfer(from: copy.from, to: copy.to, options: context.storeOptions)
        } catch let error as StoreError {
            throw CommandError(opening: error, given: nil)
        }
        let tables = try await transfer.run { table, count in
            line.update("\(table): \(count) rows …", now: clock.now - start)
            if let signal = watch.signal {
                throw CommandError(
                    "interrupted", hint: "to continue, run the same command again",
                    code: ExitCode(signal: signal) ?? .interrupted)
            }
        }
        line.erase()
        let rows = tables.reduce(0) { $0 + $1.rowCount }
        try context.report(
            "Copied \(copy.from) to \(copy.to): \(tables.count) tables with \(rows) rows, which are equal.",
            json: [
                "from": .string(copy.from.description), "to": .string(copy.to.description),
                "tables": .array(
                    tables.map { table in
                        ["table": .string(table.name), "rows": JSON(table.rowCount), "hash": .string(table.hash)]
                    }),
            ])
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

public import Essentials

/// Brings a database file to the schema that the program needs.
///
/// It only goes forward: each step runs together with its version stamp in one transaction, so a failure leaves the
/// database at the step before. Going back is restoring the backup that was made before the first step.
public struct Migrator: Sendable {
    /// The state of one step in one database.
    public struct Step: Hashable, Sendable {
        /// Whether it was applied, and how that went.
        public enum State: Hashable, Sendable {
            /// Not applied yet.
            case pending
            /// Applied at this time. `isUnchanged` is false when the program's step is not the one that was applied.
            case applied(at: Date, isUnchanged: Bool)
        }

        /// The step.
        public let migration: Migration
        /// Its state.
        public let state: State
    }

    /// The result of a migration.
    public struct Outcome: Hashable, Sendable {
        /// The steps that were applied, in order; none when there was nothing to do.
        public let applied: [Migration]
        /// The path of the backup, if there is one.
        public let backupPath: String?
    }

    private let path: String
    private let schema: Schema
    private let configuration: Database.Configuration
    private let clock: @Sendable () -> Date

    /// A migrator for the file at `path`, which need not exist.
    public init(
        path: String, schema: Schema, configuration: Database.Configuration = Database.Configuration(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.schema = schema
        self.configuration = configuration
        self.clock = clock
    }

    /// Returns the state of every step, and changes nothing. Without a file, every step is pending.
    ///
    /// - Throws: `DatabaseError`, as `Database.init` does for a file that is not ours or is newer.
    public func status() throws -> [Step] {
        switch try DatabaseFile(path: path).content() {
        case .missing, .empty: return schema.migrations.map { Step(migration: $0, state: .pending) }
        case .database:
            let record = try Database(path: path, applicationID: schema.applicationID, configuration: configuration)
                .schemaRecord(supported: schema.version)
            return schema.migrations.map { migration in
                guard migration.version <= record.version else { return Step(migration: migration, state: .pending) }
                return Step(
                    migration: migration,
                    state: .applied(
                        at: record.steps[migration.version]?.date ?? .distantPast, isUnchanged: record.holds(migration))
                )
            }
        }
    }

    /// Applies the pending steps, creating the file (mode 0600) when there is none.
    ///
    /// A second migrator waits for the first and then finds nothing to do.
    ///
    /// - Parameter backup: whether to copy a database that holds something before it is changed, to a file beside it
    ///   that is named after the version and the time.
    /// - Throws: `DatabaseError`: also `migrationChanged` when an applied step is not the program's, and
    ///   `foreignKeyViolation` when a step would break references.
    public func migrate(backup: Bool = true) throws -> Outcome {
        let file = DatabaseFile(path: path)
        // A file that somebody made empty may be of any mode.
        if try file.content() == .empty {
            try file.requireOwn()
            try file.makePrivate()
        }
        if try file.content() == .missing {
            do {
                try file.create()
            } catch {
                // Another migrator may have created it in the meantime.
                guard try file.content() != .missing else { throw error }
            }
        }
        let database = try Database(path: path, applicationID: schema.applicationID, configuration: configuration)
        // Looked at first without the lock: what is not ours is not touched, not even by a lock beside it.
        let record = try database.schemaRecord(supported: schema.version)
        try record.check(schema, path: path)
        if record.version == schema.version { return Outcome(applied: [], backupPath: nil) }
        return try database.withWriteLock { connection in
            let record = try database.schemaRecord(supported: schema.version)
            try record.check(schema, path: path)
            let pending = Array(schema.migrations.dropFirst(record.version))
            var backupPath: String?
            if backup, !pending.isEmpty, try connection.holdsRows {
                backupPath = try backUp(database, version: record.version)
            }
            for migration in pending { try apply(migration, on: connection) }
            return Outcome(applied: pending, backupPath: backupPath)
        }
    }

    private func backUp(_ database: Database, version: Int) throws -> String {
        let name = BackupName(version: version, date: clock())
        var number = 1
        // A second attempt within the same second finds the name taken.
        while DatabaseFile(path: "\(path).\(name.text(number))").isTaken { number += 1 }
        let backupPath = "\(path).\(name.text(number))"
        try database.backUp(to: backupPath)
        return backupPath
    }

    /// Applies one step.
    ///
    /// - Parameter checksReferences: whether rows that refer to nothing are an error.
    func apply(_ migration: Migration, on connection: Connection, checksReferences: Bool = true) throws {
        // A step may rebuild a table that others refer to. Inside a transaction this pragma would be ignored.
        try connection.execute("PRAGMA foreign_keys=OFF")
        defer { try? connection.execute("PRAGMA foreign_keys=ON") }
        try connection.begin(.immediate)
        do {
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS schema_migration (
                    version INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    checksum TEXT NOT NULL,
                    applied_at INTEGER NOT NULL
                ) STRICT
                """)
            try connection.execute(migration.sql)
            let broken: String? =
                checksReferences ? try connection.first("PRAGMA foreign_key_check", []) { try $0.value(0) } : nil
            if let broken { throw DatabaseError.foreignKeyViolation(migration: migration.name, table: broken) }
            _ = try connection.run(
                "INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                [Value(migration.version), .text(migration.name), .text(migration.checksum), Value(clock())])
            try connection.execute("PRAGMA user_version=\(migration.version)")
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }
}

extension Connection {
    /// Whether there is anything to lose: a row in a table other than the migrator's own.
    fileprivate var holdsRows: Bool {
        get throws {
            var names: [String] = []
            try forEach(
                """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name <> 'schema_migration' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """, []
            ) { names.append(try $0.value(0)) }
            // A name cannot be bound.
            return try names.contains { name in
                try first("SELECT 1 FROM \(name.quotedIdentifier) LIMIT 1", []) { _ in true } ?? false
            }
        }
    }
}

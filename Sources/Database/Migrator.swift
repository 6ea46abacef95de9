public import Text

/// Updates a database file to the schema that the program requires.
///
/// It only goes forward. Each migration runs in one transaction with the update of the version, so a failure leaves the
/// database at the previous version. To go back, restore the backup that was made before the first migration.
public struct Migrator: Sendable {
    /// The state of a migration in a database.
    public struct Step: Hashable, Sendable {
        /// Whether it was applied, and how that went.
        public enum State: Hashable, Sendable {
            /// It was not applied yet.
            case pending
            /// It was applied at this time. `isUnchanged` is false if the program's migration differs from the one that
            /// was applied.
            case applied(at: Date, isUnchanged: Bool)
        }

        /// The migration.
        public let migration: Migration
        /// The state.
        public let state: State
    }

    /// The result of a migration.
    public struct Outcome: Hashable, Sendable {
        /// The applied migrations in order; empty if the database was up to date.
        public let applied: [Migration]
        /// The path of the backup, if one was made.
        public let backupPath: String?
    }

    private let path: String
    private let schema: Schema
    private let configuration: Database.Configuration
    private let clock: @Sendable () -> Date

    /// Creates a migrator for the file at `path`, which need not exist.
    public init(
        path: String, schema: Schema, configuration: Database.Configuration = Database.Configuration(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.schema = schema
        self.configuration = configuration
        self.clock = clock
    }

    /// Returns the state of every migration. Nothing is changed. If the file does not exist, all migrations are
    /// pending.
    ///
    /// - Throws: `DatabaseError`, like `Database.init`, for a file that belongs to another program or is newer.
    public func status() throws -> [Step] {
        switch try DatabaseFile(path: path).content() {
        case .missing, .empty: return schema.migrations.map { Step(migration: $0, state: .pending) }
        case .database:
            let record = try Database(path: path, applicationID: schema.applicationID, configuration: configuration)
                .schemaRecord(supported: schema.version)
            if record.isUnfinished { throw DatabaseError.unfinished(path: path) }
            return schema.migrations.map { migration in
                guard migration.version <= record.version else { return Step(migration: migration, state: .pending) }
                return Step(
                    migration: migration,
                    state: .applied(
                        at: record.step(of: migration)?.date ?? .distantPast, isUnchanged: record.holds(migration))
                )
            }
        }
    }

    /// Applies the pending migrations. If the file does not exist, it is created with mode 0600.
    ///
    /// A second migrator waits for the first, and then has nothing to do.
    ///
    /// - Parameter backup: whether to back up a database that contains data, to a file beside it whose name contains
    ///   the version and the time.
    /// - Throws: `DatabaseError`, including `migrationChanged` if an applied migration differs from the program's, and
    ///   `foreignKeyViolation` if a migration would break references.
    public func migrate(backup: Bool = true) throws -> Outcome {
        let file = DatabaseFile(path: path)
        // An empty file that the user created may have any mode.
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
        // Check the file first without the lock: for a file of another program, not even a lock file must be created.
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

    /// Applies a migration.
    ///
    /// - Parameter checksReferences: whether rows that refer to missing rows are an error.
    func apply(_ migration: Migration, on connection: Connection, checksReferences: Bool = true) throws {
        // A migration may rebuild a table to which others refer. Inside of a transaction, this pragma would be ignored.
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
    /// Whether there is data to lose: a row in a table that does not belong to the migrator.
    fileprivate var holdsRows: Bool {
        get throws {
            var names: [String] = []
            try forEach(
                """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name <> 'schema_migration' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """, []
            ) { names.append(try $0.value(0)) }
            // A table name cannot be bound as a value.
            return try names.contains { name in
                try first("SELECT 1 FROM \(name.quotedIdentifier) LIMIT 1", []) { _ in true } ?? false
            }
        }
    }
}

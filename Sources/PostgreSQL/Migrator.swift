internal import Text

/// A step of a schema.
package struct Migration: Hashable, Sendable {
    /// Its version, which follows that of the step before.
    package let version: Int
    /// The name, which is part of the file name.
    package let name: String
    /// The statements.
    package let sql: String

    /// Creates a step.
    package init(version: Int, name: String, sql: String) {
        (self.version, self.name, self.sql) = (version, name, sql)
    }

    /// A fingerprint of `sql`, which shows whether a step was changed after it was applied.
    package var checksum: String { Fingerprint(sql).description }
}

/// Updates the schema of a database on a server. It only goes forward.
///
/// Each migration runs in one transaction with its record, so a failure leaves the database at the version before. An
/// advisory lock of the server admits one migrator at a time; a second one waits for it.
package struct Migrator: Sendable {
    private let pool: ConnectionPool
    private let migrations: [Migration]
    private let lock: Int64
    private let clock: @Sendable () -> Int64

    /// Creates a migrator.
    ///
    /// - Parameters:
    ///   - pool: the database.
    ///   - migrations: the steps, with consecutive versions.
    ///   - lock: the number of the advisory lock, which no other program may use in this database.
    ///   - clock: the present time in seconds since 1970.
    package init(
        _ pool: ConnectionPool, migrations: [Migration], lock: Int64, clock: @escaping @Sendable () -> Int64
    ) {
        (self.pool, self.migrations, self.lock, self.clock) = (pool, migrations, lock, clock)
    }

    /// The record of an applied migration.
    package struct Applied: Sendable, Hashable {
        /// The version of the migration.
        package let version: Int
        /// The checksum of the migration at that time.
        package let checksum: String
        /// The time in seconds since 1970.
        package let appliedAt: Int64
    }

    /// Returns the records of the applied migrations, by version. An empty database has none.
    package func applied() async throws -> [Applied] {
        let tables = try await pool.read([Self.hasRecords])
        try Self.requireFinished(tables[0])
        guard try tables[0].first?.value(0) == true else { return [] }
        return try await pool.read([Self.records])[0].map { try Applied($0) }
    }

    /// Applies the missing migrations.
    ///
    /// - Returns: the applied migrations.
    /// - Throws: ``MigrationError``, `PostgreSQLError`.
    @discardableResult
    package func migrate() async throws -> [Migration] {
        var migrated: [Migration] = []
        while let next = try await migrateOne() { migrated.append(next) }
        return migrated
    }

    /// Applies the first missing migration.
    ///
    /// - Returns: nil if none is missing.
    private func migrateOne() async throws -> Migration? {
        try await pool.write { transaction in
            // The lock is released at the end of the transaction.
            let tables = try await transaction.run([
                "SET LOCAL lock_timeout = 0", "SET LOCAL statement_timeout = 0",
                Statement("SELECT pg_advisory_xact_lock($1)", [.integer(lock)]), Self.hasRecords,
            ])
            try Self.requireFinished(tables[3])
            var applied: [Applied] = []
            if try tables[3].first?.value(0) == true {
                applied = try await transaction.run([Self.records])[0].map { try Applied($0) }
            } else {
                // Do not mix the tables with those of another program.
                guard try await transaction.run([Self.hasTables])[0].first?.value(0) == false else {
                    throw MigrationError.foreignTables
                }
                transaction.queue([Self.createRecords])
            }
            try check(applied)
            guard let next = migrations.first(where: { $0.version > applied.last?.version ?? 0 }) else { return nil }
            try await transaction.run(script: next.sql)
            transaction.queue([
                Statement(
                    "INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)",
                    [Value(next.version), .text(next.name), .text(next.checksum), .integer(clock())])
            ])
            return next
        }
    }

    /// - Throws: ``MigrationError`` if the program cannot use the schema.
    package func check(_ applied: [Applied]) throws(MigrationError) {
        for record in applied {
            guard let migration = migrations.first(where: { $0.version == record.version }) else {
                throw MigrationError.newerSchema(found: record.version, supported: migrations.last?.version ?? 0)
            }
            guard migration.checksum == record.checksum else {
                throw MigrationError.changed(version: record.version, name: migration.name)
            }
        }
    }

    private static func requireFinished(_ tables: Rows) throws {
        if try tables.first?.value(1) == true { throw MigrationError.unfinished }
    }

    /// The table that marks a database which is an unfinished copy of another one. Using its schema is an error.
    package static let unfinishedTable = "unfinished_transfer"
    /// Selects whether the database is marked by ``unfinishedTable``.
    package static let isUnfinished: Statement = "SELECT to_regclass('unfinished_transfer') IS NOT NULL"

    private static let hasRecords: Statement = """
        SELECT to_regclass('schema_migration') IS NOT NULL, to_regclass('unfinished_transfer') IS NOT NULL
        """
    /// Whether the schema contains tables, not counting those of extensions.
    private static let hasTables: Statement = """
        SELECT EXISTS (
            SELECT FROM pg_class AS c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                AND NOT EXISTS (
                    SELECT FROM pg_depend AS d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
        """
    private static let records: Statement =
        "SELECT version, checksum, applied_at FROM schema_migration ORDER BY version"
    private static let createRecords: Statement = """
        CREATE TABLE schema_migration (
            version bigint PRIMARY KEY,
            name text NOT NULL,
            checksum text NOT NULL,
            applied_at bigint NOT NULL
        )
        """
}

extension Migrator.Applied {
    fileprivate init(_ row: Row) throws {
        self.init(version: try row.value(0), checksum: try row.value(1), appliedAt: try row.value(2))
    }
}

/// The reason why a program cannot use a schema.
package enum MigrationError: Error, Sendable, Hashable {
    /// A newer program has changed the schema.
    case newerSchema(found: Int, supported: Int)
    /// An applied migration differs from the program's.
    case changed(version: Int, name: String)
    /// The database is an unfinished copy of another one.
    case unfinished
    /// The database contains tables of another program.
    case foreignTables
}

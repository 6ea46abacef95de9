public import Text

/// Checks the contents of a database, as far as that is possible without knowing their meaning.
public struct ContentCheck: Check {
    /// A column with times from the clock of this machine.
    public struct Timestamp: Hashable, Sendable {
        let table: String
        let column: String

        /// Creates a reference to a column.
        public init(table: String, column: String) {
            self.table = table
            self.column = column
        }
    }

    private let database: Database
    private let schema: Schema
    private let timestamps: [Timestamp]
    private let written: Set<String>
    private let clock: @Sendable () -> Date

    /// Creates a check of a database.
    ///
    /// - Parameters:
    ///   - database: a database with any version of `schema`.
    ///   - schema: the expected schema.
    ///   - timestamps: the columns whose times must not be in the future.
    ///   - written: the tables with data that users wrote, from which nothing is removed.
    ///   - clock: the present time.
    public init(
        database: Database, schema: Schema, timestamps: [Timestamp], written: Set<String> = [],
        clock: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.schema = schema
        self.timestamps = timestamps
        self.written = written
        self.clock = clock
    }

    /// Returns the findings. See `Check` for the errors.
    public func findings() throws -> [Finding] {
        try database.read { snapshot in
            try schemaFindings(snapshot) + damageFindings(snapshot) + orphanFindings(snapshot) + clockFindings(snapshot)
        }
    }

    /// Repairs the findings that can be repaired.
    public func repair() throws {
        let (damage, missing) = try database.read { snapshot in
            (try snapshot.connection.damage(), try differences(snapshot).missing.filter(\.isDerived))
        }
        try database.write { transaction in
            // Reindex only if all findings concern indexes: the integrity check reports other problems too.
            if !damage.isEmpty, damage.allSatisfy(Self.isAboutIndex) { try transaction.execute("REINDEX") }
            for object in missing { try transaction.execute(object.sql) }
            for orphans in try Orphans.all(transaction.connection) where isRemovable(orphans) {
                try orphans.remove(transaction.connection)
            }
        }
    }

    // MARK: The schema

    private func schemaFindings(_ snapshot: Snapshot) throws -> [Finding] {
        let path = database.path
        do {
            let record = try SchemaRecord(snapshot, path: path, supported: schema.version)
            guard record.version == schema.version else {
                let error = DatabaseError.needsMigration(path: path, found: record.version, required: schema.version)
                return [
                    Finding(
                        .schema, on: path, error.description, advice: "update its schema with: articlesctl migrate")
                ]
            }
            try record.check(schema, path: path)
        } catch let error as DatabaseError {
            switch error {
            case .newerSchema, .unknownSchema, .migrationChanged:
                return [
                    Finding(
                        .schema, on: path, error.description, advice: "use the version of the program that wrote it")
                ]
            default: throw error
            }
        }
        let (missing, altered, foreign) = try differences(snapshot)
        return missing.map { object in
            Finding(
                .schema, on: object.name, "the \(object.type) \(object.name) is missing",
                advice: object.isDerived ? "it can be rebuilt" : "replace the database with a backup",
                isRepairable: object.isDerived)
        }
            + altered.map { object in
                Finding(
                    .schema, on: object.name,
                    "the \(object.type) \(object.name) differs from the one that the program created",
                    advice: "replace the database with a backup")
            }
            + foreign.map { object in
                Finding(
                    .schema, on: object.name, "the \(object.type) \(object.name) does not belong to this program",
                    advice: object.type == "trigger" ? "find out what it does, and drop it" : nil,
                    // A trigger is a fault because it changes what others write.
                    isFault: object.type == "trigger")
            }
    }

    private func differences(
        _ snapshot: Snapshot
    ) throws -> (missing: [SchemaObject], altered: [SchemaObject], foreign: [SchemaObject]) {
        let expected = try SchemaObject.all(of: schema)
        let found = try SchemaObject.all(snapshot.connection)
        return (
            expected.values.filter { found[$0.name] == nil }.sorted { $0.name < $1.name },
            expected.values.filter { object in found[object.name].map { $0 != object } ?? false }
                .sorted { $0.name < $1.name },
            found.values.filter { expected[$0.name] == nil }.sorted { $0.name < $1.name }
        )
    }

    // MARK: Damage

    private func damageFindings(_ snapshot: Snapshot) throws -> [Finding] {
        try snapshot.connection.damage().map { problem in
            let isRepairable = Self.isAboutIndex(problem)
            return Finding(
                .damage, on: database.path, problem,
                advice: isRepairable
                    ? "the indexes can be rebuilt"
                    : "replace it with a backup by “restore”, or copy the readable data with “recover”",
                isRepairable: isRepairable)
        }
    }

    /// Whether a line of `PRAGMA integrity_check` concerns an index, which can be rebuilt from its table.
    private static func isAboutIndex(_ problem: String) -> Bool {
        problem.contains("missing from index") || problem.hasPrefix("wrong # of entries in index")
            || problem.hasPrefix("non-unique entry in index")
    }

    private func orphanFindings(_ snapshot: Snapshot) throws -> [Finding] {
        try Orphans.all(snapshot.connection).map { orphans -> Finding in
            // Say “a” before the name “user”.
            let article = "aeio".contains(orphans.parent.prefix(1)) ? "an" : "a"
            return Finding(
                .reference, on: orphans.table,
                "\(orphans.count.quantity(of: "row")) of \(orphans.table) "
                    + "\(orphans.count == 1 ? "belongs" : "belong") to \(article) missing \(orphans.parent)",
                advice: advice(on: orphans), isRepairable: isRemovable(orphans))
        }
    }

    private func isRemovable(_ orphans: Orphans) -> Bool { orphans.isCascading && !written.contains(orphans.table) }

    private func advice(on orphans: Orphans) -> String {
        if isRemovable(orphans) { return "they can be removed" }
        let advice = "replace the database with a backup"
        guard orphans.isCascading else { return advice }
        return "\(advice); a repair does not remove text that a user wrote; use sqlite3 for that"
    }

    // MARK: The clock

    private func clockFindings(_ snapshot: Snapshot) throws -> [Finding] {
        let now = clock().unixSeconds
        let all = timestamps + [Timestamp(table: "schema_migration", column: "applied_at")]
        let tables: [String] = try snapshot.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            try $0.value(0)
        }
        for timestamp in all where tables.contains(timestamp.table) {
            let newest: Int64? =
                try snapshot.first(
                    "SELECT max(\(timestamp.column.quotedIdentifier)) FROM \(timestamp.table.quotedIdentifier)"
                ) { try $0.value(0) as Int64? } ?? nil
            // Clocks that are set manually may be minutes wrong.
            guard let newest, newest > now + 3600 else { continue }
            return [
                Finding(
                    .clock, on: timestamp.table,
                    "the clock is wrong: \(timestamp.table) has a record of "
                        + Date(timeIntervalSince1970: Double(newest)).formatted(.iso8601),
                    advice: "set the clock of this machine; until then, sessions may last longer or end earlier")
            ]
        }
        return []
    }
}

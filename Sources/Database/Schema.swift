import Text

/// The schema that a program expects: its application ID and its migrations.
public struct Schema: Sendable {
    /// The number that marks a file as a database of this program. Source:
    /// <https://www.sqlite.org/pragma.html#pragma_application_id>.
    public let applicationID: Int32
    /// The migrations in order. The migration at index i has version i + 1.
    public let migrations: [Migration]

    /// Creates a schema.
    ///
    /// - Precondition: the versions are 1, 2, 3 … in this order.
    public init(applicationID: Int32, migrations: [Migration]) {
        precondition(
            migrations.map(\.version) == Array(migrations.indices.map { $0 + 1 }), "versions must be 1, 2, 3 …")
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The version of the last migration; 0 without migrations.
    public var version: Int { migrations.count }

    /// The table that marks a database which is an unfinished copy of another one. Opening it is an error.
    package static let unfinishedTable = "unfinished_transfer"
}

/// A migration: one step of a schema.
public struct Migration: Hashable, Sendable {
    /// Its position, from 1.
    public let version: Int
    /// The name, which is part of the file name.
    public let name: String
    /// The statements.
    public let sql: String

    /// Creates a migration.
    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// A fingerprint of `sql`, which shows whether a migration was changed after it was applied.
    public var checksum: String { Fingerprint(sql).description }
}

/// The record of the schema in a database. Each migration and its version are written in one transaction, so a database
/// without a version is empty.
struct SchemaRecord {
    struct Step {
        let version: Int
        let checksum: String
        let date: Date
    }

    /// The version of the last applied migration; 0 in an empty database.
    let version: Int
    /// The applied migrations.
    let steps: [Step]
    /// Whether the database is an unfinished copy of another one.
    let isUnfinished: Bool

    /// - Throws: `newerSchema` if the version is above `supported`, `unknownSchema`, or an error of SQLite.
    init(_ snapshot: Snapshot, path: String, supported: Int) throws {
        let version: Int = try snapshot.first("PRAGMA user_version") { try $0.value(0) } ?? 0
        guard version <= supported else {
            throw DatabaseError.newerSchema(path: path, found: version, supported: supported)
        }
        let (tables, records, marks): (Int, Int, Int) =
            try snapshot.first(
                """
                SELECT count(*), count(*) FILTER (WHERE name = 'schema_migration'),
                    count(*) FILTER (WHERE name = '\(Schema.unfinishedTable)')
                FROM sqlite_schema
                """
            ) { (try $0.value(0), try $0.value(1), try $0.value(2)) } ?? (0, 0, 0)
        guard version > 0 ? records == 1 : tables == 0 else { throw DatabaseError.unknownSchema(path: path) }
        var steps: [Step] = []
        if version > 0 {
            try snapshot.forEach("SELECT version, checksum, applied_at FROM schema_migration") { row in
                steps.append(Step(version: try row.value(0), checksum: try row.value(1), date: try row.value(2)))
            }
        }
        self.version = version
        self.steps = steps
        isUnfinished = marks > 0
    }

    /// Returns the record of an applied migration; nil if it was not applied.
    func step(of migration: Migration) -> Step? { steps.first { $0.version == migration.version } }

    /// Returns whether the migration is the one that was applied.
    func holds(_ migration: Migration) -> Bool { step(of: migration)?.checksum == migration.checksum }

    /// - Throws: `migrationChanged` for the first applied migration that differs; `unfinished`.
    func check(_ schema: Schema, path: String) throws(DatabaseError) {
        if isUnfinished { throw .unfinished(path: path) }
        for migration in schema.migrations.prefix(version) where !holds(migration) {
            throw .migrationChanged(path: path, version: migration.version, name: migration.name)
        }
    }
}

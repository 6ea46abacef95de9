import Text

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

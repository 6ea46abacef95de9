/// A step of a schema.
public struct Migration: Hashable, Sendable {
    /// Its place in the order, from 1.
    public let version: Int
    /// The name, as in its file name.
    public let name: String
    /// The statements that it runs.
    public let sql: String

    /// A step of a schema.
    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// A fingerprint of `sql` that tells whether a step was changed after it was applied.
    public var checksum: String { Fingerprint(sql).description }
}

/// A consistent view of the database while the closure of `Database.read(_:)` runs.
public struct Snapshot: Queryable {
    let connection: Connection

    /// Runs one statement and calls `body` for each row, in order.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try connection.forEach(sql, values, body)
    }

    /// Runs one statement up to its first row, and calls `body` with it if there is one.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        _ = try connection.first(sql, values, body)
    }

    /// Creates a temporary table of this connection, such as a view of an index's contents. Nothing is written to the
    /// database, which the connection has open for reading only.
    ///
    /// - Parameter sql: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.…`.
    /// - Throws: `DatabaseError`.
    public func makeTemporary(_ sql: String) throws {
        try connection.execute("PRAGMA query_only=OFF")
        defer { try? connection.execute("PRAGMA query_only=ON") }
        try connection.execute(sql)
    }

    /// Defines a predicate for the statements of this snapshot. An earlier one with the same name stays.
    ///
    /// - Throws: `DatabaseError` if SQLite rejects its name or its number of arguments.
    public func define(_ predicate: Predicate) throws {
        try connection.define(predicate)
    }
}

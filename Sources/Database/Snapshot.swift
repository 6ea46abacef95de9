/// A consistent view of the database for as long as the closure of `Database.read(_:)` runs.
public struct Snapshot: Queryable {
    let connection: Connection

    /// Runs one statement and hands each row to `body`, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try connection.forEach(sql, values, body)
    }

    /// Runs one statement as far as its first row and hands that to `body`; not at all when there is none.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        _ = try connection.first(sql, values, body)
    }

    /// Makes a table of this connection, such as one that tells what an index has. Nothing is written to the database,
    /// which a reading connection has open to read only.
    ///
    /// - Parameter sql: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.…`.
    /// - Throws: `DatabaseError`.
    public func makeTemporary(_ sql: String) throws {
        try connection.execute("PRAGMA query_only=OFF")
        defer { try? connection.execute("PRAGMA query_only=ON") }
        try connection.execute(sql)
    }

    /// Defines a condition for the statements of this snapshot. An earlier condition of the same name stays.
    ///
    /// - Throws: `DatabaseError` when SQLite takes its name or its number of arguments for none.
    public func define(_ predicate: Predicate) throws {
        try connection.define(predicate)
    }
}

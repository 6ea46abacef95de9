/// One unchanging view of the database, for as long as the closure of `Database.read(_:)` runs.
public struct Snapshot: Queryable {
    let connection: Connection

    /// Runs one statement and hands each row to `body`, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try connection.forEach(sql, values, body)
    }

    /// What `body` makes of the first row, or nil when there is none.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    @inlinable
    public func first<T>(_ sql: String, _ values: [Value], _ body: (Row) throws -> T) throws -> T? {
        var result: T?
        try withFirst(sql, values) { result = try body($0) }
        return result
    }

    @usableFromInline
    func withFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        _ = try connection.first(sql, values, body)
    }

    /// Makes a condition known to the statements of this snapshot. One of the same name that is known already stays.
    ///
    /// - Throws: `DatabaseError` when SQLite takes its name or its number of arguments for none.
    public func define(_ predicate: Predicate) throws {
        try connection.define(predicate)
    }
}

/// A source of query results: a `Snapshot`, a `Transaction`, or, for single statements, a `Database`.
///
/// SQL is prepared once per connection and cached by its text. So keep the text constant and bind the values.
public protocol Queryable {
    /// Runs one statement and calls `body` for each row, in order.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws

    /// Runs one statement up to its first row, and calls `body` with it if there is one.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws
}

extension Queryable {
    /// Runs one statement without values and calls `body` for each row, in order.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
        try forEach(sql, [], body)
    }

    /// Returns the result of `body` for the first row, or nil if there is none. The statement stops at that row, so use
    /// ``query(_:_:_:)`` to read the rows of `RETURNING`.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    @inlinable
    public func first<T>(_ sql: String, _ values: [Value] = [], _ body: (Row) throws -> T) throws -> T? {
        var result: T?
        try forFirst(sql, values) { result = try body($0) }
        return result
    }

    /// Returns the results of `body` for all rows, in order.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    @inlinable
    public func query<T>(_ sql: String, _ values: [Value] = [], _ body: (Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql, values) { result.append(try body($0)) }
        return result
    }
}

/// Executes queries: a `Snapshot`, a `Transaction`, and, one statement at a time, a `Database`.
///
/// SQL is prepared once per connection and kept by its text: keep the text constant and bind what varies.
public protocol Queryable {
    /// Runs one statement and hands each row to `body`, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws

    /// Runs one statement as far as its first row and hands that to `body`; not at all when there is none.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws
}

extension Queryable {
    /// Runs one statement without values and hands each row to `body`, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
        try forEach(sql, [], body)
    }

    /// Returns the result of `body` for the first row, or nil if there is none. The statement stops at that row: read what
    /// `RETURNING` gives with ``query(_:_:_:)``.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    @inlinable
    public func first<T>(_ sql: String, _ values: [Value] = [], _ body: (Row) throws -> T) throws -> T? {
        var result: T?
        try forFirst(sql, values) { result = try body($0) }
        return result
    }

    /// Returns the results of `body` for each row, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    @inlinable
    public func query<T>(_ sql: String, _ values: [Value] = [], _ body: (Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql, values) { result.append(try body($0)) }
        return result
    }
}

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
}

/// A write transaction while the closure of `Database.write(_:)` runs.
public struct Transaction: Queryable {
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

    /// Runs one statement to its end.
    ///
    /// - Returns: the number of inserted, updated, or deleted rows.
    /// - Throws: `DatabaseError`.
    @discardableResult
    public func run(_ sql: String, _ values: [Value] = []) throws -> Int {
        try connection.run(sql, values)
    }

    /// Runs several statements without values and results.
    ///
    /// - Throws: `DatabaseError`.
    public func execute(_ script: String) throws {
        try connection.execute(script)
    }

    /// The number of rows that were inserted, updated, or deleted, also by triggers, since the connection was opened.
    public var changeCount: Int64 { connection.changeCount }

    /// The row ID of the row that the last INSERT of this connection created.
    public var lastInsertedRowID: Int64 { connection.lastInsertedRowID }

    /// Runs `body` in a savepoint: if it throws, its changes are rolled back and the transaction continues.
    ///
    /// - Throws: the error of `body`, or `DatabaseError`.
    @discardableResult
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        // Savepoints with the same name may be nested: RELEASE and ROLLBACK TO refer to the innermost.
        _ = try connection.run("SAVEPOINT inner", [])
        let result: T
        do {
            result = try body()
        } catch {
            // After a full disk or an I/O error, SQLite may already have rolled back the whole transaction.
            if connection.isInTransaction {
                _ = try connection.run("ROLLBACK TO inner", [])
                _ = try connection.run("RELEASE inner", [])
            }
            throw error
        }
        _ = try connection.run("RELEASE inner", [])
        return result
    }
}

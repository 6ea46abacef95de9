/// A write transaction, for as long as the closure of `Database.write(_:)` runs.
public struct Transaction: Queryable {
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

    /// Runs one statement to its end.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    /// - Throws: `DatabaseError`.
    @discardableResult
    public func run(_ sql: String, _ values: [Value] = []) throws -> Int {
        try connection.run(sql, values)
    }

    /// Runs several statements that take no values and return no rows.
    ///
    /// - Throws: `DatabaseError`.
    public func execute(_ script: String) throws {
        try connection.execute(script)
    }

    /// The rowid of the row that the last INSERT of this connection made.
    public var lastInsertedRowID: Int64 { connection.lastInsertedRowID }

    /// Runs `body` so that it can fail alone: when it throws, what it changed is undone and the transaction goes on.
    ///
    /// - Throws: what `body` throws, or `DatabaseError`.
    @discardableResult
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        // The same name may be nested: RELEASE and ROLLBACK TO mean the innermost.
        _ = try connection.run("SAVEPOINT inner", [])
        let result: T
        do {
            result = try body()
        } catch {
            // After a full disk or an I/O error SQLite may have rolled everything back already, savepoint included.
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

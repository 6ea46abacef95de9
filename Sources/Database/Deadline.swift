internal import CSQLite

extension Snapshot {
    /// Ends the statements of `body` with `DatabaseError.interrupted` after a deadline. Rows that were read before
    /// remain valid.
    ///
    /// The deadline is checked between instructions of SQLite's virtual machine. A full-text search executes many of
    /// them.
    ///
    /// - Throws: the errors of `body`, and `DatabaseError.interrupted`.
    package func withDeadline<T>(_ deadline: ContinuousClock.Instant, _ body: () throws -> T) throws -> T {
        // A short statement ends before the first check.
        guard ContinuousClock.now < deadline else { throw DatabaseError.interrupted }
        var deadline = deadline
        return try withUnsafeMutablePointer(to: &deadline) { deadline in
            sqlite3_progress_handler(
                connection.handle, 100,
                { context in
                    guard let context else { return 0 }
                    return ContinuousClock.now < context.load(as: ContinuousClock.Instant.self) ? 0 : 1
                }, deadline)
            defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
            return try body()
        }
    }
}

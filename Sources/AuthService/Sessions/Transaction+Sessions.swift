package import Database

extension Transaction {
    /// Ends every session of everybody, as where a database comes back from a time at which other sessions were open.
    ///
    /// - Returns: how many there were.
    /// - Throws: `DatabaseError`.
    package func endAllSessions() throws -> Int { try run("DELETE FROM session") }
}

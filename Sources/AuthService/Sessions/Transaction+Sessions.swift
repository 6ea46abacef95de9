package import Database
package import Essentials

extension Transaction {
    /// What lets somebody in and may have been taken back since: a database that comes back from a backup has none of it.
    private static let entrances = ["session", "api_token", "one_time_code", "feed_address"]

    /// Ends all that lets somebody in but passwords, as where a database comes back from a time at which other sessions were
    /// open, and records it of each user who had a session, where the log is one that this version writes.
    ///
    /// - Parameters:
    ///   - date: what time it is.
    ///   - client: where it was done.
    /// - Returns: how many sessions there were.
    /// - Throws: `DatabaseError`.
    package func endAllSessions(at date: Date, client: String) throws -> Int {
        let tables: [String] = try query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.value(0) }
        let users: [User.ID] = try query("SELECT user_id FROM session ORDER BY user_id") { try $0.value(0) }
        for user in Set(users).sorted() where tables.contains("audit_chain") {
            try record(AuditEvent(.sessionsEndedByRestore, at: date, userID: user, client: client))
        }
        // One of an earlier version may do without some.
        for table in Self.entrances where tables.contains(table) { try run("DELETE FROM \(table)") }
        return users.count
    }
}

import AuthService
package import Database
package import Text

extension Transaction {
    /// The tables with credentials that may have been revoked since a backup. They are emptied when it is restored.
    private static let entrances = ["session", "api_token", "one_time_code", "feed_address"]

    /// Ends all credentials except passwords, because the database was restored from a time with other sessions.
    /// Records it for each user who had a session, if the log has the format of this version.
    ///
    /// - Parameters:
    ///   - date: the present time.
    ///   - client: the client's description, for the audit log.
    /// - Throws: `DatabaseError`.
    package func endAllSessions(at date: Date, client: String) throws {
        let tables: [String] = try query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.value(0) }
        let users: [User.ID] = try query("SELECT user_id FROM session ORDER BY user_id") { try $0.value(0) }
        for user in Set(users).sorted() where tables.contains("audit_chain") {
            try record(AuditEvent(.sessionsEndedByRestore, at: date, userID: user, client: client))
        }
        // A database of an earlier version may lack some tables.
        for table in Self.entrances where tables.contains(table) { try run("DELETE FROM \(table)") }
    }
}

package import AuthService
package import Database
package import Text

extension SQLiteAccountStore {
    /// Stores a new session. See `AccountStore`.
    package func openSession(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws
        -> Bool
    {
        try await database.write { transaction in
            guard try transaction.openSession(stored) else { return false }
            try transaction.record(event)
            try transaction.endOldest(beyond: limit, besides: stored.session)
            return true
        }
    }

    private static let selectByID = """
        SELECT \(Session.columns), secret_hash FROM session JOIN user ON user.id = session.user_id
        WHERE session.id = ?
        """

    /// Returns the session with an ID. See `AccountStore`.
    package func session(_ id: Session.ID) async throws -> StoredSession? {
        try database.first(Self.selectByID, [.text(id.description)]) {
            StoredSession(session: try Session($0), secretHash: try $0.value(14))
        }
    }

    private static let selectWithPreferences = """
        SELECT \(Session.columns), secret_hash, appearance FROM session JOIN user ON user.id = session.user_id
        LEFT JOIN user_appearance ON user_appearance.user_id = session.user_id
        WHERE session.id = ?
        """

    /// Returns the session with an ID, and the preferences of its user. See `AccountStore`.
    package func sessionWithPreferences(
        _ id: Session.ID
    ) async throws -> (session: StoredSession, preferences: String??)? {
        try database.first(Self.selectWithPreferences, [.text(id.description)]) {
            (StoredSession(session: try Session($0), secretHash: try $0.value(14)), .some(try $0.value(15)))
        }
    }

    /// Returns the sessions of a user. See `AccountStore`.
    package func sessions(of user: User.ID) async throws -> [Session] {
        try database.read { snapshot in
            try snapshot.query(
                """
                SELECT \(Session.columns) FROM session JOIN user ON user.id = session.user_id
                WHERE user_id = ?
                ORDER BY last_used_at DESC, session.created_at DESC, session.id
                """,
                [.integer(user)]
            ) { try Session($0) }
        }
    }

    /// Records a use. See `AccountStore`.
    package func touchSession(_ id: Session.ID, at time: Date) async throws {
        try await database.write(timeout: 0) { transaction in
            try transaction.run(
                "UPDATE session SET last_used_at = ?1 WHERE id = ?2 AND last_used_at < ?1",
                [Value(time), .text(id.description)])
        }
    }

    /// Changes a session of a user. See `AccountStore`.
    package func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent)
        async throws -> Bool
    {
        let (statement, value): (String, Value) =
            switch change {
            case .client(let client): ("UPDATE session SET client = ? WHERE id = ? AND user_id = ?", .text(client))
            case .confirmed(let time): ("UPDATE session SET confirmed_at = ? WHERE id = ? AND user_id = ?", Value(time))
            }
        return try await database.write { transaction in
            let changed = try transaction.run(statement, [value, .text(id.description), .integer(user)])
            if changed > 0 { try transaction.record(event) }
            return changed > 0
        }
    }

    /// Removes a session of a user. See `AccountStore`.
    package func endSession(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await database.write { transaction in
            let ended = try transaction.run(
                "DELETE FROM session WHERE id = ? AND user_id = ?", [.text(id.description), .integer(user)])
            if ended > 0 { try transaction.record(event) }
            return ended > 0
        }
    }

    /// Removes every session of a user. See `AccountStore`.
    package func endSessions(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        try await database.write { transaction in
            let ended = try transaction.run("DELETE FROM session WHERE user_id = ?", [.integer(user)])
            try transaction.record(event)
            return ended
        }
    }

    /// Removes expired data. See `AccountStore`.
    package func removeExpired(
        at time: Date, idleSince: Date, eventsBefore oldest: Date, onceBefore limit: Date, recording event: AuditEvent
    ) async throws {
        // Usually nothing has expired. Look first, so that a login does not need the write lock.
        let isDue: Bool? = try database.read { snapshot in
            try snapshot.first(
                """
                SELECT EXISTS (SELECT 1 FROM session WHERE expires_at <= ?1 OR last_used_at <= ?2)
                    OR ifnull((SELECT at < ?3 FROM audit ORDER BY id LIMIT 1), 0)
                """, [Value(time), Value(idleSince), Value(limit)]
            ) { try $0.value(0) as Int != 0 }
        }
        guard isDue == true else { return }
        try await database.write { transaction in
            try transaction.endExpiredSessions(at: time, idleSince: idleSince)
            try transaction.pruneAuditLog(before: oldest, onceBefore: limit, recording: event)
        }
    }
}

extension Transaction {
    /// Stores a session, unless its user's password has changed since or the user was disabled.
    func openSession(_ stored: StoredSession) throws -> Bool {
        let session = stored.session
        let opened = try run(
            """
            INSERT INTO session (
                id, secret_hash, user_id, client, created_at, last_used_at, expires_at, origin, confirmed_at)
            SELECT ?1, ?2, id, ?3, ?4, ?5, ?6, ?9, ?10 FROM user
            WHERE id = ?7 AND password_changed_at = ?8 AND disabled_at IS NULL
            """,
            [
                .text(session.id.description), .blob(stored.secretHash), .text(session.client),
                Value(session.createdAt), Value(session.lastUsedAt), Value(session.expiresAt),
                .integer(session.user.id), Value(session.user.passwordChangedAt), .text(session.origin.text),
                Value(session.confirmedAt),
            ])
        return opened > 0
    }

    fileprivate func endExpiredSessions(at time: Date, idleSince: Date) throws {
        let ended = try query(
            "SELECT user_id, id, client, origin FROM session WHERE expires_at <= ? OR last_used_at <= ? ORDER BY id",
            [Value(time), Value(idleSince)]
        ) { row in
            AuditEvent(
                .sessionExpired, at: time, userID: try row.value(0), sessionID: try row.value(1) { Session.ID($0) },
                client: try row.value(2), origin: Origin(try row.value(3)))
        }
        if ended.isEmpty { return }
        for event in ended { try record(event) }
        try run("DELETE FROM session WHERE expires_at <= ? OR last_used_at <= ?", [Value(time), Value(idleSince)])
    }

    /// Ends the oldest sessions of a user beyond `limit`, but never the new one.
    fileprivate func endOldest(beyond limit: Int, besides session: Session) throws {
        let oldest = try query(
            """
            SELECT id, client, origin FROM session WHERE user_id = ?1
            ORDER BY id = ?2 DESC, created_at DESC, last_used_at DESC LIMIT -1 OFFSET ?3
            """,
            [.integer(session.user.id), .text(session.id.description), Value(limit)]
        ) { row in
            AuditEvent(
                .sessionReplaced, at: session.createdAt, userID: session.user.id,
                sessionID: try row.value(0) { Session.ID($0) }, client: try row.value(1),
                origin: Origin(try row.value(2)))
        }
        for event in oldest {
            try run("DELETE FROM session WHERE id = ?", [Value(event.sessionID?.description)])
            try record(event)
        }
    }
}

extension Session {
    fileprivate static let columns = """
        session.id, session.client, session.origin, session.created_at, session.last_used_at, session.confirmed_at, \
        session.expires_at, \(User.columns)
        """

    /// Creates the session from the fourteen `columns` of a row.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.value(0) { ID($0) }, user: try User(row, at: 7), client: try row.value(1),
            origin: Origin(try row.value(2)), createdAt: try row.value(3), lastUsedAt: try row.value(4),
            confirmedAt: try row.value(5), expiresAt: try row.value(6))
    }
}

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

extension SQLiteAccountStore {
    /// Records a login. See `AccountStore`.
    package func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws {
        try await database.write { transaction in
            _ = try transaction.admitAttempt([[place]], at: time, keeping: counters)
            try transaction.run(
                """
                INSERT INTO device (user_id, secret_hash, created_at, last_used_at) VALUES (?1, ?2, ?3, ?3)
                ON CONFLICT (user_id, secret_hash) DO UPDATE SET last_used_at = max(last_used_at, ?3)
                """,
                [.integer(user), .blob(device), Value(time)])
            try transaction.run(
                """
                DELETE FROM device WHERE user_id = ?1 AND secret_hash IN (
                    SELECT secret_hash FROM device WHERE user_id = ?1
                    ORDER BY secret_hash = ?2 DESC, last_used_at DESC LIMIT -1 OFFSET ?3)
                """,
                [.integer(user), .blob(device), Value(devices)])
        }
    }

    /// Forgets a device. See `AccountStore`.
    package func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        try await database.write { transaction in
            try transaction.run(
                "DELETE FROM device WHERE user_id = ? AND secret_hash = ?", [.integer(user), .blob(secretHash)])
        }
    }
}

extension Snapshot {
    /// Returns whether a user has logged in from a device and has used it after `time`.
    func isKnownDevice(_ secretHash: [UInt8], to username: Username, since time: Date) throws -> Bool {
        try first(
            """
            SELECT 1 FROM device JOIN user ON user.id = device.user_id
            WHERE username = ? AND secret_hash = ? AND last_used_at > ?
            """,
            [.text(username.text), .blob(secretHash), Value(time)]
        ) { _ in true } ?? false
    }
}

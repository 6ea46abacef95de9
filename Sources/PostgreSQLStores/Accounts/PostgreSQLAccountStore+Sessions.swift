package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Stores a new session. See `AccountStore`.
    package func openSession(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws
        -> Bool
    {
        let session = stored.session
        return try await audited { transaction in
            let rows = try await transaction.run([
                .opening(stored),
                Statement(
                    """
                    SELECT id, client, origin FROM session WHERE user_id = $1
                    ORDER BY id = $2 DESC, created_at DESC, last_used_at DESC OFFSET $3
                    """,
                    [.integer(session.user.id), .text(session.id.description), Value(limit)]),
            ])
            guard rows[0].affected > 0 else { return false }
            try await transaction.record(event)
            // The oldest sessions beyond the limit end, but never the new one.
            let replaced = try rows[1].map { row in
                AuditEvent(
                    .sessionReplaced, at: session.createdAt, userID: session.user.id,
                    sessionID: try row.value(0) { Session.ID($0) }, client: try row.anyText(1),
                    origin: Origin(try row.anyText(2)))
            }
            for event in replaced { try await transaction.record(event) }
            if !replaced.isEmpty {
                transaction.queue([
                    Statement(
                        "DELETE FROM session WHERE id = ANY ($1)",
                        [.texts(replaced.compactMap(\.sessionID?.description))])
                ])
            }
            return true
        }
    }

    /// Returns the session with an ID. See `AccountStore`.
    package func session(_ id: Session.ID) async throws -> StoredSession? {
        try await sessionWithPreferences(id)?.session
    }

    /// Returns the session with an ID and the preferences of its user. See `AccountStore`.
    package func sessionWithPreferences(
        _ id: Session.ID
    ) async throws -> (session: StoredSession, preferences: String??)? {
        try await server.first(
            Statement(
                """
                SELECT \(Session.columns), secret_hash, appearance FROM session
                JOIN account ON account.id = session.user_id
                LEFT JOIN account_appearance ON account_appearance.user_id = session.user_id
                WHERE session.id = $1
                """, [.text(id.description)])
        ) { row in
            (
                StoredSession(session: try Session(row), secretHash: try row.value(14)),
                .some(try row.optionalText(15))
            )
        }
    }

    /// Returns the sessions of a user. See `AccountStore`.
    package func sessions(of user: User.ID) async throws -> [Session] {
        try await server.query(
            Statement(
                """
                SELECT \(Session.columns) FROM session JOIN account ON account.id = session.user_id
                WHERE user_id = $1
                ORDER BY last_used_at DESC, session.created_at DESC, session.id
                """,
                [.integer(user)])
        ) { try Session($0) }
    }

    /// Records a use. See `AccountStore`.
    package func touchSession(_ id: Session.ID, at time: Date) async throws {
        try await server.write([
            Statement(
                "UPDATE session SET last_used_at = $1 WHERE id = $2 AND last_used_at < $1",
                [Value(time), .text(id.description)])
        ])
    }

    /// Changes a session of a user. See `AccountStore`.
    package func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent)
        async throws -> Bool
    {
        let (sql, value): (String, Value) =
            switch change {
            case .client(let client):
                ("UPDATE session SET client = $1 WHERE id = $2 AND user_id = $3", Value(anyText: client))
            case .confirmed(let time):
                ("UPDATE session SET confirmed_at = $1 WHERE id = $2 AND user_id = $3", Value(time))
            }
        return try await audited(Statement(sql, [value, .text(id.description), .integer(user)]), recording: event) > 0
    }

    /// Removes a session of a user. See `AccountStore`.
    package func endSession(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await audited(
            Statement(
                "DELETE FROM session WHERE id = $1 AND user_id = $2", [.text(id.description), .integer(user)]),
            recording: event) > 0
    }

    /// Removes every session of a user. See `AccountStore`.
    package func endSessions(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        try await audited { transaction in
            let ended = try await transaction.run([
                Statement("DELETE FROM session WHERE user_id = $1", [.integer(user)])
            ])[0].affected
            try await transaction.record(event)
            return ended
        }
    }

    /// Removes expired data. See `AccountStore`.
    package func removeExpired(
        at time: Date, idleSince: Date, eventsBefore oldest: Date, onceBefore limit: Date, recording event: AuditEvent
    ) async throws {
        // Usually nothing has expired. Look first, so that a login does not need the lock of the audit log.
        let isDue: Bool? = try await server.first(
            Statement(
                """
                SELECT EXISTS (SELECT FROM session WHERE expires_at <= $1 OR last_used_at <= $2)
                    OR coalesce((SELECT at < $3 FROM audit ORDER BY id LIMIT 1), false)
                    OR coalesce(
                        (SELECT min(applied_at) FROM applied_write) < extract(epoch FROM now())::bigint - 172800, false)
                """, [Value(time), Value(idleSince), Value(limit)])
        ) { try $0.value(0) }
        guard isDue == true else { return }
        try await audited { transaction in
            let ended = try await transaction.run([
                Statement(
                    """
                    WITH ended AS (
                        DELETE FROM session WHERE expires_at <= $1 OR last_used_at <= $2
                        RETURNING user_id, id, client, origin)
                    SELECT user_id, id, client, origin FROM ended ORDER BY id
                    """, [Value(time), Value(idleSince)]),
                LibraryServer.removeOldKeys,
            ])[0]
            for row in ended {
                try await transaction.record(
                    AuditEvent(
                        .sessionExpired, at: time, userID: try row.value(0),
                        sessionID: try row.value(1) { Session.ID($0) }, client: try row.anyText(2),
                        origin: Origin(try row.anyText(3))))
            }
            try await transaction.pruneAuditLog(before: oldest, onceBefore: limit, recording: event)
        }
    }
}

extension Statement {
    /// Stores a session, unless its user's password has changed since or the user was disabled.
    static func opening(_ stored: StoredSession) -> Statement {
        let session = stored.session
        return Statement(
            """
            INSERT INTO session (
                id, secret_hash, user_id, client, created_at, last_used_at, expires_at, origin, confirmed_at)
            SELECT $1, $2, id, $3, $4, $5, $6, $9, $10 FROM account
            WHERE id = $7 AND password_changed_at = $8 AND disabled_at IS NULL
            """,
            [
                .text(session.id.description), .bytes(stored.secretHash), Value(anyText: session.client),
                Value(session.createdAt), Value(session.lastUsedAt), Value(session.expiresAt),
                .integer(session.user.id), Value(session.user.passwordChangedAt), Value(anyText: session.origin.text),
                Value(session.confirmedAt),
            ])
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
            id: try row.value(0) { ID($0) }, user: try User(row, at: 7), client: try row.anyText(1),
            origin: Origin(try row.anyText(2)), createdAt: try row.value(3), lastUsedAt: try row.value(4),
            confirmedAt: try row.value(5), expiresAt: try row.value(6))
    }
}

extension PostgreSQLAccountStore {
    /// Records a login. See `AccountStore`.
    package func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws {
        try await server.write([
            .admittingAttempt([[place]], at: time, keeping: counters),
            Statement(
                """
                INSERT INTO device (user_id, secret_hash, created_at, last_used_at) VALUES ($1, $2, $3, $3)
                ON CONFLICT (user_id, secret_hash)
                DO UPDATE SET last_used_at = greatest(device.last_used_at, excluded.last_used_at)
                """,
                [.integer(user), .bytes(device), Value(time)]),
            Statement(
                """
                DELETE FROM device WHERE user_id = $1 AND secret_hash IN (
                    SELECT secret_hash FROM device WHERE user_id = $1
                    ORDER BY secret_hash = $2 DESC, last_used_at DESC OFFSET $3)
                """,
                [.integer(user), .bytes(device), Value(devices)]),
        ])
    }

    /// Forgets a device. See `AccountStore`.
    package func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        try await server.write([
            Statement(
                "DELETE FROM device WHERE user_id = $1 AND secret_hash = $2", [.integer(user), .bytes(secretHash)])
        ])
    }
}

package import AuthService
internal import Database
internal import Text

extension SQLiteAccountStore {
    /// Records events. See `AccountStore`.
    package func record(_ events: [AuditEvent]) async throws {
        try await database.write { transaction in
            for event in events { try transaction.record(event) }
        }
    }

    /// Returns the last events of a user. See `AccountStore`.
    package func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        try await events(matching: AuditQuery(user: user, limit: limit)).map(\.event)
    }

    /// Returns events of all users. See `AccountStore`.
    package func events(matching query: AuditQuery) async throws -> [AuditRecord] {
        let values: [Value] = [
            Value(query.user), Value(query.kind?.rawValue), Value(query.since), Value(query.until),
            Value(max(0, query.limit)),
        ]
        return try database.read { snapshot in
            try snapshot.query(query.user == nil ? Self.ofAnybody : Self.ofOne, values) { row in
                AuditRecord(id: try row.value(0), event: try AuditEvent(row, at: 1))
            }
        }
    }

    /// Scans the table backwards.
    static let ofAnybody = """
        SELECT id, event, at, user_id, session_id, client, actor, origin, detail FROM audit
        WHERE ?1 IS NULL AND (?2 IS NULL OR event = ?2) AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
        ORDER BY id DESC LIMIT ?5
        """

    /// Scans the index backwards, in the user's part.
    static let ofOne = """
        SELECT id, event, at, user_id, session_id, client, actor, origin, detail FROM audit
        WHERE user_id = ?1 AND (?2 IS NULL OR event = ?2) AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
        ORDER BY id DESC LIMIT ?5
        """

    /// Checks the log. See `AccountStore`.
    package func verifyAuditLog() async throws -> AuditFault? {
        try database.read { snapshot in
            let chain = try snapshot.first("SELECT anchor_id, anchor_hash, head_id, head_hash FROM audit_chain") {
                (
                    anchor: AuditChain.Link(id: try $0.value(0), hash: try $0.value(1)),
                    head: AuditChain.Link(id: try $0.value(2), hash: try $0.value(3))
                )
            }
            guard let chain else { return .noChain }
            var last = chain.anchor
            var fault: AuditFault?
            try snapshot.forEach(
                """
                SELECT id, hash, event, at, user_id, session_id, client, actor, origin, detail FROM audit
                WHERE id > ? ORDER BY id
                """,
                [.integer(chain.anchor.id)]
            ) { row in
                guard fault == nil else { return }
                let id: Int64 = try row.value(0)
                guard id == last.id + 1 else { return fault = .missing(last.id + 1) }
                // An unreadable row was modified.
                guard let event = try? AuditEvent(row, at: 2), let hash = try? row.value(1) as [UInt8]?,
                    AuditChain.link(event, id: id, after: last.hash).hash == hash
                else { return fault = .changed(id) }
                last = AuditChain.Link(id: id, hash: hash)
            }
            if let fault { return fault }
            if last.id < chain.head.id { return .missing(last.id + 1) }
            return last == chain.head ? nil : .changed(last.id)
        }
    }
}

extension Transaction {
    /// Removes the oldest records, if the oldest is older than `limit`.
    func pruneAuditLog(before time: Date, onceBefore limit: Date, recording event: AuditEvent) throws {
        let oldest: Date? = try first("SELECT at FROM audit ORDER BY id LIMIT 1") { try $0.value(0) }
        guard let oldest, oldest < limit else { return }
        // Remove by number and not by time: the clock may have been set back, and the chain must not have gaps.
        let kept: Int64? = try first("SELECT id FROM audit WHERE at >= ? ORDER BY id LIMIT 1", [Value(time)]) {
            try $0.value(0)
        }
        let last = try first(
            "SELECT id, hash FROM audit WHERE id < ? ORDER BY id DESC LIMIT 1", [.integer(kept ?? .max)]
        ) { (id: try $0.value(0) as Int64, hash: try $0.value(1) as [UInt8]?) }
        guard let last else { return }
        let removed = try run("DELETE FROM audit WHERE id <= ?", [.integer(last.id)])
        // Rows from before the chain existed are already before the anchor.
        if let hash = last.hash {
            try run("UPDATE audit_chain SET anchor_id = ?, anchor_hash = ?", [.integer(last.id), .blob(hash)])
        }
        var event = event
        event.detail = "\(removed)"
        try record(event)
    }
}

extension AuditEvent {
    /// Creates the event from eight columns of a row: event, at, user_id, session_id, client, actor, origin, detail.
    fileprivate init(_ row: Row, at column: Int) throws {
        let hasSession = try row.value(column + 3) as String? != nil
        self.init(
            try row.value(column) { Kind(rawValue: $0) }, at: try row.value(column + 1),
            userID: try row.value(column + 2),
            sessionID: hasSession ? try row.value(column + 3) { Session.ID($0) } : nil,
            client: try row.value(column + 4), actor: try row.value(column + 5) { Actor($0) },
            origin: try row.value(column + 6) { Origin(whole: $0) }, detail: try row.value(column + 7))
    }
}

extension Transaction {
    /// Adds an event to the log. If the event does not name a user, it is about `userID`.
    func record(_ event: AuditEvent, userID: User.ID? = nil) throws {
        let event = event.about(userID)
        let head = try first("SELECT head_id, head_hash FROM audit_chain") {
            AuditChain.Link(id: try $0.value(0), hash: try $0.value(1))
        }
        guard let head else {
            throw DatabaseError.unexpectedValue(column: 0, expected: "a row", sql: "SELECT head_id FROM audit_chain")
        }
        let link = AuditChain.link(event, id: head.id + 1, after: head.hash)
        try run(
            """
            INSERT INTO audit (id, at, event, user_id, session_id, client, actor, origin, detail, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(link.id), Value(event.at), .text(event.kind.rawValue), Value(event.userID),
                Value(event.sessionID?.description), .text(event.client), .text(event.actor.description),
                .text(event.origin.text), .text(event.detail), .blob(link.hash),
            ])
        try run("UPDATE audit_chain SET head_id = ?, head_hash = ?", [.integer(link.id), .blob(link.hash)])
    }

    /// Restarts the chain after the last row if the chain does not end there, for example because a part of the log was
    /// lost.
    ///
    /// - Throws: `DatabaseError`.
    package func renewAuditChain() throws {
        try run("INSERT OR IGNORE INTO audit_chain VALUES (1, 0, zeroblob(32), 0, zeroblob(32))")
        try run(
            """
            UPDATE audit_chain SET (anchor_id, anchor_hash, head_id, head_hash)
            = (SELECT ifnull(max(id), 0), zeroblob(32), ifnull(max(id), 0), zeroblob(32) FROM audit)
            WHERE head_id <> (SELECT ifnull(max(id), anchor_id) FROM audit)
            """)
    }
}

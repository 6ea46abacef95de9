package import AuthService
internal import PostgreSQL
internal import Text

extension PostgreSQLAccountStore {
    /// Records events. See `AccountStore`.
    package func record(_ events: [AuditEvent]) async throws {
        try await audited { transaction in
            for event in events { try await transaction.record(event) }
        }
    }

    /// Returns the last events of a user. See `AccountStore`.
    package func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        try await events(matching: AuditQuery(user: user, limit: limit)).map(\.event)
    }

    /// Returns events of all users. See `AccountStore`.
    package func events(matching query: AuditQuery) async throws -> [AuditRecord] {
        var values: [Value] = [
            Value(query.kind?.rawValue), Value(query.since), Value(query.until), Value(max(0, query.limit)),
        ]
        if let user = query.user { values.append(.integer(user)) }
        return try await server.query(Statement(query.user == nil ? Self.eventsOfAll : Self.eventsOfUser, values)) {
            AuditRecord(id: try $0.value(0), event: try AuditEvent($0, at: 1))
        }
    }

    /// Scans the table backwards.
    private static let eventsOfAll = """
        SELECT id, event, at, user_id, session_id, client, actor, origin, detail FROM audit
        WHERE ($1::text IS NULL OR event = $1) AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
        ORDER BY id DESC LIMIT $4
        """

    /// Scans the index backwards, in the user's part.
    private static let eventsOfUser = """
        SELECT id, event, at, user_id, session_id, client, actor, origin, detail FROM audit
        WHERE user_id = $5
            AND ($1::text IS NULL OR event = $1) AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
        ORDER BY id DESC LIMIT $4
        """

    /// Checks the log. See `AccountStore`.
    package func verifyAuditLog() async throws -> AuditFault? {
        // All pages are read from one snapshot: events are added, and old ones removed, in the meantime.
        try await server.read { transaction in
            let chain = try await transaction.run([
                "SELECT anchor_id, anchor_hash, head_id, head_hash FROM audit_chain"
            ])[0].first
            guard let chain else { return .noChain }
            var last = AuditChain.Link(id: try chain.value(0), hash: try chain.value(1))
            let head = AuditChain.Link(id: try chain.value(2), hash: try chain.value(3))
            while true {
                let rows = try await transaction.run([
                    Statement(
                        """
                        SELECT id, hash, event, at, user_id, session_id, client, actor, origin, detail FROM audit
                        WHERE id > $1 ORDER BY id LIMIT 1000
                        """,
                        [.integer(last.id)])
                ])[0]
                for row in rows {
                    let id: Int64 = try row.value(0)
                    guard id == last.id + 1 else { return .missing(last.id + 1) }
                    // An unreadable row was modified.
                    guard let event = try? AuditEvent(row, at: 2), let hash = try? row.value(1) as [UInt8]?,
                        AuditChain.link(event, id: id, after: last.hash).hash == hash
                    else { return .changed(id) }
                    last = AuditChain.Link(id: id, hash: hash)
                }
                if rows.isEmpty { break }
            }
            if last.id < head.id { return .missing(last.id + 1) }
            return last == head ? nil : .changed(last.id)
        }
    }
}

extension AuditedTransaction {
    /// Removes the oldest records, if the oldest is older than `limit`.
    func pruneAuditLog(before time: Date, onceBefore limit: Date, recording event: AuditEvent) async throws {
        let rows = try await run([
            "SELECT at FROM audit ORDER BY id LIMIT 1",
            // Remove by number and not by time: the clock may have been set back, and the chain must not have gaps.
            Statement(
                """
                SELECT id, hash FROM audit
                WHERE id < coalesce((SELECT id FROM audit WHERE at >= $1 ORDER BY id LIMIT 1), 9223372036854775807)
                ORDER BY id DESC LIMIT 1
                """, [Value(time)]),
        ])
        guard let oldest: Date = try rows[0].first?.value(0), oldest < limit, let last = rows[1].first else { return }
        let id: Int64 = try last.value(0)
        let removed = try await run([Statement("DELETE FROM audit WHERE id <= $1", [.integer(id)])])[0].affected
        // Rows from before the chain existed are already before the anchor.
        if let hash: [UInt8] = try last.value(1) {
            queue([
                Statement("UPDATE audit_chain SET anchor_id = $1, anchor_hash = $2", [.integer(id), .bytes(hash)])
            ])
        }
        var event = event
        event.detail = "\(removed)"
        try await record(event)
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
            client: try row.anyText(column + 4), actor: try row.text(column + 5) { Actor($0) },
            origin: try row.text(column + 6) { Origin(whole: $0) }, detail: try row.anyText(column + 7))
    }
}

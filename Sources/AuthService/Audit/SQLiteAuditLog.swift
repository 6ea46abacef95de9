public import Database

/// Events in the table `audit`.
public struct SQLiteAuditLog: AuditLog {
    private let database: Database

    /// The events of `database`.
    public init(database: Database) { self.database = database }

    /// Stores events. See `AuditLog`.
    public func record(_ events: [AuditEvent]) async throws {
        try database.write { transaction in
            for event in events { try transaction.record(event) }
        }
    }

    /// The last events of a user. See `AuditLog`.
    public func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        try database.read { snapshot in
            try snapshot.query(
                """
                SELECT event, at, user_id, session_id, client, actor, detail FROM audit
                WHERE user_id = ? ORDER BY id DESC LIMIT ?
                """,
                [.integer(user), Value(max(0, limit))]
            ) { row in
                let hasSession = try row.value(3) as String? != nil
                return AuditEvent(
                    try row.value(0) { AuditEvent.Kind(rawValue: $0) }, at: try row.value(1),
                    userID: try row.value(2), sessionID: hasSession ? try row.value(3) { Session.ID($0) } : nil,
                    client: try row.value(4), actor: try row.value(5) { AuditEvent.Actor($0) },
                    detail: try row.value(6))
            }
        }
    }
}

extension Transaction {
    /// Adds an event to the log, about `userID` where the event names nobody.
    func record(_ event: AuditEvent, userID: User.ID? = nil) throws {
        try run(
            "INSERT INTO audit (at, event, user_id, session_id, client, actor, detail) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                Value(event.at), .text(event.kind.rawValue), Value(event.userID ?? userID),
                Value(event.sessionID?.description), .text(event.client), .text(event.actor.description),
                .text(event.detail),
            ])
    }
}

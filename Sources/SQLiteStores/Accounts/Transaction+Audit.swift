import AuthService
internal import Database

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

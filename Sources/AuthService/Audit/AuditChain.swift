internal import Database
internal import Essentials

/// The hash chain of the log: each row's hash depends on the previous row.
///
/// It reveals rows that were changed or removed without recomputing the chain. An attacker who can write the database
/// can recompute it. To detect that too, store the last hash elsewhere.
enum AuditChain {
    /// The number and the hash of a row.
    struct Link: Hashable, Sendable {
        let id: Int64
        let hash: [UInt8]
    }

    /// Returns the link of an event that follows another.
    static func link(_ event: AuditEvent, id: Int64, after hash: [UInt8]) -> Link {
        var bytes = hash
        bytes.append(integer: id)
        bytes.append(integer: Int64(event.at.timeIntervalSince1970))
        for text in [
            event.kind.rawValue, event.userID.map { "\($0)" }, event.sessionID?.description, event.client,
            event.actor.description, event.origin.text, event.detail,
        ] {
            // Write the length first, so that different rows never have the same bytes. A negative length means nil.
            bytes.append(integer: text.map { Int64($0.utf8.count) } ?? -1)
            bytes += Array((text ?? "").utf8)
        }
        return Link(id: id, hash: Sodium.sha256(bytes))
    }
}

extension [UInt8] {
    /// Appends an integer as eight bytes, big-endian.
    fileprivate mutating func append(integer: Int64) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
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

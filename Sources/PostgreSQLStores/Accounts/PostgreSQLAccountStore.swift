internal import ArticleStore
internal import AuthService
internal import PostgreSQL

/// The accounts on a PostgreSQL server. See `AccountStore`.
///
/// A transaction that records an event locks the row `audit_chain` first, which admits one of them at a time. So they see
/// each other's changes, as in SQLite: of two logins at the limit of sessions, the second one sees the first.
package struct PostgreSQLAccountStore: AccountStore {
    let server: LibraryServer

    /// Creates a store on the tables of `server`.
    package init(_ server: LibraryServer) { self.server = server }
}

extension PostgreSQLAccountStore {
    /// Runs a transaction that may record events.
    func audited<T>(_ body: (AuditedTransaction) async throws -> T) async throws -> T {
        try await server.write { transaction in
            let audited = AuditedTransaction(transaction)
            let result = try await body(audited)
            audited.queueHead()
            return result
        }
    }

    /// Runs one statement, and records an event if the statement changed a row.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func audited(_ statement: Statement, recording event: AuditEvent) async throws -> Int {
        try await audited { transaction in
            let changed = try await transaction.run([statement])[0].affected
            if changed > 0 { try await transaction.record(event) }
            return changed
        }
    }
}

extension Transaction {
    /// Adds an event to the audit log.
    func record(_ event: AuditEvent) async throws {
        let audited = AuditedTransaction(self)
        try await audited.record(event)
        audited.queueHead()
    }
}

/// A transaction that may record events in the audit log. Only the task that opened it may use it.
final class AuditedTransaction {
    private let transaction: Transaction
    private var head: AuditChain.Link?
    private var hasRecorded = false

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Runs statements in one round trip, after the queued ones. The first call also locks the log.
    @discardableResult
    func run(_ statements: [Statement]) async throws -> [Rows] {
        guard head == nil else { return try await transaction.run(statements) }
        let rows = try await transaction.run([Self.lockHead] + statements)
        guard let row = rows[0].first else {
            throw StoreError(.damaged, "The audit log has no chain: the table audit_chain is empty")
        }
        head = AuditChain.Link(id: try row.value(0), hash: try row.value(1))
        return Array(rows.dropFirst())
    }

    /// Adds statements whose results are not needed.
    func queue(_ statements: [Statement]) { transaction.queue(statements) }

    /// Adds an event to the log. If the event does not name a user, it is about `userID`.
    func record(_ event: AuditEvent, userID: User.ID? = nil) async throws {
        if head == nil { try await run([]) }
        guard let last = head else { return }
        let event = event.about(userID)
        let link = AuditChain.link(event, id: last.id + 1, after: last.hash)
        queue([
            Statement(
                """
                INSERT INTO audit (id, at, event, user_id, session_id, client, actor, origin, detail, hash)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """,
                [
                    .integer(link.id), Value(event.at), .text(event.kind.rawValue), Value(event.userID),
                    Value(event.sessionID?.description), Value(anyText: event.client),
                    Value(anyText: event.actor.description), Value(anyText: event.origin.text),
                    Value(anyText: event.detail), .bytes(link.hash),
                ])
        ])
        head = link
        hasRecorded = true
    }

    /// Adds the statement that stores the end of the log, if an event was recorded.
    fileprivate func queueHead() {
        guard hasRecorded, let head else { return }
        queue([
            Statement("UPDATE audit_chain SET head_id = $1, head_hash = $2", [.integer(head.id), .bytes(head.hash)])
        ])
    }

    private static let lockHead: Statement = "SELECT head_id, head_hash FROM audit_chain FOR UPDATE"
}

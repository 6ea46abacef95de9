public import Essentials

/// A store of events that come without another change; the others are recorded by the repository of the change.
public protocol AuditLog: Sendable {
    /// Stores events, in this order and in one transaction.
    func record(_ events: [AuditEvent]) async throws

    /// The last events of a user, the latest first, at most `limit`.
    func events(of user: User.ID, limit: Int) async throws -> [AuditEvent]

    /// Events of anybody, the latest first.
    func events(matching query: AuditQuery) async throws -> [AuditRecord]

    /// The first place where the log is not as it was written; nil where there is none.
    func verify() async throws -> AuditFault?

    /// Removes the records from the first up to, and not including, the first that is not older than `time`, and records
    /// `event` with their number as its detail. Does nothing while the first of all is not older than `limit`.
    func prune(before time: Date, onceBefore limit: Date, recording event: AuditEvent) async throws
}

public import Text

/// A store for events that do not belong to another change. Other events are recorded by the repository that makes the
/// change.
public protocol AuditLog: Sendable {
    /// Records events in this order and in one transaction.
    func record(_ events: [AuditEvent]) async throws

    /// Returns the last events of a user, latest first, at most `limit`.
    func events(of user: User.ID, limit: Int) async throws -> [AuditEvent]

    /// Returns events of all users, latest first.
    func events(matching query: AuditQuery) async throws -> [AuditRecord]

    /// Returns the first place where the log was modified; nil if it is intact.
    func verify() async throws -> AuditFault?

    /// Removes the records before the first one that is not older than `time`, and records `event` with their number as
    /// its detail. It does nothing unless the oldest record is older than `limit`.
    func prune(before time: Date, onceBefore limit: Date, recording event: AuditEvent) async throws
}

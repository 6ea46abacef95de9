/// Where events are kept that come with no other change; those that do are recorded by the repository of the change.
public protocol AuditLog: Sendable {
    /// Stores events, in this order and in one transaction.
    func record(_ events: [AuditEvent]) async throws

    /// The last events of a user, the latest first, at most `limit`.
    func events(of user: User.ID, limit: Int) async throws -> [AuditEvent]
}

public import AuthService
import Synchronization

extension MemoryAccounts: AuditLog {
    /// Stores events. See `AuditLog`.
    public func record(_ events: [AuditEvent]) async throws { tables.withLock { $0.events += events } }

    /// The last events of a user. See `AuditLog`.
    public func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        tables.withLock { tables in
            Array(tables.events.reversed().lazy.filter { $0.userID == user }.prefix(max(0, limit)))
        }
    }
}

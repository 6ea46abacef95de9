public import AuthService
import Foundation
import Synchronization

extension MemoryAccounts {
    /// Stores events. See `AccountStore`.
    public func record(_ events: [AuditEvent]) async throws { tables.withLock { $0.events += events } }

    /// The last events of a user. See `AccountStore`.
    public func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] {
        try await events(matching: AuditQuery(user: user, limit: limit)).map(\.event)
    }

    /// Events of anybody. See `AccountStore`.
    public func events(matching query: AuditQuery) async throws -> [AuditRecord] {
        tables.withLock { tables in
            let records = zip((tables.pruned + 1)..., tables.events).map { AuditRecord(id: Int64($0), event: $1) }
            let matching = records.reversed().lazy.filter { record in
                (query.user.map { record.event.userID == $0 } ?? true)
                    && (query.kind.map { record.event.kind == $0 } ?? true)
                    && (query.since.map { record.event.at >= $0 } ?? true)
                    && (query.until.map { record.event.at < $0 } ?? true)
            }
            return Array(matching.prefix(max(0, query.limit)))
        }
    }

    /// Does nothing: only this engine changes the events.
    public func verifyAuditLog() async throws -> AuditFault? { nil }
}

extension MemoryAccounts.Tables {
    mutating func pruneEvents(before time: Date, onceBefore limit: Date, recording event: AuditEvent) {
        guard let first = events.first, first.at < limit else { return }
        let kept = events.firstIndex { $0.at >= time } ?? events.endIndex
        events.removeFirst(kept)
        pruned += kept
        var event = event
        event.detail = "\(kept)"
        events.append(event)
    }
}

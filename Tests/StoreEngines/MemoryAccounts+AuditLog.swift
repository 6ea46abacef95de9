public import AuthService
public import Foundation
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

    /// Removes the first records. See `AccountStore`.
    public func pruneAuditLog(before time: Date, onceBefore limit: Date, recording event: AuditEvent) async throws {
        tables.withLock { tables in
            guard let first = tables.events.first, first.at < limit else { return }
            let kept = tables.events.firstIndex { $0.at >= time } ?? tables.events.endIndex
            tables.events.removeFirst(kept)
            tables.pruned += kept
            tables.events.append(
                AuditEvent(
                    event.kind, at: event.at, userID: event.userID, sessionID: event.sessionID, client: event.client,
                    actor: event.actor, origin: event.origin, detail: "\(kept)"))
        }
    }
}

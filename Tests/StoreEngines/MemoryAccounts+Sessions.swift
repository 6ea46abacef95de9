public import AuthService
public import Foundation
internal import Synchronization

extension MemoryAccounts {
    /// Stores a new session. See `AccountStore`.
    public func openSession(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws
        -> Bool
    {
        try tables.withLock { tables in
            guard try tables.open(stored) else { return false }
            tables.events.append(event)
            let session = stored.session
            let others = tables.sessions.values.map(\.stored.session)
                .filter { $0.user.id == session.user.id && $0.id != session.id }
                .sorted { ($0.createdAt, $0.lastUsedAt) > ($1.createdAt, $1.lastUsedAt) }
            for old in others.dropFirst(limit - 1) {
                tables.sessions[old.id] = nil
                tables.events.append(
                    AuditEvent(
                        .sessionReplaced, at: session.createdAt, userID: old.user.id, sessionID: old.id,
                        client: old.client, origin: old.origin))
            }
            return true
        }
    }

    /// The session with an id. See `AccountStore`.
    public func session(_ id: Session.ID) async throws -> StoredSession? { tables.withLock { $0.session(id) } }

    /// The sessions of a user. See `AccountStore`.
    public func sessions(of user: User.ID) async throws -> [Session] {
        tables.withLock { tables in
            tables.sessions.keys.compactMap { tables.session($0)?.session }.filter { $0.user.id == user }.sorted {
                ($1.lastUsedAt, $1.createdAt, $0.id.description) < ($0.lastUsedAt, $0.createdAt, $1.id.description)
            }
        }
    }

    /// Records a use. See `AccountStore`.
    public func touchSession(_ id: Session.ID, at time: Date) async throws {
        tables.withLock { tables in
            guard let stored = tables.sessions[id]?.stored, stored.session.lastUsedAt < time else { return }
            tables.sessions[id]?.stored.session.lastUsedAt = time
        }
    }

    /// Changes a session of a user. See `AccountStore`.
    public func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent)
        async throws -> Bool
    {
        tables.withLock { tables in
            guard tables.sessions[id]?.stored.session.user.id == user else { return false }
            switch change {
            case .client(let client): tables.sessions[id]?.stored.session.client = client
            case .confirmed(let time): tables.sessions[id]?.stored.session.confirmedAt = time
            }
            tables.events.append(event)
            return true
        }
    }

    /// Removes a session of a user. See `AccountStore`.
    public func endSession(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            guard tables.sessions[id]?.stored.session.user.id == user else { return false }
            tables.sessions[id] = nil
            tables.events.append(event)
            return true
        }
    }

    /// Removes every session of a user. See `AccountStore`.
    public func endSessions(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        tables.withLock { tables in
            tables.events.append(event)
            return tables.endAll(of: user)
        }
    }

    /// Removes expired data. See `AccountStore`.
    public func removeExpired(
        at time: Date, idleSince: Date, eventsBefore oldest: Date, onceBefore limit: Date, recording event: AuditEvent
    ) async throws {
        tables.withLock { tables in
            for session in tables.sessions.values.map(\.stored.session)
            where session.expiresAt <= time || session.lastUsedAt <= idleSince {
                tables.sessions[session.id] = nil
                tables.events.append(
                    AuditEvent(
                        .sessionExpired, at: time, userID: session.user.id, sessionID: session.id,
                        client: session.client, origin: session.origin))
            }
            tables.pruneEvents(before: oldest, onceBefore: limit, recording: event)
        }
    }
}

extension MemoryAccounts {
    /// Records a login. See `AccountStore`.
    public func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices limit: Int,
        counters: Int
    ) async throws {
        tables.withLock { tables in
            _ = tables.admitAttempt([[place]], at: time, keeping: counters)
            guard var devices = tables.users[user]?.devices else { return }
            devices[device] = max(devices[device] ?? time, time)
            let others = devices.filter { $0.key != device }.sorted { $0.value > $1.value }
            for (other, _) in others.dropFirst(limit - 1) { devices[other] = nil }
            tables.users[user]?.devices = devices
        }
    }

    /// Removes a device. See `AccountStore`.
    public func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        tables.withLock { $0.users[user]?.devices[secretHash] = nil }
    }
}

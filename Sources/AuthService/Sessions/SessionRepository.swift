public import Essentials

/// A session and what is kept of its token.
public struct StoredSession: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// The SHA-256 of the secret: 32 bytes.
    public let secretHash: [UInt8]

    /// A session and the SHA-256 of its secret.
    public init(session: Session, secretHash: [UInt8]) {
        self.session = session
        self.secretHash = secretHash
    }
}

/// Where sessions are kept. Each method is one transaction, the audit event that it records included.
public protocol SessionRepository: Sendable {
    /// Stores a new session, unless its user's password has changed since `session.user` was read, or the user was
    /// disabled: otherwise a log-in with the old password, finished after the change, would outlive it.
    ///
    /// With more than `limit` sessions of the user those that began first are removed, and `sessionReplaced` is recorded for
    /// each.
    ///
    /// - Returns: whether it was stored.
    func open(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws -> Bool

    /// The session with `id`, ended by time or not, or nil when there is none.
    func find(_ id: Session.ID) async throws -> StoredSession?

    /// The sessions of a user, ended by time or not, the last used first.
    func sessions(of user: User.ID) async throws -> [Session]

    /// Notes that a session was used at `time`, unless a later use is known.
    func touch(_ id: Session.ID, at time: Date) async throws

    /// Changes a session of `user`.
    ///
    /// - Returns: whether there is such a session; when not, nothing is recorded.
    func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws
        -> Bool

    /// Removes a session of `user`.
    ///
    /// - Returns: whether there was one; when not, nothing is recorded.
    func end(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Removes every session of a user.
    ///
    /// - Returns: how many there were.
    func endAll(of user: User.ID, recording event: AuditEvent) async throws -> Int

    /// Removes every session that ended by `time` or was not used after `idleSince`, and records `sessionExpired` for
    /// each.
    func endExpired(at time: Date, idleSince: Date) async throws
}

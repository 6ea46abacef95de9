public import Text

/// A session with the hash of its token's secret.
public struct StoredSession: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// The SHA-256 of the secret: 32 bytes.
    public let secretHash: [UInt8]

    /// Creates a stored session.
    public init(session: Session, secretHash: [UInt8]) {
        self.session = session
        self.secretHash = secretHash
    }
}

/// A store of sessions. Each method is one transaction, which includes the audit event that it records.
public protocol SessionRepository: Sendable {
    /// Stores a new session. It does nothing if the user's password has changed since `session.user` was read, or the
    /// user was disabled. Otherwise a log-in with the old password that finishes after the change would outlive it.
    ///
    /// If the user has more than `limit` sessions, the oldest are removed, and `sessionReplaced` is recorded for each.
    ///
    /// - Returns: whether it was stored.
    func open(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws -> Bool

    /// Returns the session with `id`, even if it has expired, or nil if it does not exist.
    func find(_ id: Session.ID) async throws -> StoredSession?

    /// Returns the sessions of a user, including expired ones, the most recently used first.
    func sessions(of user: User.ID) async throws -> [Session]

    /// Records that a session was used at `time`, unless a later use is known.
    func touch(_ id: Session.ID, at time: Date) async throws

    /// Changes a session of `user`.
    ///
    /// - Returns: whether the session exists. If not, nothing is recorded.
    func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws
        -> Bool

    /// Removes a session of `user`.
    ///
    /// - Returns: whether the session existed. If not, nothing is recorded.
    func end(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Removes all sessions of a user.
    ///
    /// - Returns: the number of removed sessions.
    func endAll(of user: User.ID, recording event: AuditEvent) async throws -> Int

    /// Removes all sessions that have expired by `time` or were not used after `idleSince`, and records
    /// `sessionExpired` for each.
    func endExpired(at time: Date, idleSince: Date) async throws
}

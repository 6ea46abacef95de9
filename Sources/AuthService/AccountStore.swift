public import Text

/// A store of accounts and of everything that belongs to them: sessions, API tokens, second factors, devices, feed
/// addresses, counters of failed attempts, and the audit log.
///
/// Each method is one transaction, which includes the audit event that it records. Deleting a user deletes everything that
/// belongs to the user. All implementations follow the same rules, which a shared test suite checks.
///
/// - **Users**: `createUser(username:region:passwordHash:invitation:recording:)`, `users()`, `account(named:)`,
///   `changePassword(of:to:opening:recording:)`, `resetPassword(of:by:to:recording:)`.
/// - **Credentials**: sessions, API tokens, second factors, devices, and the secrets of feed addresses.
/// - **Protection**: `admitAttempt(_:at:keeping:)` and the audit log.
public protocol AccountStore: Sendable {
    /// Creates an account at the time of `event`, which is recorded with the ID of the new user. IDs are never reused.
    /// The first user of all becomes an operator, others become readers.
    ///
    /// If the policy requires an invitation, it is checked by the SHA-256 of its code and removed.
    ///
    /// - Throws: `AuthError.usernameTaken`, also if two users request a name at the same time; `registrationClosed`;
    ///   `invalidCode` if a required invitation does not exist or has expired by the time of `event`.
    func createUser(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User

    /// Returns the rule for registration. By default, everybody may register.
    func registrationPolicy() async throws -> RegistrationPolicy

    /// Sets the rule for registration.
    func setRegistrationPolicy(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws

    /// Stores the SHA-256 of an invitation code until `end`. It also removes codes that have expired by the time of
    /// `event`.
    func addInvitation(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws

    /// Returns all users, sorted by name.
    func users() async throws -> [User]

    /// Returns the account with a name, or nil if it does not exist.
    func account(named username: Username) async throws -> StoredUser?

    /// Replaces the hash of an account with another hash of the same password, unless the hash is no longer that of
    /// `account`. In that case nothing is changed or recorded. Sessions stay open.
    func rehash(_ account: StoredUser, to passwordHash: PasswordHash, recording event: AuditEvent) async throws

    /// Sets a new password, ends all sessions and API tokens of the user, removes the reset code and the feed address,
    /// and opens `session`, whose user has the new `passwordChangedAt`. It does nothing if the password was changed
    /// since `user` was read.
    ///
    /// - Returns: whether the password was changed. If not, nothing is recorded.
    func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool

    /// Applies all changes to a user, or none.
    ///
    /// - Parameters:
    ///   - changes: the changes in order, each with the event to record.
    ///   - user: the user to change.
    /// - Returns: whether the user exists. If not, nothing is recorded.
    /// - Throws: `AuthError.usernameTaken`; `lastOperator` if other users would remain without an operator who can log
    ///   in.
    func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool

    /// Stores the SHA-256 of a code with which a user can choose a new password until `end`. It replaces the previous
    /// code of the user. Codes that have expired by the time of `event` are removed.
    ///
    /// - Returns: whether the user exists. If not, nothing is recorded.
    func addResetCode(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent) async throws
        -> Bool

    /// Returns the user who can choose a new password with a code at `time`; nil if the code is unknown or has expired.
    func user(resetting codeHash: [UInt8], at time: Date) async throws -> User?

    /// Sets a new password, removes the code and the feed address, and ends all sessions and API tokens of the user. The new
    /// `passwordChangedAt` is the time of `event`, or 1 s after the previous one if that is later. The method does
    /// nothing if the code was removed or has expired.
    ///
    /// - Returns: whether the password was changed. If not, nothing is recorded.
    func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool

    /// Stores a new session. It does nothing if the user's password has changed since `session.user` was read, or the
    /// user was disabled. Otherwise a login with the old password that finishes after the change would outlive it.
    ///
    /// If the user has more than `limit` sessions, the oldest are removed, and `sessionReplaced` is recorded for each.
    ///
    /// - Returns: whether it was stored.
    func openSession(_ stored: StoredSession, keeping limit: Int, recording event: AuditEvent) async throws -> Bool

    /// Returns the session with `id`, even if it has expired, or nil if it does not exist.
    func session(_ id: Session.ID) async throws -> StoredSession?

    /// Returns the session as ``session(_:)`` does, with the preferences that a front has saved for its user.
    ///
    /// - Returns: the session and the preferences. The outer nil of the preferences means that this implementation does not read
    ///   them together, the inner one that there are none.
    func sessionWithPreferences(_ id: Session.ID) async throws -> (session: StoredSession, preferences: String??)?

    /// Returns the sessions of a user, including expired ones, the most recently used first.
    func sessions(of user: User.ID) async throws -> [Session]

    /// Records that a session was used at `time`, unless a later use is known.
    func touchSession(_ id: Session.ID, at time: Date) async throws

    /// Changes a session of `user`.
    ///
    /// - Returns: whether the session exists. If not, nothing is recorded.
    func change(_ change: SessionChange, of id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws
        -> Bool

    /// Removes a session of `user`.
    ///
    /// - Returns: whether the session existed. If not, nothing is recorded.
    func endSession(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Removes all sessions of a user.
    ///
    /// - Returns: the number of removed sessions.
    func endSessions(of user: User.ID, recording event: AuditEvent) async throws -> Int

    /// Removes the expired data of all users in one transaction, if there is any:
    ///
    /// - Sessions that have expired by `time` or were not used after `idleSince`, with an event `sessionExpired` for
    ///   each.
    /// - The audit records before the first one that is not older than `oldest`, but only if the oldest record is older
    ///   than `limit`. Then it records `event` with their number as its detail.
    func removeExpired(
        at time: Date, idleSince: Date, eventsBefore oldest: Date, onceBefore limit: Date, recording event: AuditEvent
    ) async throws

    /// Stores a new token. It does nothing if the user's password has changed since `stored.user` was read, or the user
    /// was disabled. A user may have `limit` tokens, including expired ones.
    ///
    /// - Returns: whether it was stored. If not, nothing is recorded.
    /// - Throws: `AuthError.tokenNameTaken` if the user has a token with the name; `tooManyTokens`.
    func createToken(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool

    /// Returns the token with `id`, even if it has expired, or nil if it does not exist.
    func token(_ id: Session.ID) async throws -> StoredAPIToken?

    /// Returns the tokens of a user, including expired ones, sorted by name.
    func tokens(of user: User.ID) async throws -> [APIToken]

    /// Records that a token was used at `time`, unless a later use is known.
    func touchToken(_ id: Session.ID, at time: Date) async throws

    /// Removes a token of `user`.
    ///
    /// - Returns: whether the token existed. If not, nothing is recorded.
    func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Returns the second factor of a user; nil if there is none.
    func secondFactor(of user: User.ID) async throws -> StoredSecondFactor?

    /// Stores a second factor with the SHA-256 of each recovery code, at the time of `event`. It does nothing if the
    /// user already has a second factor, the password has changed since `user` was read, or the user was disabled. The
    /// step is the time step of the code that the user entered, so that the code cannot be used again.
    ///
    /// - Returns: whether it was stored. If not, nothing is recorded.
    func addSecondFactor(
        _ secret: TOTPSecret, step: Int64, recoveryCodes: [[UInt8]], to user: User, recording event: AuditEvent
    ) async throws -> Bool

    /// Records that the code of a time step was used. It does nothing if a code of this or a later step was used, or
    /// the user has another secret or none.
    ///
    /// - Returns: whether it was recorded. If several calls use the same code at once, it is true for one of them.
    func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool

    /// Removes a used recovery code, by its SHA-256.
    ///
    /// - Returns: whether the user had the code. If not, nothing is recorded.
    func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Replaces the recovery codes, which are given by their SHA-256.
    ///
    /// - Returns: whether the user has a second factor. If not, nothing is recorded.
    func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent) async throws
        -> Bool

    /// Removes the second factor of a user with its recovery codes.
    ///
    /// - Returns: whether there was one. If not, nothing is recorded.
    func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Returns the facts by which a login is throttled, all from one state of the store. It changes nothing.
    ///
    /// - Parameters:
    ///   - username: the name to log in to. It need not exist.
    ///   - device: the SHA-256 of the device's secret, if there is one: 32 bytes.
    ///   - since: the time after which the device must have been used.
    ///   - counters: the counters of the caller.
    ///   - now: the time of the attempt.
    /// - Returns: whether the user has logged in from the device, and the failures of each counter that still count.
    func logInHistory(
        of username: Username, device: [UInt8]?, usedAfter since: Date, counters: [AttemptCounter], at now: Date
    ) async throws -> (isKnownDevice: Bool, counts: [Int])

    /// Checks an attempt with the rules of all counters, in one transaction, so that parallel attempts are admitted no
    /// more often than sequential ones.
    ///
    /// The groups are decided in order. If all counters of a group admit the attempt, it counts as a failure in each of
    /// them. If a rule refuses it, nothing is counted in this group, and the groups after it are not decided.
    ///
    /// Expired counters are removed. If there are more than `limit`, those that expire first are removed.
    ///
    /// - Parameters:
    ///   - groups: the counters of the attempt.
    ///   - now: the time of the attempt.
    ///   - limit: the maximum number of stored counters.
    /// - Returns: the decision of each group up to the first refusal.
    func admitAttempt(_ groups: [[AttemptCounter]], at now: Date, keeping limit: Int) async throws -> [AttemptDecision]

    /// Removes a successful attempt from the failures of `counters`, by their rules.
    func recordSuccess(_ counters: [AttemptCounter]) async throws

    /// Removes an admitted attempt that could not be carried out. It does not count as a failure, and the next attempt
    /// is admitted as if this one had not been made.
    func withdrawAttempt(_ counters: [AttemptCounter]) async throws

    /// Records that a user logged in, so that the device and the origin are known from now on.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - device: the SHA-256 of the device's secret: 32 bytes.
    ///   - place: the counter that marks the origin. It is counted like that of an attempt.
    ///   - time: the time of the login.
    ///   - devices: the maximum number of devices. If the user has more, the least recently used are forgotten.
    ///   - counters: the maximum number of stored counters.
    func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws

    /// Forgets a device of a user.
    func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws

    /// Stores the SHA-256 of a secret in place of the previous one, and records the event.
    func saveFeedSecret(_ secretHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws

    /// Removes the secret of a user.
    ///
    /// - Returns: whether there was one. If not, nothing is recorded.
    func removeFeedSecret(of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Returns the creation date of a user's secret; nil if there is none.
    func feedSecretDate(of user: User.ID) async throws -> Date?

    /// Returns the user with a secret; nil if it is unknown.
    func user(withFeedSecret secretHash: [UInt8]) async throws -> User?

    /// Records events in this order and in one transaction.
    func record(_ events: [AuditEvent]) async throws

    /// Returns the last events of a user, latest first, at most `limit`.
    func events(of user: User.ID, limit: Int) async throws -> [AuditEvent]

    /// Returns events of all users, latest first.
    func events(matching query: AuditQuery) async throws -> [AuditRecord]

    /// Returns the first place where the log was modified; nil if it is intact.
    func verifyAuditLog() async throws -> AuditFault?
}

extension AccountStore {
    /// Returns the session without preferences. This default is for implementations on this machine, where calls are cheap.
    public func sessionWithPreferences(
        _ id: Session.ID
    ) async throws -> (session: StoredSession, preferences: String??)? {
        try await session(id).map { ($0, nil) }
    }

    /// Applies one change to a user. See ``change(_:of:)``.
    public func change(_ change: UserChange, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await self.change([(change, event)], of: user)
    }

    /// Checks an attempt with one group of counters. See ``admitAttempt(_:at:keeping:)``.
    public func admitAttempt(_ counters: [AttemptCounter], at now: Date, keeping limit: Int) async throws
        -> AttemptDecision
    {
        try await admitAttempt([counters], at: now, keeping: limit).first ?? .admitted(failures: [])
    }
}

/// A user with the hash of the password.
public struct StoredUser: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The hash of the password.
    public let passwordHash: PasswordHash

    /// Creates a stored user.
    public init(user: User, passwordHash: PasswordHash) {
        self.user = user
        self.passwordHash = passwordHash
    }
}

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

/// An API token with its user and the hash of its secret.
public struct StoredAPIToken: Hashable, Sendable {
    /// The token.
    public let token: APIToken
    /// The user.
    public let user: User
    /// The SHA-256 of the secret: 32 bytes.
    public let secretHash: [UInt8]

    /// Creates a stored token.
    public init(token: APIToken, user: User, secretHash: [UInt8]) {
        self.token = token
        self.user = user
        self.secretHash = secretHash
    }
}

/// A second factor with the data to verify codes.
public struct StoredSecondFactor: Sendable {
    /// The public facts about it.
    public let factor: SecondFactor
    /// The secret from which codes are computed.
    public let secret: TOTPSecret
    /// The time step of the last accepted code; see `AccountStore.use(step:of:by:)`.
    public let lastStep: Int64

    /// Creates a stored second factor.
    public init(factor: SecondFactor, secret: TOTPSecret, lastStep: Int64) {
        self.factor = factor
        self.secret = secret
        self.lastStep = lastStep
    }
}

/// A change of an account other than the password.
public enum UserChange: Hashable, Sendable {
    /// A new role.
    case role(Role)
    /// The account is disabled since this time and its sessions end, or it is enabled again if the time is nil.
    case disabled(since: Date?)
    /// A new username.
    case username(Username)
    /// A new region.
    case region(Region)
    /// The account is deleted with its sessions and data, except for the audit log.
    case deletion
}

/// A change of a session.
public enum SessionChange: Hashable, Sendable {
    /// A new name.
    case client(String)
    /// The password was confirmed at this time.
    case confirmed(at: Date)
}

public import Text

/// A user with the hash of the password.
public struct Account: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The hash of the password.
    public let passwordHash: PasswordHash

    /// Creates an account.
    public init(user: User, passwordHash: PasswordHash) {
        self.user = user
        self.passwordHash = passwordHash
    }
}

/// A store of accounts. Each method is one transaction, which includes the audit event that it records.
public protocol UserRepository: Sendable {
    /// Creates an account at the time of `event`, which is recorded with the ID of the new user. IDs are never reused.
    /// The first user of all becomes an operator, others become readers.
    ///
    /// If the policy requires an invitation, it is checked by the SHA-256 of its code and removed.
    ///
    /// - Throws: `AuthError.usernameTaken`, also if two users request a name at the same time; `registrationClosed`;
    ///   `invalidCode` if a required invitation does not exist or has expired by the time of `event`.
    func insert(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User

    /// Returns the rule for registration. By default, everybody may register.
    func registration() async throws -> RegistrationPolicy

    /// Sets the rule for registration.
    func setRegistration(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws

    /// Stores the SHA-256 of an invitation code until `end`. It also removes codes that have expired by the time of
    /// `event`.
    func invite(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws

    /// Returns all users, sorted by name.
    func users() async throws -> [User]

    /// Returns the account with a name, or nil if it does not exist.
    func account(named username: Username) async throws -> Account?

    /// Replaces the hash of an account with another hash of the same password, unless the hash is no longer that of
    /// `account`. In that case nothing is changed or recorded. Sessions stay open.
    func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws

    /// Sets a new password, ends all sessions and API tokens of the user, removes the reset code, and opens `session`,
    /// whose user has the new `passwordChangedAt`. It does nothing if the password was changed since `user` was read.
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
    func issueReset(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent) async throws
        -> Bool

    /// Returns the user who can choose a new password with a code at `time`; nil if the code is unknown or has expired.
    func user(resetting codeHash: [UInt8], at time: Date) async throws -> User?

    /// Sets a new password, removes the code, and ends all sessions and API tokens of the user. The new
    /// `passwordChangedAt` is the time of `event`, or 1 s after the previous one if that is later. The method does
    /// nothing if the code was removed or has expired.
    ///
    /// - Returns: whether the password was changed. If not, nothing is recorded.
    func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool
}

extension UserRepository {
    /// Applies one change to a user. See ``change(_:of:)``.
    public func change(_ change: UserChange, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await self.change([(change, event)], of: user)
    }
}

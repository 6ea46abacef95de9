public import Essentials

/// A user and what is kept of the password.
public struct Account: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The hash of the password.
    public let passwordHash: PasswordHash

    /// A user and the hash of the password.
    public init(user: User, passwordHash: PasswordHash) {
        self.user = user
        self.passwordHash = passwordHash
    }
}

/// A store of accounts. Each method is one transaction, which includes the audit event that it records.
public protocol UserRepository: Sendable {
    /// Makes an account, created at the time of `event`, which is recorded with the id of the new user. Its id has been
    /// nobody's. The first user of all is an operator, every other one a reader.
    ///
    /// An invitation, by the SHA-256 of its code, is looked at, and used up, where the policy asks for one.
    ///
    /// - Throws: `AuthError.usernameTaken`, also when two ask for one name at the same time; `registrationClosed`;
    ///   `invalidCode` where an invitation is needed that is not kept, or has ended by the time of `event`.
    func insert(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User

    /// The present rule for registration; by default everybody may register.
    func registration() async throws -> RegistrationPolicy

    /// Says who may make an account.
    func setRegistration(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws

    /// Keeps the SHA-256 of the code of an invitation until `end`. Codes that ended by the time of `event` are removed.
    func invite(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws

    /// All users, by name.
    func users() async throws -> [User]

    /// The account with a name, or nil when there is none.
    func account(named username: Username) async throws -> Account?

    /// Replaces the hash of an account by another one of the same password, unless the hash is no longer the one of
    /// `account`; then nothing is changed or recorded. Sessions stay.
    func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws

    /// Gives a user a new password, ends all their sessions and API tokens and the code of a reset, and opens `session`, whose user carries the new
    /// `passwordChangedAt`, unless the password was changed since `user` was read.
    ///
    /// - Returns: whether it was changed; when not, nothing is recorded.
    func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool

    /// Changes a user, in all of these ways or in none.
    ///
    /// - Parameters:
    ///   - changes: what becomes of the account, one after the other, each with the event that is recorded of it.
    ///   - user: whose account it is.
    /// - Returns: whether there is such a user; when not, nothing is recorded.
    /// - Throws: `AuthError.usernameTaken`; `lastOperator` when users would be left of whom none is an operator who can
    ///   log in.
    func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool

    /// Keeps the SHA-256 of a code by which a user can choose another password until `end`, in the place of the one
    /// before. Codes that ended by the time of `event` are removed.
    ///
    /// - Returns: whether there is such a user; when not, nothing is recorded.
    func issueReset(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent) async throws
        -> Bool

    /// The user who can choose another password with a code at `time`; nil if the code is unknown or has expired.
    func user(resetting codeHash: [UInt8], at time: Date) async throws -> User?

    /// Gives a user a new password at the time of `event`, later than the one before, removes the code, and ends all their
    /// sessions and API tokens, unless the code is not kept any more or has ended.
    ///
    /// - Returns: whether it was done; when not, nothing is recorded.
    func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool
}

extension UserRepository {
    /// Changes a user in one way. See ``change(_:of:)``.
    public func change(_ change: UserChange, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        try await self.change([(change, event)], of: user)
    }
}

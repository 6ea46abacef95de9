/// A second factor and what is kept to check codes by.
public struct StoredSecondFactor: Sendable {
    /// What there is to know of it.
    public let factor: SecondFactor
    /// What codes are made of.
    public let secret: TOTPSecret
    /// The time step of the last code that was taken; see `SecondFactorRepository.use(step:of:by:)`.
    public let lastStep: Int64

    /// A second factor, its secret and the step of its last code.
    public init(factor: SecondFactor, secret: TOTPSecret, lastStep: Int64) {
        self.factor = factor
        self.secret = secret
        self.lastStep = lastStep
    }
}

/// Where second factors are kept, one of a user at most. Each method is one transaction, the audit event that it records
/// included. A second factor goes with its user, and with nothing else.
public protocol SecondFactorRepository: Sendable {
    /// The second factor of a user; nil when there is none.
    func secondFactor(of user: User.ID) async throws -> StoredSecondFactor?

    /// Stores a second factor, with the SHA-256 of each of its recovery codes, since the time of `event`, unless the user has
    /// one, the password has changed since `user` was read, or the user was disabled. The step is that of the code which has
    /// shown that the user has the secret.
    ///
    /// - Returns: whether it was stored; when not, nothing is recorded.
    func addSecondFactor(
        _ secret: TOTPSecret, step: Int64, recoveryCodes: [[UInt8]], to user: User, recording event: AuditEvent
    ) async throws -> Bool

    /// Notes that the code of a time step was taken, unless one of that step or of a later one was, or the user has another
    /// secret or none.
    ///
    /// - Returns: whether it was noted: of many at once with the same code, for one.
    func use(step: Int64, of user: User.ID, by secret: TOTPSecret) async throws -> Bool

    /// Uses a recovery code up, by its SHA-256.
    ///
    /// - Returns: whether the user had it; when not, nothing is recorded.
    func use(recoveryCode codeHash: [UInt8], of user: User.ID, recording event: AuditEvent) async throws -> Bool

    /// Keeps recovery codes, by the SHA-256 of each, in the place of those before.
    ///
    /// - Returns: whether the user has a second factor; when not, nothing is recorded.
    func replaceRecoveryCodes(of user: User.ID, by codeHashes: [[UInt8]], recording event: AuditEvent) async throws
        -> Bool

    /// Removes the second factor of a user, with its recovery codes.
    ///
    /// - Returns: whether there was one; when not, nothing is recorded.
    func removeSecondFactor(of user: User.ID, recording event: AuditEvent) async throws -> Bool
}

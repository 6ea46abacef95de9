/// A second factor with the data to verify codes.
public struct StoredSecondFactor: Sendable {
    /// The public facts about it.
    public let factor: SecondFactor
    /// The secret from which codes are computed.
    public let secret: TOTPSecret
    /// The time step of the last accepted code; see `SecondFactorRepository.use(step:of:by:)`.
    public let lastStep: Int64

    /// Creates a stored second factor.
    public init(factor: SecondFactor, secret: TOTPSecret, lastStep: Int64) {
        self.factor = factor
        self.secret = secret
        self.lastStep = lastStep
    }
}

/// A store of second factors, at most one per user. Each method is one transaction, which includes the audit event that
/// it records. A second factor is deleted only with its user or explicitly.
public protocol SecondFactorRepository: Sendable {
    /// Returns the second factor of a user; nil if there is none.
    func secondFactor(of user: User.ID) async throws -> StoredSecondFactor?

    /// Stores a second factor with the SHA-256 of each recovery code, at the time of `event`. It does nothing if the
    /// user already has a second factor, the password has changed since `user` was read, or the user was disabled. The
    /// step is that of the code with which the user proved to have the secret.
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
}

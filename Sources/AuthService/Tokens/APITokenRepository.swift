public import Essentials

/// An API token, whose it is, and what is kept of it.
public struct StoredAPIToken: Hashable, Sendable {
    /// The token.
    public let token: APIToken
    /// Whose it is.
    public let user: User
    /// The SHA-256 of the secret: 32 bytes.
    public let secretHash: [UInt8]

    /// A token of a user and the SHA-256 of its secret.
    public init(token: APIToken, user: User, secretHash: [UInt8]) {
        self.token = token
        self.user = user
        self.secretHash = secretHash
    }
}

/// Where API tokens are kept. Each method is one transaction, the audit event that it records included. A token goes with its
/// user, and when the password of its user changes.
public protocol APITokenRepository: Sendable {
    /// Stores a new token, unless its user's password has changed since `stored.user` was read, or the user was disabled.
    /// A user may have `limit` of them, those that have ended included.
    ///
    /// - Returns: whether it was stored; when not, nothing is recorded.
    /// - Throws: `AuthError.tokenNameTaken` when the user has one of the name; `tooManyTokens`.
    func insert(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool

    /// The token with `id`, ended by time or not, or nil when there is none.
    func findToken(_ id: Session.ID) async throws -> StoredAPIToken?

    /// The tokens of a user, ended by time or not, by name.
    func tokens(of user: User.ID) async throws -> [APIToken]

    /// Notes that a token was used at `time`, unless a later use is known.
    func touchToken(_ id: Session.ID, at time: Date) async throws

    /// Removes a token of `user`.
    ///
    /// - Returns: whether there was one; when not, nothing is recorded.
    func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool
}

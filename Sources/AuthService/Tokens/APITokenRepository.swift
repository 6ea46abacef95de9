public import Text

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

/// A store of API tokens. Each method is one transaction, which includes the audit event that it records. A token is
/// deleted with its user, and when the user's password changes.
public protocol APITokenRepository: Sendable {
    /// Stores a new token. It does nothing if the user's password has changed since `stored.user` was read, or the user
    /// was disabled. A user may have `limit` tokens, including expired ones.
    ///
    /// - Returns: whether it was stored. If not, nothing is recorded.
    /// - Throws: `AuthError.tokenNameTaken` if the user has a token with the name; `tooManyTokens`.
    func insert(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool

    /// Returns the token with `id`, even if it has expired, or nil if it does not exist.
    func findToken(_ id: Session.ID) async throws -> StoredAPIToken?

    /// Returns the tokens of a user, including expired ones, sorted by name.
    func tokens(of user: User.ID) async throws -> [APIToken]

    /// Records that a token was used at `time`, unless a later use is known.
    func touchToken(_ id: Session.ID, at time: Date) async throws

    /// Removes a token of `user`.
    ///
    /// - Returns: whether the token existed. If not, nothing is recorded.
    func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool
}

public import Text

/// The addresses at which users' lists are available as feeds, for programs that accept only an address.
///
/// The secret in an address becomes invalid when a new one is created, when it is removed, when the password changes,
/// and when the database is restored from a backup.
extension AuthService {
    /// Creates a new secret for the user of `token`, which must be the token of a login. It replaces the previous one.
    ///
    /// - Returns: the secret, which cannot be retrieved later.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`.
    public func renewFeedAddress(token: SessionToken) async throws -> FeedSecret {
        let session = try await confirmedSession(for: token)
        let secret = FeedSecret(randomBytes: randomBytes)
        try await store.saveFeedSecret(
            secret.hash, of: session.user.id, recording: event(.feedAddressMade, in: session))
        return secret
    }

    /// Removes the secret of the user of `token`, which must be the token of a login.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    @discardableResult
    public func removeFeedAddress(token: SessionToken) async throws -> Bool {
        let session = try await interactiveSession(for: token)
        return try await store.removeFeedSecret(
            of: session.user.id, recording: event(.feedAddressRemoved, in: session))
    }

    /// Returns the creation date of the secret of the user of `token`; nil if there is none.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    public func feedAddressDate(token: SessionToken) async throws -> Date? {
        try await store.feedSecretDate(of: try await interactiveSession(for: token).user.id)
    }

    /// Returns the user of a secret; nil if the secret is unknown or the user is disabled.
    public func user(of secret: FeedSecret) async throws -> User? {
        guard let user = try await store.user(withFeedSecret: secret.hash), user.disabledAt == nil else { return nil }
        return user
    }
}

/// The secret in the addresses of a user's feeds. It permits reading the articles that the user may read, and nothing
/// else.
///
/// Only ``text`` reveals it.
public struct FeedSecret: Sendable, Redacted {
    private let secret: RandomSecret

    /// Parses a secret; nil if the text is invalid.
    public init?(_ text: String) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    init(randomBytes: (Int) -> [UInt8]) { secret = RandomSecret(randomBytes: randomBytes) }

    /// The text for an address: 43 characters of base64url.
    public var text: String { secret.text }

    /// The hash that is stored to recognize the secret.
    var hash: [UInt8] { secret.hash }
}

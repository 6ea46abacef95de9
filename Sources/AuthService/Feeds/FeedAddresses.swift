public import Text

/// The addresses at which users' lists are available as feeds, for programs that accept only an address.
///
/// The secret in an address becomes invalid when a new one is created, when it is removed, when the password changes,
/// and when the database is restored from a backup.
public struct FeedAddresses: Sendable {
    private let auth: AuthService
    private let repository: any FeedAddressRepository

    /// Creates feed addresses for the users of a service.
    public init(auth: AuthService, repository: any FeedAddressRepository) {
        (self.auth, self.repository) = (auth, repository)
    }

    /// Creates a new secret for the user of `token`, which must be the token of a log-in. It replaces the previous one.
    ///
    /// - Returns: the secret, which cannot be retrieved later.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`, `passwordNeeded`.
    public func renew(token: SessionToken) async throws -> FeedSecret {
        let session = try await auth.confirmed(token)
        let secret = FeedSecret(randomBytes: auth.randomBytes)
        try await repository.put(
            secret.hash, of: session.user.id, recording: auth.event(.feedAddressMade, in: session))
        return secret
    }

    /// Removes the secret of the user of `token`, which must be the token of a log-in.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`.
    @discardableResult
    public func remove(token: SessionToken) async throws -> Bool {
        let session = try await auth.loggedIn(token)
        return try await repository.removeFeedAddress(
            of: session.user.id, recording: auth.event(.feedAddressRemoved, in: session))
    }

    /// Returns the creation date of the secret of the user of `token`; nil if there is none.
    ///
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`.
    public func date(token: SessionToken) async throws -> Date? {
        try await repository.feedAddressDate(of: try await auth.loggedIn(token).user.id)
    }

    /// Returns the user of a secret; nil if the secret is unknown or the user is disabled.
    public func reader(_ secret: FeedSecret) async throws -> User? {
        guard let user = try await repository.user(withFeedSecret: secret.hash), user.disabledAt == nil else {
            return nil
        }
        return user
    }
}

public import Database
public import Essentials

/// The addresses at which users have their lists as feeds: for programs that can be given an address and nothing else.
///
/// The secret in them ends when another is made, when it is removed, when the password changes, and where the database comes back
/// from a backup.
public struct FeedAddresses: Sendable {
    private let auth: AuthService
    private let repository: any FeedAddressRepository

    /// Addresses of the users of a service.
    public init(auth: AuthService, repository: any FeedAddressRepository) {
        (self.auth, self.repository) = (auth, repository)
    }

    /// Addresses of the users of a service, in the table of `database`.
    public init(auth: AuthService, database: Database) {
        self.init(auth: auth, repository: SQLiteFeedAddressRepository(database: database))
    }

    /// Makes a secret for who holds `token`, which must be that of a log-in, in the place of the one before.
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

    /// Forgets the secret of who holds `token`, which must be that of a log-in.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`.
    @discardableResult
    public func remove(token: SessionToken) async throws -> Bool {
        let session = try await auth.loggedIn(token)
        return try await repository.removeFeedAddress(
            of: session.user.id, recording: auth.event(.feedAddressRemoved, in: session))
    }

    /// Since when who holds `token` has a secret; nil without one.
    ///
    /// - Throws: `AuthError.notSignedIn`, `outOfScope`.
    public func date(token: SessionToken) async throws -> Date? {
        try await repository.feedAddressDate(of: try await auth.loggedIn(token).user.id)
    }

    /// Whose secret it is; nil where it is nobody's, or that of somebody who may not come in.
    public func reader(_ secret: FeedSecret) async throws -> User? {
        guard let user = try await repository.user(withFeedSecret: secret.hash), user.disabledAt == nil else {
            return nil
        }
        return user
    }
}

public import Text

/// API tokens.
extension AuthService {
    /// Creates an API token for the user of `token`, which must be the token of a login. The API token ends when it is
    /// revoked, when it expires, and when the password changes. It is refused while its user is disabled.
    ///
    /// - Parameters:
    ///   - name: the name, which must be unique among the user's tokens.
    ///   - scope: the scope.
    ///   - lifetime: the lifetime in seconds, at most `AccountPolicy.tokenLifetime`.
    ///   - token: the token of a login of the user.
    /// - Returns: the stored record, and the token itself, which cannot be retrieved later.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`, `passwordNeeded`, `invalidName`, `invalidTokenLifetime`,
    ///   `tokenNameTaken`, `tooManyTokens`.
    public func createToken(named name: String, scope: APIToken.Scope, lifetime: TimeInterval, token: SessionToken)
        async throws -> (APIToken, SessionToken)
    {
        let session = try await confirmedSession(for: token)
        guard let name = ShownName.checked(name) else { throw AuthError.invalidName }
        guard lifetime >= 1, lifetime <= accountPolicy.tokenLifetime else {
            throw AuthError.invalidTokenLifetime(longest: accountPolicy.tokenLifetime)
        }
        let (secret, now) = (SessionToken(randomBytes: randomBytes, isAPIToken: true), now)
        let made = APIToken(
            id: secret.sessionID, name: name, scope: scope, createdAt: now, expiresAt: now.addingTimeInterval(lifetime))
        let stored = StoredAPIToken(token: made, user: session.user, secretHash: secret.secretHash)
        let event = event(.tokenCreated, in: session, detail: "\(made.id), \(scope.rawValue)")
        guard try await store.createToken(stored, limit: accountPolicy.tokens, recording: event) else {
            throw AuthError.notLoggedIn
        }
        return (made, secret)
    }

    /// Returns the API tokens of the user of `token`, sorted by name, including expired ones.
    ///
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    public func tokens(token: SessionToken) async throws -> [APIToken] {
        try await store.tokens(of: interactiveSession(for: token).user.id)
    }

    /// Revokes an API token of the user of `token`.
    ///
    /// - Returns: whether the API token existed.
    /// - Throws: `AuthError.notLoggedIn`, `outOfScope`.
    @discardableResult
    public func revokeToken(_ id: APIToken.ID, token: SessionToken) async throws -> Bool {
        let session = try await interactiveSession(for: token)
        let event = event(.tokenRevoked, in: session, detail: id.description)
        return try await store.revokeToken(id, of: session.user.id, recording: event)
    }

    /// Returns the session of an API token; nil if the token is unknown or has expired, its user is disabled, or the
    /// clock is before its last use.
    func session(byAPIToken token: SessionToken, isUse: Bool) async throws -> Session? {
        guard let stored = try await store.token(token.sessionID),
            Sodium.isEqual(stored.secretHash, token.secretHash), stored.user.disabledAt == nil
        else { return nil }
        let (made, now) = (stored.token, now)
        let session = Session(
            id: made.id, user: stored.user, client: "API token “\(made.name)”", origin: .unknown,
            createdAt: made.createdAt, lastUsedAt: made.lastUsedAt ?? made.createdAt,
            confirmedAt: .distantPast, expiresAt: made.expiresAt, apiToken: made)
        // An API token does not expire by disuse.
        guard now < made.expiresAt, now >= session.lastUsedAt.addingTimeInterval(-sessionPolicy.touchInterval) else {
            return nil
        }
        if isUse, made.lastUsedAt == nil || sessionPolicy.shouldTouch(session, at: now) {
            try? await store.touchToken(made.id, at: now)
        }
        return session
    }
}

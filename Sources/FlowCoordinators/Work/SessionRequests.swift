internal import AuthService
internal import ReadingStore

/// What is asked of the services in the name of who is signed in: a value, so that it can be asked while screens go on
/// being used. What comes of it is taken over by ``SignedIn``.
struct SessionRequests: Sendable {
    let auth: AuthService
    let reading: (any ReadingStateRepository)?
    /// Where this front runs, as the list of sessions shows it.
    let client: String
    /// Where whoever uses it is.
    let origin: Origin
    let token: SessionToken?
    let session: Session?
    /// How who is signed in likes to read.
    let preferences: Preferences

    /// Opens a session. One that nobody waits for any more is not left open.
    ///
    /// - Parameter device: what is kept of an earlier log-in here.
    func logIn(username: String, password: Password, device: DeviceToken?) async throws -> SignedIn.Grant {
        let opened = try await auth.logIn(
            username: username, password: password, client: client, from: origin, device: device)
        return try await grant(opened.session, opened.token, device: opened.device)
    }

    /// Opens the session that waits for a code. One that nobody waits for any more is not left open.
    func complete(_ pending: PendingLogIn, code: String) async throws -> SignedIn.Grant {
        let opened = try await auth.completeLogIn(pending, code: code)
        return try await grant(opened.session, opened.token, device: opened.device)
    }

    /// Sets up a second factor, and returns its recovery codes.
    func addSecondFactor(_ secret: TOTPSecret, code: String) async throws -> [OneTimeCode] {
        try await auth.addSecondFactor(secret, code: code, token: held())
    }

    /// Makes other recovery codes.
    func renewRecoveryCodes() async throws -> [OneTimeCode] { try await auth.renewRecoveryCodes(token: held()) }

    /// Removes the second factor.
    func removeSecondFactor() async throws { try await auth.removeSecondFactor(token: held()) }

    /// Gives the user another password. Every other session ends; this one goes on with a new token, unless nobody waits
    /// for it any more.
    func changePassword(from old: String, to new: String) async throws -> SignedIn.Grant {
        let (session, newToken) = try await auth.changePassword(
            token: held(), old: Password(old), new: Password(new))
        return try await grant(session, newToken)
    }

    /// Gives a user another password by a code, and ends all their sessions.
    func resetPassword(by code: String, to new: String) async throws -> User {
        try await auth.resetPassword(code: code, new: Password(new), client: client, from: origin)
    }

    /// Takes the user's password once more.
    func confirm(_ password: String) async throws {
        try await auth.confirm(Password(password), token: held())
    }

    /// Gives the user another name.
    func rename(to name: String) async throws {
        try await auth.rename(to: Username(name), token: held())
    }

    /// Notes where the user lives.
    func move(to region: String) async throws {
        try await auth.move(to: Region(region), token: held())
    }

    /// Deletes the account.
    func deleteAccount(password: String) async throws {
        try await auth.deleteAccount(token: held(), password: Password(password))
    }

    /// Makes an API token. One that nobody waits for any more is not left open, because nobody would have it.
    func makeToken(named name: String, scope: APIToken.Scope, days: Int) async throws -> MadeToken {
        let (made, secret) = try await auth.createToken(
            named: name, scope: scope, lifetime: Double(days) * 86_400, token: held())
        guard Task.isCancelled else { return MadeToken(token: made, secret: secret) }
        _ = try? await auth.revokeToken(made.id, token: held())
        throw CancellationError()
    }

    /// Ends an API token.
    func endToken(_ id: APIToken.ID) async throws -> APIToken.ID {
        guard try await auth.revokeToken(id, token: held()) else { throw ScreenError.noToken(id.description) }
        return id
    }

    /// Makes another address of feeds, in the place of the one before.
    func renewFeedAddress(in feeds: FeedAddresses) async throws -> FeedSecret { try await feeds.renew(token: held()) }

    /// Removes the address of feeds; false where there is none.
    func removeFeedAddress(in feeds: FeedAddresses) async throws -> Bool { try await feeds.remove(token: held()) }

    private func held() throws -> SessionToken {
        guard let token else { throw AuthError.notSignedIn }
        return token
    }

    /// What goes with a session that was opened; ends it when nobody waits for it any more.
    private func grant(_ session: Session, _ token: SessionToken, device: DeviceToken? = nil) async throws
        -> SignedIn.Grant
    {
        let preferences = await preferences(of: session.user.id)
        guard Task.isCancelled else {
            return SignedIn.Grant(session: session, token: token, device: device, preferences: preferences)
        }
        try? await auth.logOut(token: token)
        throw CancellationError()
    }

    /// Ends sessions, and tells how many there were.
    func end(_ signOut: SignOut) async throws -> Int {
        switch signOut {
        case .here:
            if let token { try await auth.logOut(token: token) }
            return 1
        case .everywhere:
            guard let token else { return 0 }
            return try await auth.logOutEverywhere(token: token)
        case .session(let id):
            guard let user = session?.user.id else { throw AuthError.notSignedIn }
            guard try await auth.revoke(id, of: user, by: .token(held())) else {
                throw ScreenError.noSession(id.description)
            }
            return 1
        }
    }

    /// Chooses how the screens look, from now on and in every session of the user.
    func save(_ appearance: Appearance) async throws -> Appearance {
        var preferences = preferences
        preferences.appearance = appearance
        _ = try await save(preferences)
        return appearance
    }

    /// Keeps how the user likes to read.
    func save(_ preferences: Preferences) async throws -> Preferences {
        guard let user = session?.user.id else { throw AuthError.notSignedIn }
        try await reading?.saveAppearance(preferences.text, ofUser: user)
        return preferences
    }

    /// How a user likes to read. What is not to be had keeps nobody from reading.
    func preferences(of user: User.ID) async -> Preferences {
        let saved = try? await reading?.appearance(ofUser: user)
        return saved.map { Preferences(text: $0) } ?? Preferences()
    }
}

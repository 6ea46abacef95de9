internal import AuthService
internal import ArticleStore

/// The requests to the services on behalf of the signed-in user. It is a value, so that requests can run while screens
/// are used. ``SignedIn`` applies the results.
struct SessionRequests: Sendable {
    let auth: AuthService
    let reading: (any ReadingStateRepository)?
    /// A description of this front for the list of sessions.
    let client: String
    /// The origin of the requests.
    let origin: Origin
    let token: SessionToken?
    let session: Session?
    /// The user's preferences.
    let preferences: Preferences

    /// Opens a session. If the task was canceled, the session is ended.
    ///
    /// - Parameter device: the device token of an earlier log-in here.
    func logIn(username: String, password: Password, device: DeviceToken?) async throws -> SignedIn.Grant {
        let opened = try await auth.logIn(
            username: username, password: password, client: client, from: origin, device: device)
        return try await grant(opened.session, opened.token, device: opened.device)
    }

    /// Opens the session that waits for a code. If the task was canceled, the session is ended.
    func complete(_ pending: PendingLogIn, code: String) async throws -> SignedIn.Grant {
        let opened = try await auth.completeLogIn(pending, code: code)
        return try await grant(opened.session, opened.token, device: opened.device)
    }

    /// Sets up a second factor and returns its recovery codes.
    func addSecondFactor(_ secret: TOTPSecret, code: String) async throws -> [OneTimeCode] {
        try await auth.addSecondFactor(secret, code: code, token: held())
    }

    /// Creates new recovery codes.
    func renewRecoveryCodes() async throws -> [OneTimeCode] { try await auth.renewRecoveryCodes(token: held()) }

    /// Removes the second factor.
    func removeSecondFactor() async throws { try await auth.removeSecondFactor(token: held()) }

    /// Changes the user's password. Every other session ends. This one continues with a new token, or ends if the task
    /// was canceled.
    func changePassword(from old: String, to new: String) async throws -> SignedIn.Grant {
        let (session, newToken) = try await auth.changePassword(
            token: held(), old: Password(old), new: Password(new))
        return try await grant(session, newToken)
    }

    /// Sets a new password with a code, and ends all sessions of the user.
    func resetPassword(by code: String, to new: String) async throws -> User {
        try await auth.resetPassword(code: code, new: Password(new), client: client, from: origin)
    }

    /// Confirms the user's password.
    func confirm(_ password: String) async throws {
        try await auth.confirm(Password(password), token: held())
    }

    /// Changes the user's name.
    func rename(to name: String) async throws {
        try await auth.rename(to: Username(name), token: held())
    }

    /// Changes the user's region.
    func move(to region: String) async throws {
        try await auth.move(to: Region(region), token: held())
    }

    /// Deletes the account.
    func deleteAccount(password: String) async throws {
        try await auth.deleteAccount(token: held(), password: Password(password))
    }

    /// Creates an API token. If the task was canceled, the token is revoked, because nobody would have it.
    func makeToken(named name: String, scope: APIToken.Scope, days: Int) async throws -> MadeToken {
        let (made, secret) = try await auth.createToken(
            named: name, scope: scope, lifetime: Double(days) * 86_400, token: held())
        guard Task.isCancelled else { return MadeToken(token: made, secret: secret) }
        _ = try? await auth.revokeToken(made.id, token: held())
        throw CancellationError()
    }

    /// Revokes an API token.
    func endToken(_ id: APIToken.ID) async throws -> APIToken.ID {
        guard try await auth.revokeToken(id, token: held()) else { throw ScreenError.noToken(id.description) }
        return id
    }

    /// Creates a new feed address in place of the present one.
    func renewFeedAddress() async throws -> FeedSecret { try await auth.renewFeedAddress(token: held()) }

    /// Removes the feed address. Returns false if there is none.
    func removeFeedAddress() async throws -> Bool { try await auth.removeFeedAddress(token: held()) }

    private func held() throws -> SessionToken {
        guard let token else { throw AuthError.notSignedIn }
        return token
    }

    /// Loads the data that belongs to a new session. If the task was canceled, the session is ended.
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

    /// Ends sessions and returns their number.
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

    /// Saves the appearance for all sessions of the user.
    func save(_ appearance: Appearance) async throws -> Appearance {
        var preferences = preferences
        preferences.appearance = appearance
        _ = try await save(preferences)
        return appearance
    }

    /// Saves the preferences of the user.
    func save(_ preferences: Preferences) async throws -> Preferences {
        guard let user = session?.user.id else { throw AuthError.notSignedIn }
        try await reading?.saveAppearance(preferences.text, ofUser: user)
        return preferences
    }

    /// Returns the preferences of a user, or the defaults if they cannot be loaded, so that the user can read in any
    /// case.
    func preferences(of user: User.ID) async -> Preferences {
        let saved = try? await reading?.appearance(ofUser: user)
        return saved.map { Preferences(text: $0) } ?? Preferences()
    }
}

internal import ArticleStore
public import AuthService
public import Text

/// The requests of this front to the service: of the signed-in user, or of a person who is about to sign in. It is a
/// value, so that requests can run while screens are used. ``CurrentUser`` applies the results.
///
/// For requests that need only the user's token, call the service:
///
/// ```swift
/// let tokens = try await account.auth.tokens(token: account.token)
/// ```
public struct Account: Sendable {
    /// A new session with its data. The token leaves this module only for its store.
    struct Grant: Sendable {
        let session: Session
        let token: SessionToken
        /// The token for this device to store; nil if it already has one.
        let device: DeviceToken?
        /// The user's preferences.
        let preferences: Preferences
    }

    /// The result of a login with the correct password.
    enum LogIn: Sendable {
        /// A session is open.
        case granted(Grant)
        /// The user has a second factor.
        case codeNeeded(PendingLogin)

        /// The new session.
        ///
        /// - Throws: `AuthError.secondFactorNeeded` if a code is needed.
        var grant: Grant {
            get throws(AuthError) {
                guard case .granted(let grant) = self else { throw .secondFactorNeeded }
                return grant
            }
        }
    }

    /// The service for accounts and sessions.
    public let auth: AuthService
    /// The session; nil if nobody is signed in.
    public let session: Session?
    private let savedToken: SessionToken?
    /// A description of this front for the list of sessions and the audit log.
    private let client: String
    /// The origin of the requests.
    private let origin: Origin
    private let reading: (any ReadingStateRepository)?
    /// The user's preferences.
    private let preferences: Preferences

    init(
        auth: AuthService, session: Session?, token: SessionToken?, client: String, origin: Origin,
        reading: (any ReadingStateRepository)?, preferences: Preferences
    ) {
        self.auth = auth
        self.session = session
        savedToken = token
        self.client = client
        self.origin = origin
        self.reading = reading
        self.preferences = preferences
    }

    /// The token of the session.
    ///
    /// - Throws: `AuthError.notLoggedIn` if nobody is signed in.
    public var token: SessionToken {
        get throws(AuthError) {
            guard let savedToken else { throw .notLoggedIn }
            return savedToken
        }
    }

    /// The authority for requests of the signed-in user.
    ///
    /// - Throws: `AuthError.notLoggedIn` if nobody is signed in.
    public var authority: Authority { get throws(AuthError) { .token(try token) } }

    /// Returns the text as a name that is still available.
    ///
    /// - Throws: `AuthError` if the name is invalid or taken.
    func freeUsername(_ text: String) async throws -> Username {
        let username = try Username(text)
        try auth.accountPolicy.check(username)
        guard try await auth.isFree(username, from: origin) else { throw AuthError.usernameTaken(username) }
        return username
    }

    /// Creates an account.
    ///
    /// - Parameter invitation: the code of an invitation, if one is required.
    /// - Throws: `AuthError` if an answer is invalid; the errors of the service.
    func register(username: String, password: Password, region: String, invitation: String?) async throws -> User {
        try await auth.register(
            username: Username(username), password: password, region: Region(region), client: client,
            from: origin, invitation: invitation)
    }

    /// Opens a session. If the task was canceled, the session is ended.
    ///
    /// - Parameter device: the device token of an earlier login here.
    func logIn(username: String, password: Password, device: DeviceToken?) async throws -> LogIn {
        let result = try await auth.logIn(
            username: username, password: password, client: client, from: origin, device: device)
        switch result {
        case .loggedIn(let opened):
            return .granted(try await grant(opened.session, opened.token, device: opened.device))
        case .codeNeeded(let pending): return .codeNeeded(pending)
        }
    }

    /// Opens the session that waits for a code. If the task was canceled, the session is ended.
    func completeLogIn(_ pending: PendingLogin, code: String) async throws -> Grant {
        let opened = try await auth.completeLogIn(pending, code: code)
        return try await grant(opened.session, opened.token, device: opened.device)
    }

    /// Sets a new password with a code, and ends all sessions of the user.
    func resetPassword(by code: String, to new: String) async throws -> User {
        try await auth.resetPassword(code: code, new: Password(new), client: client, from: origin)
    }

    /// Changes the user's password. Every other session ends. This one continues with a new token, or ends if the task
    /// was canceled.
    func changePassword(from old: String, to new: String) async throws -> Grant {
        let (session, newToken) = try await auth.changePassword(token: token, old: Password(old), new: Password(new))
        return try await grant(session, newToken)
    }

    /// Creates an API token for the user. The secret can be shown only once. If the task was canceled, the token is
    /// revoked, because nobody would have it.
    ///
    /// - Throws: `AuthError.notLoggedIn`, and the errors of the service.
    public func createToken(named name: String, scope: APIToken.Scope, lifetime: TimeInterval) async throws
        -> (token: APIToken, secret: SessionToken)
    {
        let (made, secret) = try await auth.createToken(named: name, scope: scope, lifetime: lifetime, token: token)
        guard Task.isCancelled else { return (made, secret) }
        _ = try? await auth.revokeToken(made.id, token: token)
        throw CancellationError()
    }

    /// Ends sessions and returns their number.
    func end(_ signOut: SessionsToEnd) async throws -> Int {
        switch signOut {
        case .here:
            if let savedToken { try await auth.logOut(token: savedToken) }
            return 1
        case .everywhere:
            guard let savedToken else { return 0 }
            return try await auth.logOutEverywhere(token: savedToken)
        case .session(let id):
            guard let user = session?.user.id else { throw AuthError.notLoggedIn }
            guard try await auth.revoke(id, of: user, by: authority) else {
                throw ScreenError.noSession(id.description)
            }
            return 1
        }
    }

    /// Saves the appearance for all sessions of the user.
    func save(_ appearance: Appearance) async throws {
        var preferences = preferences
        preferences.appearance = appearance
        try await save(preferences)
    }

    /// Saves the text size for all sessions of the user.
    func save(_ size: TextSize) async throws {
        var preferences = preferences
        preferences.textSize = size
        try await save(preferences)
    }

    /// Saves the preferences of the user.
    func save(_ preferences: Preferences) async throws {
        guard let user = session?.user.id else { throw AuthError.notLoggedIn }
        try await reading?.savePreferences(preferences.text, ofUser: user)
    }

    /// Returns the preferences of a user, or the defaults if they cannot be loaded, so that the user can read in any
    /// case.
    func preferences(of user: User.ID) async -> Preferences {
        let saved = try? await reading?.preferences(ofUser: user)
        return saved.map { Preferences(text: $0) } ?? Preferences()
    }

    /// Loads the data that belongs to a new session. If the task was canceled, the session is ended.
    private func grant(_ session: Session, _ token: SessionToken, device: DeviceToken? = nil) async throws -> Grant {
        let preferences = await preferences(of: session.user.id)
        guard Task.isCancelled else {
            return Grant(session: session, token: token, device: device, preferences: preferences)
        }
        try? await auth.logOut(token: token)
        throw CancellationError()
    }
}

/// An error of a second step, after a first step succeeded that cannot be undone.
public struct FollowUpError: Error {
    /// The step that succeeded, as a clause without a capital letter and a period.
    public let done: String
    /// The error of the second step.
    public let reason: any Error

    /// Creates an error.
    public init(done: String, reason: any Error) {
        self.done = done
        self.reason = reason
    }
}

extension FollowUpError: CustomStringConvertible {
    /// Both steps: the success and the failure.
    public var description: String { "\(done), but \(reason)" }
}

public import AuthService
internal import Essentials
internal import ReadingStore

/// The signed-in user of this front, and everything that changes who it is.
///
/// The coordinators ask it and tell it; the application watches it and opens or closes the gate. It lives where the
/// navigator lives.
public final class SignedIn {
    /// The session, as of the last look at the service; nil when nobody is signed in.
    public private(set) var session: Session? {
        didSet {
            let (now, before) = (session, oldValue)
            let isSame =
                now?.user.id == before?.user.id && now?.user.role == before?.user.role
                && now?.apiToken?.id == before?.apiToken?.id
            if !isSame { onChange(session) }
        }
    }

    /// A log-in whose password was right, and which a code is still to complete; nil when there is none.
    private(set) var pending: PendingLogIn? {
        didSet { if pending != oldValue { onChange(session) } }
    }

    /// How the user likes to read. It stays after a log-out, until another user is signed in.
    private(set) var preferences = Preferences()

    /// How the user likes the screens to look.
    public var appearance: Appearance { preferences.appearance ?? defaults.appearance }

    /// How wide the user likes running text to be.
    var textWidth: TextWidth { preferences.textWidth ?? defaults.textWidth }

    /// A session that was opened, and what goes with it. The token never leaves this module but for its store.
    struct Grant: Sendable {
        let session: Session
        let token: SessionToken
        /// The token that this device is to store; nil if it has one.
        let device: DeviceToken?
        /// How the user likes to read.
        let preferences: Preferences
    }

    /// Called when another user, or nobody, is signed in or about to be, or they may do something else.
    var onChange: (Session?) -> Void = { _ in }

    private let auth: AuthService
    private let store: any TokenStore
    private let client: String
    private let origin: Origin
    private let reading: (any ReadingStateRepository)?
    private let defaults: Defaults
    private var token: SessionToken?
    /// The place for the token of the session that is being opened.
    private var place: (any TokenPlace)?
    /// Whose preferences these are, and as they are kept.
    private var kept: (user: User.ID, preferences: Preferences)?
    /// The bookmark that was saved last, so that it is not written twice.
    private var saved: (session: Session.ID, bookmark: String)?

    /// - Parameters:
    ///   - client: where this front runs, as the list of sessions shows it.
    ///   - origin: where whoever uses it is.
    ///   - reading: where bookmarks and appearances are kept; nil to keep none.
    ///   - defaults: what holds where the user has chosen nothing.
    init(
        auth: AuthService, store: any TokenStore, client: String, origin: Origin,
        reading: (any ReadingStateRepository)?, defaults: Defaults
    ) {
        self.auth = auth
        self.store = store
        self.client = client
        self.origin = origin
        self.reading = reading
        self.defaults = defaults
    }

    /// Takes up the session whose token is kept. One that the service does not know any more is no error: nobody is
    /// signed in then.
    ///
    /// - Parameter asksForBookmark: whether the bookmark is wanted.
    /// - Returns: the bookmark of the session whose secret the token holds, also when its time has ended since; nil where it is
    ///   not wanted.
    @discardableResult
    func resume(asksForBookmark: Bool = true) async throws -> String? {
        token = try store.load().flatMap { SessionToken($0) }
        // Read first: a session that has ended is removed when it is asked for, and its bookmark with it.
        var bookmark: String?
        if asksForBookmark, let token, let reading, try await auth.recognises(token) {
            bookmark = try await reading.bookmark(ofSession: token.sessionID.description)
        }
        try await refresh()
        return bookmark
    }

    /// Keeps where the session is. Writes only what has changed.
    func saveBookmark(_ bookmark: String) async throws {
        guard let reading, let id = session?.id, saved?.session != id || saved?.bookmark != bookmark else { return }
        try await reading.saveBookmark(bookmark, ofSession: id.description)
        saved = (id, bookmark)
    }

    /// Asks the service whether the session still stands.
    func refresh() async throws {
        guard let token else {
            session = nil
            return
        }
        let session = try await auth.currentSession(token: token)
        // Another session may have been opened while this one was asked about.
        guard token.sessionID == self.token?.sessionID else { return }
        let before = self.session?.user
        self.session = session
        if session == nil { self.token = nil }
        if let before, let session { keepDevice(of: before, as: session.user) }
        await loadPreferences()
    }

    /// Keeps this device known to a user who has another name now.
    private func keepDevice(of before: User, as user: User) {
        guard before.id == user.id, before.username != user.username,
            let device = try? store.device(of: before.username)
        else { return }
        try? store.keep(device, of: user.username)
    }

    /// The requests of this session, which can run while screens are used.
    var requests: SessionRequests {
        SessionRequests(
            auth: auth, reading: reading, client: client, origin: origin, token: token, session: session,
            preferences: preferences)
    }

    /// In whose name something is asked for; nil when nobody is signed in.
    var authority: Authority? { token.map { .token($0) } }

    /// The API tokens of who is signed in.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    public func apiTokens() async throws -> [APIToken] { try await auth.tokens(token: held()) }

    /// Makes an API token of who is signed in, to be shown once.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    public func createAPIToken(named name: String, scope: APIToken.Scope, lifetime: Double) async throws
        -> (APIToken, SessionToken)
    {
        try await auth.createToken(named: name, scope: scope, lifetime: lifetime, token: held())
    }

    /// Gives a session of who is signed in a name.
    ///
    /// - Throws: `ScreenError.noSession`, `AuthError.notSignedIn`, and what the service throws.
    public func renameSession(_ id: Session.ID, to name: String) async throws {
        guard try await auth.rename(id, to: name, token: held()) else { throw ScreenError.noSession(id.description) }
    }

    private func held() throws -> SessionToken {
        guard let token else { throw AuthError.notSignedIn }
        return token
    }

    /// The data that the service stores about the signed-in user.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    public func records() async throws -> AccountRecords {
        try await auth.records(token: held())
    }

    /// The second factor of who is signed in; nil when there is none.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    public func secondFactor() async throws -> SecondFactor? { try await auth.secondFactor(token: held()) }

    /// Since when who is signed in has an address of feeds; nil without one.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    func feedAddressDate(in feeds: FeedAddresses) async throws -> Date? { try await feeds.date(token: held()) }

    /// Has the service record what who is signed in has done.
    ///
    /// - Throws: `AuthError.notSignedIn`, and what the service throws.
    public func record(_ kind: AuditEvent.Kind, detail: String) async throws {
        try await auth.record(kind, detail: detail, by: .token(held()))
    }

    /// The token of an earlier log-in here. If it cannot be read, this front counts as a new device, and the log-in goes on.
    func device(of username: String) -> DeviceToken? {
        guard let username = try? Username(username) else { return nil }
        return try? store.device(of: username)
    }

    /// Makes sure, before a new session is asked for, that it can be kept, because it cannot be undone.
    func prepareKeep() throws { place = try store.prepare() }

    /// Looks up how the user likes to read, when it is another.
    private func loadPreferences() async {
        guard let user = session?.user.id, user != kept?.user else { return }
        use(await requests.preferences(of: user), of: user)
    }

    /// Keeps how wide the user likes text to be. Writes only what has changed.
    func savePreferences() async throws {
        guard let kept, kept.user == session?.user.id, kept.preferences != preferences else { return }
        try await use(requests.save(preferences), of: kept.user)
    }

    /// Has a log-in wait for its code.
    func hold(_ pending: PendingLogIn) {
        place = nil
        self.pending = pending
    }

    /// Gives up the log-in that waits for its code.
    func dropPending() { pending = nil }

    /// Goes on in the session that was asked for, if it was opened. Where its token cannot be kept it is not left open: nobody
    /// would have it.
    ///
    /// - Parameter done: what has been done by opening it, and is not undone.
    func keep(_ result: Result<Grant, any Error>, done: String? = nil) async throws {
        let place = place
        self.place = nil
        let grant = try result.get()
        do {
            try (place ?? store.prepare()).save(grant.token.text)
        } catch {
            try? await auth.logOut(token: grant.token)
            guard let done else { throw error }
            throw AftermathError(done: done, reason: error)
        }
        // Without it the next log-in is a stranger's, and this one is as good.
        if let device = grant.device { try? store.keep(device, of: grant.session.user.username) }
        let previous = token
        token = grant.token
        use(grant.preferences, of: grant.session.user.id)
        session = grant.session
        pending = nil
        // The session that this one takes the place of ends; after a password change it has ended already.
        if let previous { try? await auth.logOut(token: previous) }
    }

    /// Shows screens in an appearance that has been saved.
    func use(_ appearance: Appearance) {
        preferences.appearance = appearance
        kept?.preferences.appearance = appearance
    }

    /// Shows text in a width, which is kept by ``savePreferences()``.
    func use(_ width: TextWidth) { preferences.textWidth = width }

    /// Shows previews, or none, which is kept by ``savePreferences()``.
    func use(showsPreview: Bool) { preferences.showsPreview = showsPreview }

    private func use(_ preferences: Preferences, of user: User.ID) {
        self.preferences = preferences
        kept = (user, preferences)
    }

    /// Signs out here, when the session has ended on the server.
    ///
    /// - Parameter done: what has been done there, as `AftermathError` says it.
    func forget(after done: String = "the session has ended") throws {
        session = nil
        token = nil
        do {
            try store.remove()
        } catch {
            throw AftermathError(done: done, reason: error)
        }
    }
}

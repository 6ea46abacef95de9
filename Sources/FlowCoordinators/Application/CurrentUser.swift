public import AuthService
internal import Text
internal import ArticleStore

/// The user of this front, if one is logged in, and all actions that log a user in or out.
///
/// Coordinators read and change it. The application observes it and opens or closes the gate. It runs in the isolation
/// of the navigator.
public final class CurrentUser {
    /// The session as of the last request to the service; nil if nobody is logged in.
    public private(set) var session: Session? {
        didSet {
            let (now, before) = (session, oldValue)
            let isSame =
                now?.user.id == before?.user.id && now?.user.role == before?.user.role
                && now?.apiToken?.id == before?.apiToken?.id
            if !isSame { onChange(session) }
        }
    }

    /// A login whose password was correct and which waits for a code; nil if there is none.
    private(set) var pending: PendingLogin? {
        didSet { if pending != oldValue { onChange(session) } }
    }

    /// The user's preferences. They remain after a logout until another user signs in.
    private(set) var preferences = Preferences()

    /// The appearance that the user chose, or the default.
    public var appearance: Appearance { preferences.appearance ?? defaults.appearance }

    /// The text width that the user chose, or the default.
    var textWidth: TextWidth { preferences.textWidth ?? defaults.textWidth }

    /// Called if another user or nobody is signed in, if a login begins to wait for a code, or if the permissions
    /// change.
    var onChange: (Session?) -> Void = { _ in }

    /// The text size that the user chose, or the default.
    var textSize: TextSize { preferences.textSize ?? .default }

    private let auth: AuthService
    private let store: any TokenStore
    private let client: String
    private let origin: Origin
    private let reading: (any ReadingStateRepository)?
    private let defaults: Defaults
    private var token: SessionToken?
    /// The tokens of sessions that nobody uses any more and that have not been ended yet.
    private var replacedTokens: [SessionToken] = []
    /// The prepared write of the token of the session that is being opened.
    private var tokenWrite: (any PreparedTokenWrite)?
    /// The preferences as they are stored, and the user to whom they belong.
    private var storedPreferences: (user: User.ID, preferences: Preferences)?
    /// The bookmark that was saved last, so that it is not written again.
    private var savedBookmark: (session: Session.ID, bookmark: String)?

    /// - Parameters:
    ///   - client: a description of this front for the list of sessions.
    ///   - origin: the origin of the requests.
    ///   - reading: the store of bookmarks and preferences; nil to store none.
    ///   - defaults: the preferences of a user who has not chosen any.
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

    /// Restores the session whose token is stored. An unknown token is not an error: nobody is signed in then.
    ///
    /// - Parameter asksForBookmark: whether to return the bookmark.
    /// - Returns: the bookmark of the session to which the token belongs, even if the session has expired; nil if it
    ///   was not requested.
    @discardableResult
    func resume(asksForBookmark: Bool = true) async throws -> String? {
        token = try store.load().flatMap { SessionToken($0) }
        // Read the bookmark first: asking for an expired session deletes the session and its bookmark.
        var bookmark: String?
        if asksForBookmark, let token, let reading, try await auth.hasSession(token) {
            bookmark = try await reading.bookmark(ofSession: token.sessionID.description)
        }
        try await refresh()
        return bookmark
    }

    /// Saves the bookmark of the session. An unchanged bookmark is not written.
    func saveBookmark(_ bookmark: String) async throws {
        guard let reading, let id = session?.id, savedBookmark?.session != id || savedBookmark?.bookmark != bookmark
        else { return }
        try await reading.saveBookmark(bookmark, ofSession: id.description)
        savedBookmark = (id, bookmark)
    }

    /// Asks the service whether the session is still valid.
    func refresh() async throws {
        guard let token else {
            session = nil
            return
        }
        let current = try await auth.currentSessionWithPreferences(token: token)
        // Another session may have been opened during the request.
        guard token.sessionID == self.token?.sessionID else { return }
        update(to: current?.session)
        await loadPreferences(current?.preferences)
    }

    /// Applies an answer of the service about this session; nil if the session has ended.
    func update(to session: Session?) {
        let before = self.session?.user
        self.session = session
        if session == nil { token = nil }
        if let before, let session { moveDevice(of: before, as: session.user) }
    }

    /// Stores the device token under the new name of a renamed user.
    private func moveDevice(of before: User, as user: User) {
        guard before.id == user.id, before.username != user.username,
            let device = try? store.device(of: before.username)
        else { return }
        try? store.save(device, of: user.username)
    }

    /// The requests of this session.
    public var account: Account {
        Account(
            auth: auth, session: session, token: token, client: client, origin: origin, reading: reading,
            preferences: preferences)
    }

    /// Returns the device token of an earlier login here. If it cannot be read, this front counts as a new device, and
    /// the login continues.
    func device(of username: String) -> DeviceToken? {
        guard let username = try? Username(username) else { return nil }
        return try? store.device(of: username)
    }

    /// Prepares the write of the token before a new session is requested, because a session cannot be undone.
    func prepareTokenWrite() throws { tokenWrite = try store.prepare() }

    /// Loads the preferences if another user is signed in.
    ///
    /// - Parameter known: the stored text if it was read with the session.
    private func loadPreferences(_ known: String??) async {
        guard let user = session?.user.id, user != storedPreferences?.user else { return }
        if reading != nil, let known {
            use(known.map { Preferences(text: $0) } ?? Preferences(), of: user)
        } else {
            use(await account.preferences(of: user), of: user)
        }
    }

    /// Saves the preferences. Unchanged preferences are not written.
    func savePreferences() async throws {
        guard let storedPreferences, storedPreferences.user == session?.user.id,
            storedPreferences.preferences != preferences
        else { return }
        // The preferences may change while they are saved.
        let saved = preferences
        try await account.save(saved)
        use(saved, of: storedPreferences.user)
    }

    /// Keeps a login that waits for its code.
    func waitForCode(_ pending: PendingLogin) {
        tokenWrite = nil
        self.pending = pending
    }

    /// Discards the login that waits for its code.
    func dropPending() { pending = nil }

    /// Switches to a new session, if it was opened. ``endReplacedSessions()`` ends the previous session. It ends the new
    /// one if its token cannot be stored, because nobody would have the token.
    ///
    /// - Parameter done: the effect of opening the session that cannot be undone, for the error message.
    func startSession(_ result: Result<Account.Grant, any Error>, done: String? = nil) throws {
        let tokenWrite = tokenWrite
        self.tokenWrite = nil
        let grant = try result.get()
        do {
            try (tokenWrite ?? store.prepare()).save(grant.token.text)
        } catch {
            replacedTokens.append(grant.token)
            guard let done else { throw error }
            throw FollowUpError(done: done, reason: error)
        }
        // Ignore an error: without the device token, only the next login counts as one from an unknown device.
        if let device = grant.device { try? store.save(device, of: grant.session.user.username) }
        // A password change has already ended the previous session; ending it again does nothing.
        if let token { replacedTokens.append(token) }
        token = grant.token
        use(grant.preferences, of: grant.session.user.id)
        session = grant.session
        pending = nil
    }

    /// Ends the sessions that nobody uses any more. An error is ignored: they also end by their age.
    func endReplacedSessions() async {
        let tokens = replacedTokens
        replacedTokens = []
        for token in tokens { try? await auth.logOut(token: token) }
    }

    /// Applies an appearance that has been saved.
    func use(_ appearance: Appearance) {
        preferences.appearance = appearance
        storedPreferences?.preferences.appearance = appearance
    }

    /// Applies a text size that has been saved.
    func use(_ size: TextSize) {
        preferences.textSize = size
        storedPreferences?.preferences.textSize = size
    }

    /// Applies a text width. ``savePreferences()`` saves it.
    func use(_ width: TextWidth) { preferences.textWidth = width }

    /// Shows or hides the panes of a wide terminal. ``savePreferences()`` saves the choice.
    func use(showsPreview: Bool) { preferences.showsPreview = showsPreview }

    private func use(_ preferences: Preferences, of user: User.ID) {
        self.preferences = preferences
        storedPreferences = (user, preferences)
    }

    /// Signs out on this front after the session has ended on the server.
    ///
    /// - Parameter done: the effect on the server, for the message of an `FollowUpError`.
    func forget(after done: String = "the session has ended") throws {
        session = nil
        token = nil
        do {
            try store.remove()
        } catch {
            throw FollowUpError(done: done, reason: error)
        }
    }
}

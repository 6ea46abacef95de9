public import AuthService
import ReadingStore

/// Who is signed in at this front, and everything that changes it.
///
/// The coordinators ask it and tell it; the application watches it and opens or closes the gate. It lives where the
/// navigator lives.
public final class SignedIn {
    /// The session, as of the last look at the service; nil when nobody is signed in.
    public private(set) var session: Session? {
        didSet { if session?.user.id != oldValue?.user.id { onChange(session) } }
    }

    /// How the user likes the screens to look. It stays after a log-out, until another user is signed in.
    public private(set) var appearance: Appearance = .default

    /// Called when another user, or nobody, is signed in.
    var onChange: (Session?) -> Void = { _ in }

    private let auth: AuthService
    private let store: any TokenStore
    private let client: String
    private let reading: (any ReadingStateRepository)?
    private var token: SessionToken?
    /// Whose appearance it is.
    private var appearanceOwner: User.ID?
    /// What was saved last, so that the same is not written twice.
    private var saved: (session: Session.ID, bookmark: String)?

    /// - Parameters:
    ///   - client: where this front runs, as the list of sessions shows it.
    ///   - reading: where bookmarks and appearances are kept; nil to keep none.
    init(auth: AuthService, store: any TokenStore, client: String, reading: (any ReadingStateRepository)?) {
        self.auth = auth
        self.store = store
        self.client = client
        self.reading = reading
    }

    /// Takes up the session whose token is kept. One that the service does not know any more is no error: nobody is
    /// signed in then.
    ///
    /// - Returns: the bookmark of the session, also when its time has ended since.
    @discardableResult
    func resume() async throws -> String? {
        token = try store.load().flatMap { SessionToken($0) }
        // Read first: a session that has ended is removed when it is asked for, and its bookmark with it.
        var bookmark: String?
        if let token { bookmark = try await reading?.bookmark(ofSession: token.sessionID.description) }
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
        guard let token else { return }
        session = try await auth.currentSession(token: token)
        if session == nil { self.token = nil }
        await loadAppearance()
    }

    /// Chooses how the screens look, from now on and in every session of the user.
    func choose(_ appearance: Appearance) async throws {
        guard let user = session?.user.id else { throw AuthError.notSignedIn }
        try await reading?.saveAppearance(appearance.rawValue, ofUser: user)
        self.appearance = appearance
    }

    /// Logs in and keeps the token. The session before, if there was one, ends.
    func logIn(username: String, password: String) async throws {
        try store.checkSave()
        let before = token
        try await keep(try await auth.logIn(username: username, password: Password(password), client: client))
        await loadAppearance()
        if let before { try await auth.logOut(token: before) }
    }

    /// Ends this session, here and on the server.
    func logOut() async throws {
        if let token { try await auth.logOut(token: token) }
        try forget()
    }

    /// Ends every session of who is signed in, and tells how many there were.
    func logOutEverywhere() async throws -> Int {
        guard let token else { return 0 }
        let count = try await auth.logOutEverywhere(token: token)
        try forget()
        return count
    }

    /// Changes the password. Every other session ends; this one goes on with a new token.
    func changePassword(from old: String, to new: String) async throws {
        guard let token else { throw AuthError.notSignedIn }
        try store.checkSave()
        try await keep(try await auth.changePassword(token: token, old: Password(old), new: Password(new)))
    }

    /// Ends one of the sessions of who is signed in, this one too.
    func revoke(_ id: Session.ID) async throws {
        guard let session else { throw AuthError.notSignedIn }
        guard try await auth.revoke(id, of: session.user.id) else { throw ScreenError.noSession(id.description) }
        if id == session.id { try forget() }
    }

    /// Looks up how the user likes the screens to look, when it is another. What is not to be had, or no appearance any
    /// more, keeps nobody from reading.
    private func loadAppearance() async {
        guard let user = session?.user.id, user != appearanceOwner else { return }
        let saved = try? await reading?.appearance(ofUser: user)
        appearance = saved.flatMap { Appearance(rawValue: $0) } ?? .default
        appearanceOwner = user
    }

    private func keep(_ grant: (session: Session, token: SessionToken)) async throws {
        do {
            try store.save(grant.token.text)
        } catch {
            // Nobody would have the token: the session is not left open.
            try? await auth.logOut(token: grant.token)
            throw error
        }
        session = grant.session
        token = grant.token
    }

    private func forget() throws {
        session = nil
        token = nil
        try store.remove()
    }
}

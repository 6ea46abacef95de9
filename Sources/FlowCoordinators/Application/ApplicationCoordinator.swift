public import ArticleStore
public import AuthService
public import Essentials
public import Navigation
public import ReadingStore

/// The application: it opens the flows, keeps the gate, and is what a front talks to.
///
/// A front calls `start(at:)`, then shows `screen()` and sends what is done on it with `send(_:)` or `back()`, for as
/// long as it likes. It names no actor: it runs where its owner runs.
public final class ApplicationCoordinator {
    /// The state, the journal and the coordinators.
    public let navigator: Navigator<AppRoute>
    /// The signed-in user.
    public let signedIn: SignedIn
    /// How far the front has moved on screens, by their paths, in words of its own. The front sets it; `saveBookmark()`
    /// keeps it, and `start(at:)` brings it back. Empty as soon as another user is signed in.
    public var positions: [String: String] = [:]

    /// How the user likes the screens to look; the default where they have chosen none, and until a user is signed in.
    public var appearance: Appearance { signedIn.appearance }
    /// How wide the user likes running text to be; the default where they have chosen none, and until a user is signed in.
    /// The front sets it, and `saveBookmark()` keeps it for the user.
    public var textWidth: TextWidth {
        get { signedIn.textWidth }
        set { signedIn.use(newValue) }
    }

    /// Whether the user likes what a list is at to be shown beside it. The front sets it, and `saveBookmark()` keeps it for the
    /// user.
    public var showsPreview: Bool {
        get { signedIn.preferences.showsPreview }
        set { signedIn.use(showsPreview: newValue) }
    }

    private let leftPlaces: LeftPlaces
    private let stage: Stage
    private let defaults: Defaults
    private let articles: any ArticleRepository
    /// Whose positions these are.
    private var owner: String?
    /// The places that were taken up again and not shown since, so that they may be gone.
    private var restored: Set<AppRoute> = []

    /// - Parameters:
    ///   - auth: the accounts and the sessions.
    ///   - articles: the library.
    ///   - tokens: where the token of the session is kept between starts.
    ///   - client: where this front runs, as the list of sessions shows it, such as `host, terminal`.
    ///   - origin: where whoever uses it is: an address, a terminal.
    ///   - reading: where the bookmarks of sessions and the appearances of users are kept; nil to keep none.
    ///   - marks: what readers mark articles with; nil to keep none.
    ///   - feeds: the addresses of feeds; nil where none are offered.
    ///   - imports: how articles are brought in from files; nil where that is not offered.
    ///   - signUp: how accounts are made.
    ///   - countsLists: whether a list says how many articles it has in all; who does not show it saves the count, which
    ///     on a large library takes longer than the page.
    ///   - defaults: what holds for a user who has chosen nothing.
    ///   - clock: what time it is, for marks.
    ///   - workExecutor: where what takes long runs; see `Navigator`.
    public init(
        auth: AuthService, articles: any ArticleRepository, tokens: any TokenStore, client: String,
        origin: Origin, reading: (any ReadingStateRepository)? = nil, marks: (any MarkRepository)? = nil,
        feeds: FeedAddresses? = nil, imports: ImportSettings? = nil,
        signUp: SignUpOptions = SignUpOptions(), countsLists: Bool = true,
        defaults: Defaults = Defaults(),
        clock: @escaping @Sendable () -> Date = { Date() },
        workExecutor: (any TaskExecutor)? = nil
    ) {
        let signedIn = SignedIn(
            auth: auth, store: tokens, client: client, origin: origin, reading: reading, defaults: defaults)
        let stage = Stage()
        let environment = Environment(
            signedIn: signedIn, auth: auth,
            registration: Registration(auth: auth, client: client, origin: origin), signUp: signUp, articles: articles,
            marks: marks, feeds: feeds, clock: clock, countsLists: countsLists, imports: imports,
            stack: { stage.navigator?.state.frames.map(\.route) ?? [] },
            isQuestion: { stage.navigator?.state.question == $0 }, isSilent: { stage.notice == nil },
            say: { stage.notice = $0 })
        self.signedIn = signedIn
        self.stage = stage
        self.defaults = defaults
        self.articles = articles
        leftPlaces = LeftPlaces(environment: environment)
        navigator = Navigator(
            children: [
                ChildFlow(.welcome) {
                    WelcomeCoordinator(flow: $0, environment: environment)
                } ended: { (_: Outcome<Void>) in
                    []
                },
                ChildFlow(.login) {
                    LoginCoordinator(flow: $0, environment: environment)
                } ended: { (outcome: Outcome<Void>) in
                    // Nothing is asked for: the gate resumes what was deferred, or goes home.
                    if case .finished = outcome { [.show([])] } else { [] }
                },
                ChildFlow(.articles) {
                    ArticleCoordinator(flow: $0, environment: environment)
                } ended: { (_: Outcome<Void>) in
                    []
                },
                .leaving(environment),
            ],
            gate: Self.gate(for: nil, pending: nil, home: defaults.list), workExecutor: workExecutor)
        stage.navigator = navigator
        signedIn.onChange = { [weak self] session in self?.signedInChanged(to: session) }
    }

    /// The place on top.
    public var place: AppRoute { navigator.state.top?.route ?? .welcome }

    /// Takes up the session that is kept, if there is one, and goes to `target`, or to what leads there: without a
    /// session, a protected place waits behind the log-in. Without a target it is where the bookmark of the
    /// session is, else the list of articles, or the welcome.
    ///
    /// A bookmark whose session has ended waits behind the log-in too, for the same user. Screens that cannot be read
    /// or shown any more are left out, with those above them.
    ///
    /// - Parameters:
    ///   - target: where to go.
    ///   - list: what lies beneath an article or a form about it, so that its neighbours are those of that list; the whole library without.
    /// - Throws: what the services throw.
    public func start(at target: AppRoute? = nil, above list: ArticleList? = nil) async throws {
        stage.notice = nil
        let isEntrance = target == .welcome || target == .secondFactor
        let saved = try await signedIn.resume(asksForBookmark: target == nil || isEntrance)
        positions = [:]
        restored = []
        // A signed-in user has passed the welcome and the code, and goes to the place for a start without a target.
        let isPassed = isEntrance && (target == .welcome || signedIn.pending == nil)
        let target = isPassed && signedIn.session != nil ? nil : target
        if target == nil, let bookmark = saved.flatMap({ Bookmark(text: $0) }), try await restore(bookmark) { return }
        let place = target ?? (signedIn.session == nil ? .welcome : .articles(defaults.list))
        var beneath = place.ancestors
        if let list, place.articleInList != nil { beneath[0] = .articles(list) }
        try await navigator.perform(.show(beneath + [place]))
        if navigator.state.deferred != nil { stage.notice = Notice("Log in to go on.") }
        sayWhatIsBarred([place])
        // A refusal that cannot be recorded must not keep the user from places that are open to them.
        if place.refusal(of: signedIn.session) != nil {
            try? await signedIn.record(.accessRefused, detail: place.screenName)
        }
    }

    /// Takes note of how far one has come, in thousandths, in an article that is left: ``saveBookmark()`` keeps it with the marks
    /// of who is signed in now.
    public func leave(_ article: ArticleReference, at place: Int) { leftPlaces.note(article, at: place) }

    /// Keeps how far one has come in articles that were left, and nothing else.
    ///
    /// - Throws: what the services throw.
    public func savePlaces() async throws { try await leftPlaces.save() }

    /// Keeps where one is in the session, so that the next start without a target returns to it. A front calls this when
    /// it leaves, and now and then: it writes only what has changed, and nothing while nobody is signed in. Of the
    /// positions it keeps those on screens of the stack.
    ///
    /// - Throws: what the services throw.
    public func saveBookmark() async throws {
        try await leftPlaces.save()
        let state = navigator.state
        guard let top = state.top?.route else { return }
        try await signedIn.savePreferences()
        // After a thousand links, the user comes back to the last.
        let states = [state, try state.applying(.show(top.ancestors + [top]))]
        guard let text = states.lazy.compactMap({ Bookmark($0, positions: self.positions).text }).first else { return }
        try await signedIn.saveBookmark(text)
    }

    /// The places, lowest first, that wait behind a log-in; nil where none do.
    public var waiting: [AppRoute]? { signedIn.session == nil ? navigator.state.deferred?.target.routes : nil }

    /// Whether only this object knows the shown state, so that another one, started at the same place, would start over. That is so
    /// between the steps of a sign-up, for one, or between the password and the code of a log-in.
    public var isUnderWay: Bool {
        let state = navigator.state
        return signedIn.pending != nil || state.question != nil || state.frames.contains { $0.route.livesOnce }
            || waiting != nil && !place.isEntrance
            || navigator.coordinators.values.contains { $0.memory != nil }
    }

    /// The message about the last action, for a front that shows no screen for it.
    public var notice: Notice? { stage.notice }

    /// The screen on top, with the notice of what was done last.
    ///
    /// - Throws: what the services throw, and `ScreenError`.
    public func screen() async throws -> Screen {
        guard var screen = try await shownScreen() else { throw ScreenError.misplaced(place) }
        screen.notice = screen.notice ?? stage.notice
        return screen
    }

    /// The screen of an article beside a list. It marks nothing and offers no actions.
    ///
    /// - Returns: nil if the article does not exist, or nobody is signed in.
    /// - Throws: what the services throw.
    public func preview(of reference: ArticleReference) async throws -> Screen? {
        guard signedIn.session != nil, let article = try await articles.article(reference) else { return nil }
        let screen = ArticleScreen(article: article, marks: nil).screen
        return Screen(title: screen.title, content: screen.content)
    }

    /// Reports an event to the coordinator of the screen. Long work goes on after this returns; see `Screen.activity`,
    /// `Navigator.onPending` and `finishWork()`. When the session has ended in the meantime, leads to the
    /// log-in instead, and after it back to the place. When another screen has come on top, the event is dropped.
    ///
    /// - Throws: what the services throw when they are asked whether the session still stands.
    public func send(_ event: AppEvent) async throws {
        let screen = navigator.state.top?.id
        stage.notice = nil
        guard try await isStillSignedIn(), let screen else { return }
        await navigator.send(event, from: screen)
    }

    /// Waits until nothing is going on any more: for a front that shows one screen and ends.
    public func finishWork() async { await navigator.finishWork() }

    /// Goes back from the screen on top. If data would be lost, a question is shown first; if another screen has
    /// come on top, that one stays.
    ///
    /// - Returns: false when there is nothing to go back to.
    /// - Throws: what the services throw when they are asked whether the session still stands.
    public func back() async throws -> Bool {
        let screen = navigator.state.top?.id
        stage.notice = nil
        guard try await isStillSignedIn(), navigator.state.top?.id == screen else { return true }
        return await navigator.back()
    }

    /// Checks that who is signed in may change articles, for a front that has an editor: who may bring articles in may.
    ///
    /// - Throws: `AuthError` where they may not, and what the services throw. When the session has ended, the log-in is on top.
    public func authorizeEditing() async throws {
        guard try await isStillSignedIn(), signedIn.session != nil else { throw AuthError.notSignedIn }
        if let refusal = AppRoute.importing.refusal(of: signedIn.session) { throw refusal }
    }

    /// Looks whether who is signed in still is, and may still be where they are, for a front that shows a screen again after a while.
    /// Else the log-in is on top, or what they may be shown, and a notice says why.
    ///
    /// - Throws: what the services throw when they are asked.
    public func reconsider() async throws { _ = try await isStillSignedIn() }

    /// False when who was signed in is not any more; then the log-in is on top.
    private func isStillSignedIn() async throws -> Bool {
        // Results of work come first: a new password, for one, brings another session.
        await navigator.settle()
        let (wasSignedIn, role) = (signedIn.session != nil, signedIn.session?.user.role)
        try await signedIn.refresh()
        guard wasSignedIn, signedIn.session == nil else {
            guard signedIn.session?.user.role != role else { return true }
            // The role of the user may not admit the present place any longer.
            let places = navigator.state.frames.map(\.route)
            await navigator.reconsider()
            sayWhatIsBarred(places)
            return navigator.state.frames.map(\.route) == places
        }
        await navigator.reconsider()
        stage.notice = Self.sessionEnded
        return false
    }

    /// Shows where a bookmark is, or what leads there.
    ///
    /// - Returns: false, having done nothing, where it is nobody's, or of a flow that there is not any more.
    private func restore(_ bookmark: Bookmark) async throws -> Bool {
        guard bookmark.state.top != nil, let owner = bookmark.state.subject,
            (try? await navigator.restore(bookmark.state)) != nil
        else { return false }
        positions = bookmark.positions
        self.owner = owner
        restored = Set(bookmark.state.frames.map(\.route))
        if navigator.state.deferred != nil { stage.notice = Self.sessionEnded }
        return true
    }

    /// Says why who is signed in is not shown one of these places.
    private func sayWhatIsBarred(_ places: [AppRoute]) {
        let refusals = places.compactMap { $0.refusal(of: signedIn.session) }
        if let refusal = refusals.last { stage.notice = Notice(refusal) }
    }

    private func signedInChanged(to session: Session?) {
        navigator.gate = Self.gate(for: session, pending: signedIn.pending, home: defaults.list)
        // The target that waited for the log-in is shown now, unless it is barred.
        sayWhatIsBarred(navigator.state.deferred?.target.routes ?? [])
        guard let session, String(session.user.id) != owner else { return }
        owner = String(session.user.id)
        positions = [:]
        restored = []
    }

    /// The screen on top. A place that was taken up again and cannot be shown any more, such as an article that was
    /// deleted, is replaced by the one beneath it, and the last of them by the list.
    private func shownScreen() async throws -> Screen? {
        while true {
            do {
                let screen = try await navigator.screen()
                restored.remove(place)
                return screen
            } catch  where (error is ScreenError || error is CursorError) && restored.remove(place) != nil {
                stage.notice = Notice(error)
                if (try? await navigator.perform(.pop(1))) == nil {
                    try await navigator.perform(.show([.articles(defaults.list)]))
                }
            }
        }
    }

    private static var sessionEnded: Notice { Notice("Your session has ended. Log in to go on.") }

    private static func gate(for session: Session?, pending: PendingLogIn?, home: ArticleList) -> Gate<AppRoute> {
        Gate(subject: session.map { String($0.user.id) }, home: [.articles(home)]) {
            $0.verdict(for: session, pending: pending)
        }
    }
}

/// The part of the application that its coordinators see.
private final class Stage {
    weak var navigator: Navigator<AppRoute>?
    /// The message for the next screen.
    var notice: Notice?
}

public import ArticleStore
public import AuthService
public import Text
public import Navigation

/// The application. It starts the flows, sets the gate, and is the interface for a front.
///
/// A front calls `start(at:)`. Then it shows `screen()` and reports the user's actions with `send(_:)` or `back()`, as
/// often as it likes. The class is not bound to an actor: it runs in the isolation of its owner.
public final class ApplicationCoordinator {
    /// The navigation state, the journal, and the coordinators.
    public let navigator: Navigator<AppRoute>
    /// The signed-in user.
    public let currentUser: CurrentUser
    /// The positions on the screens, by the paths of the screens. Their format belongs to the front, which sets them.
    /// `saveBookmark()` saves them, and `start(at:)` restores them. They are emptied when another user signs in.
    public var positions: [String: String] = [:]

    /// The appearance that the user chose; the default if they have not chosen one or nobody is signed in.
    public var appearance: Appearance { currentUser.appearance }
    /// The text width that the user chose; the default if they have not chosen one or nobody is signed in. The front
    /// sets it, and `saveBookmark()` saves it for the user.
    public var textWidth: TextWidth {
        get { currentUser.textWidth }
        set { currentUser.use(newValue) }
    }

    /// The text size that the user chose; the default if they have not chosen one or nobody is signed in.
    public var textSize: TextSize { currentUser.textSize }

    /// Whether a wide terminal shows panes. The front sets it, and `saveBookmark()` saves it for the user.
    public var showsPreview: Bool {
        get { currentUser.preferences.showsPreview }
        set { currentUser.use(showsPreview: newValue) }
    }

    /// Whether `screen()` marks an article as read. A front sets it if the user opened an article by its address instead
    /// of from a list.
    public var marksShownArticles: Bool {
        get { environment.marksShownArticles }
        set { environment.marksShownArticles = newValue }
    }

    private let readingPositions: ReadingPositions
    let environment: Environment
    private let stage: Stage
    /// The place of a start without a target: the unread articles, in the order of the defaults. If the defaults choose a
    /// list by marks, that list; if marks are not stored, all articles.
    public let home: AppRoute
    let sections: AppSections
    private let articles: any ArticleRepository
    /// The ID of the user to whom the positions belong.
    private var owner: String?
    /// The places that were shown before, also before this start. Their articles may have been deleted since.
    private var shown: Set<AppRoute> = []

    /// Creates the application.
    ///
    /// - Parameters:
    ///   - auth: the service for accounts and sessions.
    ///   - articles: the library.
    ///   - tokens: the store of the session token between starts.
    ///   - client: a description of this front for the list of sessions, such as `host, terminal`.
    ///   - origin: the origin of the requests: a network address or a terminal.
    ///   - reading: the store of bookmarks and preferences; nil to store none.
    ///   - marks: the marks of users; nil to store none.
    ///   - subscriptions: the subscriptions of sources; nil if they are not available.
    ///   - imports: the settings for imports; nil if imports are not available.
    ///   - signUp: the options for new accounts.
    ///   - countsLists: whether a list shows its total number of articles. Counting a large library takes longer than
    ///     loading a page, so a front that does not show the number saves that time.
    ///   - defaults: the preferences of a user who has not chosen any.
    ///   - clock: the present time, for marks.
    ///   - workExecutor: the executor for long work; see `Navigator`.
    public init(
        auth: AuthService, articles: any ArticleRepository, tokens: any TokenStore, client: String,
        origin: Origin, reading: (any ReadingStateRepository)? = nil, marks: (any MarkRepository)? = nil,
        subscriptions: Subscriptions? = nil, imports: ImportSettings? = nil,
        signUp: SignUpOptions = SignUpOptions(), countsLists: Bool = true,
        defaults: Defaults = Defaults(),
        clock: @escaping @Sendable () -> Date = { Date() },
        workExecutor: (any TaskExecutor)? = nil
    ) {
        let currentUser = CurrentUser(
            auth: auth, store: tokens, client: client, origin: origin, reading: reading, defaults: defaults)
        let stage = Stage()
        let environment = Environment(
            currentUser: currentUser, signUp: signUp, articles: articles, marks: marks,
            subscriptions: subscriptions, clock: clock, countsLists: countsLists, imports: imports,
            stack: { stage.navigator?.state.frames.map(\.route) ?? [] },
            stackOfFlow: { stage.navigator?.state.stack(of: $0) ?? [] },
            isQuestion: { stage.navigator?.state.question == $0 }, isSilent: { stage.notice == nil },
            show: { stage.notice = $0 })
        let home = Self.home(defaults.list, hasMarks: marks != nil)
        self.currentUser = currentUser
        self.environment = environment
        self.stage = stage
        self.home = home
        let sections = AppSections(home: home, hasMarks: marks != nil)
        self.sections = sections
        self.articles = articles
        readingPositions = ReadingPositions(environment: environment)
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
                    // There is nothing to show here: the gate resumes the deferred target, or shows the start.
                    if case .finished = outcome { [.show([])] } else { [] }
                },
                ChildFlow(.articles) {
                    ArticleCoordinator(flow: $0, environment: environment)
                } ended: { (_: Outcome<Void>) in
                    []
                },
                ChildFlow(.account) {
                    AccountCoordinator(flow: $0, environment: environment)
                } ended: { (_: Outcome<Void>) in
                    []
                },
                .leaving(environment),
            ],
            gate: Self.gate(for: nil, pending: nil, home: home, sections: sections), workExecutor: workExecutor)
        stage.navigator = navigator
        currentUser.onChange = { [weak self] session in self?.currentUserChanged(to: session) }
    }

    /// The place on top.
    public var place: AppRoute { navigator.state.top?.route ?? .welcome }

    /// Restores the saved session, if there is one, and goes to `target`. Without a session, a protected target waits
    /// behind the login. Without a target, the application starts at the bookmark of the session; else at ``home``, or at
    /// the welcome if nobody is signed in.
    ///
    /// If the session of a bookmark has ended, the bookmark waits behind the login for the same user. Screens that can
    /// no longer be decoded or shown are dropped, with those above them.
    ///
    /// - Parameters:
    ///   - target: the place to show.
    ///   - list: the list below an article or a form about it, which determines the article's neighbors; nil for the
    ///     whole library.
    ///   - restoresSections: whether the bookmark of the session gives the other sections their places. A front that shows
    ///     only the target does not need them.
    /// - Throws: the errors of the services.
    public func start(
        at target: AppRoute? = nil, above list: ArticleList? = nil, restoresSections: Bool = false
    ) async throws {
        stage.notice = nil
        let isEntrance = target == .welcome || target == .secondFactor
        let saved = try await currentUser.resume(asksForBookmark: target == nil || isEntrance || restoresSections)
        positions = [:]
        shown = []
        // A signed-in user is past the welcome and the code. Start as without a target.
        let isPassed = isEntrance && (target == .welcome || currentUser.pending == nil)
        let target = isPassed && currentUser.session != nil ? nil : target
        let bookmark = saved.flatMap { Bookmark(text: $0) }
        if target == nil, let bookmark, restore(bookmark) { return }
        let place = target ?? (currentUser.session == nil ? .welcome : home)
        let link = sections.target(to: place, above: list)
        if !restoresSections || bookmark.map({ restore($0, showing: link) }) != true {
            try navigator.perform(.show(link))
        }
        // A flow may check at its start whether it is open to the user.
        await navigator.finishWork()
        if navigator.state.deferred != nil { stage.notice = Notice("Log in to continue.") }
        showRefusal([place])
        // Ignore an error here: if a refusal cannot be recorded, the user must still reach the places that are open to
        // them.
        if place.refusal(of: currentUser.session) != nil {
            let account = currentUser.account
            try? await account.auth.record(.accessRefused, detail: place.screenName, by: account.authority)
        }
    }

    /// Remembers the reading position, in thousandths, in an article that the user leaves. ``saveBookmark()`` saves it
    /// with the marks of the user who is signed in now.
    public func recordReadingPosition(_ position: Int, in article: ArticleReference) {
        readingPositions.record(article, at: position)
    }

    /// Saves the reading positions in articles that the user has left, and nothing else.
    ///
    /// - Throws: the errors of the services.
    public func saveReadingPositions() async throws { try await readingPositions.save() }

    /// Saves the place of the user in the session, so that the next start without a target returns to it. A front calls
    /// this when it ends, and from time to time. The method writes only changes, and nothing if nobody is signed in. It
    /// saves only the positions on screens that are on the stack.
    ///
    /// - Throws: the errors of the services.
    public func saveBookmark() async throws {
        await currentUser.endReplacedSessions()
        try await readingPositions.save()
        let state = navigator.state
        guard let top = state.top?.route else { return }
        try await currentUser.savePreferences()
        // If the stacks are too deep for a bookmark, such as after a thousand links, save only the place on top.
        let states = [state, state.replaced(with: sections.target(to: top))]
        guard let text = states.lazy.compactMap({ Bookmark($0, positions: self.positions).text }).first else { return }
        try await currentUser.saveBookmark(text)
    }

    /// The state as text, for a front that creates an application for each request: ``resume(_:)`` continues with it,
    /// also in another process. It contains passwords and other secrets, so the front must encrypt it, and keep it where
    /// the user cannot change it.
    ///
    /// Finish all work before.
    package var suspended: String {
        get throws {
            var secrets = FlowSecrets()
            let state = navigator.state
            // The flows of the selected section come last, so their data replaces that of flows in other sections.
            for flow in state.flows {
                (navigator.coordinators[flow.id] as? any SecretHolder)?.save(to: &secrets)
            }
            let staying = navigator.heldDestination.flatMap { destination in
                state.frames.firstIndex { $0.id == destination }.map { $0 + 1 }
            }
            return try SuspendedApplication(
                state: state, secrets: secrets, pending: currentUser.pending?.stored,
                message: stage.notice.map { .init(text: $0.text, isError: $0.error != nil) }, staying: staying
            ).text
        }
    }

    /// Continues with a state of ``suspended`` instead of starting at a place, as far as the user may still see it.
    ///
    /// - Returns: false without any effect except for loading the session, if the state cannot be read.
    /// - Throws: the errors of the services.
    package func resume(_ text: String) async throws -> Bool {
        guard let saved = SuspendedApplication(text: text) else { return false }
        try await currentUser.resume(asksForBookmark: false)
        if let pending = saved.pending.flatMap({ PendingLogin(stored: $0) }) { currentUser.waitForCode(pending) }
        let onOpen = navigator.onOpen
        navigator.onOpen = { flow, kind, coordinator in
            onOpen?(flow, kind, coordinator)
            (coordinator as? any SecretHolder)?.restore(from: saved.secrets)
        }
        defer { navigator.onOpen = onOpen }
        guard (try? navigator.restore(saved.state)) != nil else { return false }
        if let staying = saved.staying, navigator.state.frames.indices.contains(staying - 1) {
            _ = navigator.back(to: navigator.state.frames[staying - 1].id)
        }
        stage.notice = saved.message.map { message in
            message.isError ? Notice(EarlierError(description: message.text)) : Notice(message.text)
        }
        showRefusal(saved.state.frames.map(\.route))
        return true
    }

    /// The places, lowest first, that wait behind a login; nil if there are none.
    public var waiting: [AppRoute]? { currentUser.session == nil ? navigator.state.deferred?.target.routes : nil }

    /// Whether the shown state exists only in this object, so that a new object at the same place would start from the
    /// beginning. For example, this holds between the steps of a registration, and between the password and the code of a
    /// login.
    public var isUnderWay: Bool {
        let state = navigator.state
        return currentUser.pending != nil || state.question != nil
            || state.allFrames.contains { $0.route.definition.livesOnce }
            || waiting != nil && !place.isEntrance
            || navigator.coordinators.values.contains { $0.memory != nil }
    }

    /// The message about the last action, for a front that shows no screen for it.
    public var notice: Notice? { stage.notice }

    /// Returns the screen on top, with the message about the last action.
    ///
    /// - Throws: the errors of the services, `ScreenError`, and `ArticleError`.
    public func screen() async throws -> Screen {
        guard var screen = try await shownScreen() else { throw ScreenError.misplaced(place) }
        screen.notice = screen.notice ?? stage.notice
        return screen
    }

    /// Returns the screen of an article to show beside a list. It does not mark the article or offer actions.
    ///
    /// - Returns: nil if the article does not exist or nobody is signed in.
    /// - Throws: the errors of the services.
    public func preview(of reference: ArticleReference) async throws -> Screen? {
        guard currentUser.session != nil, let article = try await articles.article(reference) else { return nil }
        let screen = ArticleScreen(article: article, marks: nil).screen
        return Screen(title: screen.title, content: screen.content)
    }

    /// The list that a wide window shows beside the screen on top; nil without one.
    package var listBelow: ArticleList? {
        let panes = navigator.state.panes(for: .expanded)
        return panes.modal == nil && panes.detail != nil ? panes.list?.route.list : nil
    }

    /// Returns the screen on top as ``screen()`` does, with the content of the panes beside it.
    ///
    /// - Parameter showsList: whether to load the list below an article.
    /// - Throws: the errors of the services, `ScreenError`, and `ArticleError`.
    package func screenWithPanes(
        showsList: Bool = true
    ) async throws -> (screen: Screen, sidebar: Sidebar?, listBelow: ListBelow?) {
        environment.beside = Beside(sources: Sidebar.mostSources) { [weak self] in showsList ? self?.listBelow : nil }
        defer { environment.beside = nil }
        let screen = try await screen()
        let sidebar = environment.beside?.outline.map { self.sidebar($0) }
        let below = environment.beside?.listed.map { ListBelow(listed: $0, additions: environment.additions) }
        return (screen, sidebar, below)
    }

    /// Reports an event to the coordinator of the screen. Long work continues after this method returns; see
    /// `Screen.activity`, `Navigator.onPending`, and `finishWork()`.
    ///
    /// If the session has ended, the method shows the login instead, which leads back to the place. If another screen
    /// is now on top, the event is dropped.
    ///
    /// - Throws: the errors of the services when they check the session.
    public func send(_ event: AppEvent) async throws {
        let screen = navigator.state.top?.id
        stage.notice = nil
        guard try await refreshSession(), let screen else { return }
        navigator.send(event, from: screen)
    }

    /// Waits until all work has finished, for a front that shows one screen and ends.
    public func finishWork() async {
        await navigator.finishWork()
        await currentUser.endReplacedSessions()
    }

    /// Goes back from the screen on top. If data would be lost, a question is shown first. If another screen is now on
    /// top, that one stays.
    ///
    /// - Returns: false if this is the last screen.
    /// - Throws: the errors of the services when they check the session.
    public func back() async throws -> Bool {
        let screen = navigator.state.top?.id
        stage.notice = nil
        guard try await refreshSession(), navigator.state.top?.id == screen else { return true }
        return navigator.back()
    }

    /// Shows a place, for a front with a sidebar. If data would be lost, a question is shown first.
    ///
    /// The lowest place of a section selects the section: it appears as the user left it, and goes back to that place if
    /// it was selected already. Any other place replaces the stack of its section, with the places below it.
    ///
    /// If the session has ended, the method shows the login instead, which leads to the place.
    ///
    /// - Returns: true if the section already shows its lowest place. The front should scroll to the top.
    /// - Throws: `NavigationError`; the errors of the services when they check the session.
    @discardableResult
    public func go(to target: AppRoute) async throws -> Bool {
        stage.notice = nil
        // Go first, so that the login leads to the place.
        var selection: Navigator<AppRoute>.Selection?
        if let section = section(rootedAt: target) {
            selection = try select(section)
        } else {
            try navigator.perform(.show(sections.target(to: target)))
        }
        return try await refreshSession() && selection == .wasAtRoot
    }

    /// Goes to another section in which work is running, such as an import. A front calls it before it ends, because the
    /// work would end with it unseen.
    ///
    /// - Returns: whether such a section exists.
    public func goToWork() throws -> Bool {
        let sections = navigator.state.sections.map(\.id).filter { $0 != navigator.state.section }
        guard let section = sections.first(where: navigator.hasWork(in:)) else { return false }
        try navigator.select(section)
        stage.notice = Notice("This is still running, and ends if you quit now.")
        return true
    }

    /// Returns the section whose lowest place this is; nil for another place, or if nobody is signed in.
    private func section(rootedAt place: AppRoute) -> AppSection? {
        navigator.state.sections.isEmpty ? nil : sections.section(rootedAt: place)
    }

    private func select(_ section: AppSection) throws -> Navigator<AppRoute>.Selection? {
        // Selecting a section loses nothing, so a question about an earlier move is over.
        if navigator.state.question != nil { navigator.back() }
        let root = sections.place(of: section)
        // A search or another order replaces the lowest list.
        if navigator.state.section == section.id, navigator.state.frames.first?.route != root {
            try navigator.perform(.show(Target([root]).in(section.id)))
            return .wentToRoot
        }
        return try navigator.select(section.id)
    }

    /// Checks that the signed-in user may change articles, for a front with its own editor. The permission is the one
    /// for imports.
    ///
    /// - Throws: `AuthError` if the user may not; the errors of the services. If the session has ended, the login is
    ///   on top.
    public func authorizeEditing() async throws {
        _ = try await refreshSession()
        guard currentUser.session != nil else { throw AuthError.notLoggedIn }
        if let refusal = AppRoute.importing.refusal(of: currentUser.session) { throw refusal }
    }

    /// Checks again whether the user is still signed in and may still see the present place, for a front that shows a
    /// screen again after some time. If not, the login or a permitted place is on top, and a message says why.
    ///
    /// - Throws: the errors of the services.
    public func reconsider() async throws { _ = try await refreshSession() }

    /// Checks the session and the role again. Returns false if the session has ended, so that the login is on top, or if a new role
    /// does not permit the present place.
    private func refreshSession() async throws -> Bool {
        // Handle results of work first. A new password, for example, has brought a new session.
        navigator.settle()
        await currentUser.endReplacedSessions()
        let (wasSignedIn, role) = (currentUser.session != nil, currentUser.session?.user.role)
        try await currentUser.refresh()
        guard wasSignedIn, currentUser.session == nil else {
            guard currentUser.session?.user.role != role else { return true }
            // The new role may not permit the present place.
            let places = navigator.state.frames.map(\.route)
            navigator.reconsider()
            showRefusal(places)
            return navigator.state.frames.map(\.route) == places
        }
        navigator.reconsider()
        stage.notice = Self.sessionEnded
        return false
    }

    /// Shows the places of a bookmark, or the login that leads to them.
    ///
    /// - Parameter link: the target to show instead of the stack of its section; nil for none.
    /// - Returns: false without any effect if the owner is missing or one of the flows no longer exists, or if the bookmark
    ///   would have to wait behind the login together with a link.
    private func restore(_ bookmark: Bookmark, showing link: Target<AppRoute>? = nil) -> Bool {
        var state = inSection(bookmark.state)
        guard state.top != nil, let owner = state.subject else { return false }
        var places = Set(state.allFrames.map(\.route))
        if let link {
            guard owner == currentUser.session.map({ String($0.user.id) }),
                let linked = try? state.applying(.show(link))
            else { return false }
            state = linked
            places.subtract(link.routes)
        }
        guard (try? navigator.restore(state)) != nil else { return false }
        positions = bookmark.positions
        self.owner = owner
        shown = places
        if navigator.state.deferred != nil { stage.notice = Self.sessionEnded }
        return true
    }

    /// Returns a state of a version without sections as the stack of the section to which its topmost place belongs.
    private func inSection(_ state: NavigationState<AppRoute>) -> NavigationState<AppRoute> {
        guard state.section == nil, let section = sections.section(of: state.frames.map(\.route)) else { return state }
        return state.replaced(with: state.target.in(section.id))
    }

    /// Shows a message if the signed-in user may not see one of these places.
    private func showRefusal(_ places: [AppRoute]) {
        let refusals = places.compactMap { $0.refusal(of: currentUser.session) }
        if let refusal = refusals.last { stage.notice = Notice(refusal) }
    }

    private func currentUserChanged(to session: Session?) {
        navigator.gate = Self.gate(for: session, pending: currentUser.pending, home: home, sections: sections)
        // The deferred target is shown now, unless the user may not see it.
        showRefusal(navigator.state.deferred?.target.routes ?? [])
        guard let session, String(session.user.id) != owner else { return }
        owner = String(session.user.id)
        positions = [:]
        shown = []
    }

    /// Returns the screen on top. If a list that was shown before cannot continue at its position, it begins again. If a
    /// place can no longer be shown, such as a deleted article, it is replaced by the one below it, and the lowest one by
    /// the home of its section.
    private func shownScreen() async throws -> Screen? {
        while true {
            do {
                let screen = try await navigator.screen()
                shown.insert(place)
                return screen
            } catch
                where (error is ScreenError || error is ArticleError || error is CursorError)
                && shown.remove(place) != nil
            {
                stage.notice = Notice(error)
                if error is CursorError, let list = place.list {
                    let beginning = AppRoute.articles(ArticleList(query: list.query, limit: list.limit))
                    try navigator.perform(.replace(beginning))
                } else if (try? navigator.perform(.pop(1))) == nil {
                    try navigator.perform(.show([]))
                }
            }
        }
    }

    private static var sessionEnded: Notice { Notice("Your session has ended. Log in to continue.") }

    /// Returns the gate for a session. The sections exist only after the login.
    private static func gate(
        for session: Session?, pending: PendingLogin?, home: AppRoute, sections: AppSections
    ) -> Gate<AppRoute> {
        Gate(
            subject: session.map { String($0.user.id) }, home: [home],
            sections: session == nil ? [] : sections.declared, backAtRoot: .firstSection
        ) {
            $0.verdict(for: session, pending: pending)
        }
    }

    private static func home(_ list: ArticleList, hasMarks: Bool) -> AppRoute {
        var list = list
        if hasMarks, list.query.marks.isEmpty { list.query.marks = .unread }
        return .articles(list)
    }
}

extension NavigationState<AppRoute> {
    /// Returns the places of the stack, in any section, to which a flow belongs.
    fileprivate func stack(of flow: FlowID) -> [AppRoute] {
        let stacks = [frames] + sections.map { frames(in: $0.id) }
        return stacks.first { $0.contains { $0.flow == flow } }?.map(\.route) ?? []
    }

    /// Returns the state of the same user that has only the stack of a target.
    fileprivate func replaced(with target: Target<AppRoute>) -> Self {
        let sections = target.section.map { [NavigationSection<AppRoute>($0, home: [])] } ?? []
        return Gate(subject: subject, sections: sections).judging(Self(target))
    }
}

/// The part of the application that its coordinators can access.
private final class Stage {
    weak var navigator: Navigator<AppRoute>?
    /// The message for the next screen.
    var notice: Notice?
}

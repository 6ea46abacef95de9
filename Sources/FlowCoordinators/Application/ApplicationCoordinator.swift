public import ArticleStore
public import AuthService
public import Navigation

/// The application: it opens the flows, keeps the gate, and is what a front talks to.
///
/// A front calls `start(at:)`, then shows `screen()` and sends what is done on it with `send(_:)` or `back()`, for as
/// long as it likes. It names no actor: it runs where its owner runs.
public final class ApplicationCoordinator {
    /// The state, the journal and the coordinators.
    public let navigator: Navigator<AppRoute>
    /// Who is signed in.
    public let signedIn: SignedIn

    private let messages: Messages

    /// - Parameters:
    ///   - auth: the accounts and the sessions.
    ///   - articles: the library.
    ///   - tokens: where the token of the session is kept between starts.
    ///   - client: where this front runs, as the list of sessions shows it, such as `host, terminal`.
    public init(auth: AuthService, articles: any ArticleRepository, tokens: any TokenStore, client: String) {
        let signedIn = SignedIn(auth: auth, store: tokens, client: client)
        let messages = Messages()
        let environment = Environment(signedIn: signedIn, articles: articles) { messages.notice = $0 }
        self.signedIn = signedIn
        self.messages = messages
        navigator = Navigator(
            children: [
                ChildFlow(.welcome) {
                    WelcomeCoordinator(flow: $0)
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
            ],
            gate: Self.gate(for: nil))
        signedIn.onChange = { [weak navigator] session in navigator?.gate = Self.gate(for: session) }
    }

    /// The place on top.
    public var place: AppRoute { navigator.state.top?.route ?? .welcome }

    /// Takes up the session that is kept, if there is one, and goes to `target`, or to what leads there: without a
    /// session, a protected place waits behind the log-in. Without a target it is the list of articles, or the welcome.
    ///
    /// - Throws: what the services throw.
    public func start(at target: AppRoute? = nil) async throws {
        try await signedIn.resume()
        let place = target ?? (signedIn.session == nil ? .welcome : .articles())
        try await navigator.perform(.show(place.ancestors + [place]))
    }

    /// The screen on top, with the notice of what was done last.
    ///
    /// - Throws: what the services throw, and `ScreenError`.
    public func screen() async throws -> Screen {
        guard var screen = try await navigator.screen() else { throw ScreenError.misplaced(place) }
        screen.notice = screen.notice ?? messages.notice
        return screen
    }

    /// Tells the screen's coordinator what was done on it. When the session has ended in the meantime, leads to the
    /// log-in instead, and after it back to the place.
    ///
    /// - Throws: what the services throw when they are asked whether the session still stands.
    public func send(_ event: AppEvent) async throws {
        messages.notice = nil
        guard try await isStillSignedIn() else { return }
        await navigator.send(event)
    }

    /// Goes back.
    ///
    /// - Returns: false when there is nothing to go back to.
    /// - Throws: what the services throw when they are asked whether the session still stands.
    public func back() async throws -> Bool {
        messages.notice = nil
        guard try await isStillSignedIn() else { return true }
        return await navigator.back()
    }

    /// False when who was signed in is not any more; then the log-in is on top.
    private func isStillSignedIn() async throws -> Bool {
        let wasSignedIn = signedIn.session != nil
        try await signedIn.refresh()
        guard wasSignedIn, signedIn.session == nil else { return true }
        await navigator.reconsider()
        messages.notice = Notice("Your session has ended. Log in to go on.")
        return false
    }

    private static func gate(for session: Session?) -> Gate<AppRoute> {
        let isSignedIn = session != nil
        return Gate(
            subject: session.map { String($0.user.id) }, entrance: [.welcome, .login()], home: [.articles()],
            admits: { isSignedIn || !$0.isProtected })
    }
}

/// What there is to say on the next screen.
private final class Messages {
    var notice: Notice?
}

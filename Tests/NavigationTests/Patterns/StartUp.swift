import Navigation
import Testing

// The code of the page StartUp. A test compares the two.

private enum AppRoute: Route {
    case login, list
    case article(Int)

    enum Event: NavigationEvent {
        case loggedIn(as: String)
        case loggedOut
        case selected(Int)
    }

    struct Screen {
        let route: AppRoute
        let report: Outlet<Event>
    }

    var flow: FlowKind { "app" }

    var path: String {
        switch self {
        case .login: "/login"
        case .list: "/articles"
        case .article(let number): "/articles/\(number)"
        }
    }

    var screenName: String { if case .article = self { "/articles/<number>" } else { path } }

    init?(path: String) {
        switch path.split(separator: "/") {
        case ["login"]: self = .login
        case ["articles"]: self = .list
        case let words where words.count == 2 && words[0] == "articles":
            guard let number = Int(words[1]) else { return nil }
            self = .article(number)
        default: return nil
        }
    }
}

extension AppRoute {
    /// Where a front that keeps its storyboards finds the screen.
    var scene: (storyboard: String, identifier: String) {
        switch self {
        case .login: ("Login", "LoginViewController")
        case .list: ("Articles", "ArticleListViewController")
        case .article: ("Articles", "ArticleDetailViewController")
        }
    }
}

private final class Session {
    private(set) var user: String?
    var onChange: () -> Void = {}

    init(user: String? = nil) { self.user = user }

    func begin(as name: String) {
        user = name
        onChange()
    }

    func end() {
        user = nil
        onChange()
    }
}

private final class ApplicationCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let session: Session

    init(_ flow: Flow<AppRoute, Void>, session: Session) {
        self.flow = flow
        self.session = session
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        switch event {
        case .loggedIn(let name): session.begin(as: name)
        case .loggedOut: session.end()
        case .selected(let article): flow.push(.article(article))
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        AppRoute.Screen(route: route, report: outlet)
    }
}

private final class Application {
    let navigator: Navigator<AppRoute>
    private let session: Session

    init(session: Session) {
        self.session = session
        navigator = Navigator(children: [
            ChildFlow("app", make: { ApplicationCoordinator($0, session: session) }) { _ in [] }
        ])
    }

    /// Shows these places, or the first one; or the log-in, where they need one.
    func start(at routes: [AppRoute] = []) async throws {
        session.onChange = { [weak self] in self?.decide() }
        decide()
        try await navigator.perform(.show(routes))
    }

    private func decide() {
        let user = session.user
        navigator.gate = Gate(subject: user, entrance: [.login], home: [.list]) { route in
            (route == .login) == (user == nil)
        }
    }
}

@Suite("The page StartUp", .application())
struct StartUpTests {
    private func paths(_ application: Application) -> [String] {
        application.navigator.state.frames.map(\.route.path)
    }

    @Test("shows the log-in where nobody is logged in, and leads to the list and back")
    func story() async throws {
        let session = Session()
        let application = Application(session: session)
        try await application.start()
        #expect(paths(application) == ["/login"])
        try await application.navigator.screen()?.report(.loggedIn(as: "Ada"))
        await application.navigator.settle()
        #expect(session.user == "Ada")
        #expect(paths(application) == ["/articles"])
        try await application.navigator.screen()?.report(.loggedOut)
        await application.navigator.settle()
        #expect(session.user == nil)
        #expect(paths(application) == ["/login"])
    }

    @Test("shows the list at once where somebody is logged in")
    func remembered() async throws {
        let application = Application(session: Session(user: "Ada"))
        try await application.start()
        #expect(paths(application) == ["/articles"])
        #expect(!application.navigator.journal.edges.contains { $0.from == "/login" })
    }

    @Test("decides again whenever the session ends, wherever the user is")
    func decidesAgain() async throws {
        let session = Session(user: "Ada")
        let application = Application(session: session)
        try await application.start()
        await application.navigator.send(.selected(7))
        session.end()
        await application.navigator.settle()
        #expect(paths(application) == ["/login"])
        await application.navigator.send(.loggedIn(as: "Ada"))
        #expect(paths(application) == ["/articles", "/articles/7"])
    }

    @Test("decides for a link as it does for a start without one")
    func link() async throws {
        let route = try #require(AppRoute(path: "/articles/7"))
        let application = Application(session: Session())
        try await application.start(at: [.list, route])
        #expect(paths(application) == ["/login"])
        await application.navigator.send(.loggedIn(as: "Ada"))
        #expect(paths(application) == ["/articles", "/articles/7"])
    }

    @Test("owns its coordinator by the navigator, and a screen that is held longer is silent")
    func owner() async throws {
        weak var coordinator: (any Coordinator<AppRoute>)?
        let session = Session()
        let screen: AppRoute.Screen?
        do {
            let application = Application(session: session)
            try await application.start()
            coordinator = application.navigator.coordinators.values.first
            #expect(coordinator != nil)
            screen = try await application.navigator.screen()
        }
        #expect(coordinator == nil)
        screen?.report(.loggedIn(as: "Ada"))
        #expect(session.user == nil)
    }

    @Test(
        "finds the scene of each route in its storyboard",
        .application([
            "Login": ["LoginViewController": { UITableViewController() }],
            "Articles": [
                "ArticleListViewController": { UITableViewController() },
                "ArticleDetailViewController": { UITableViewController() },
            ],
        ]),
        arguments: ["/login", "/articles", "/articles/7"])
    @MainActor
    func scenes(path: String) throws {
        let scene = try #require(AppRoute(path: path)).scene
        let storyboard = UIStoryboard(name: scene.storyboard, bundle: nil)
        #expect(storyboard.instantiateViewController(withIdentifier: scene.identifier) is UITableViewController)
    }
}

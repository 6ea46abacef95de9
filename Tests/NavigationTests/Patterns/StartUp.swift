import Navigation
import Testing

// The code of the page StartUp. A test compares the two.

private enum AppRoute: Route {
    case login, list
    case article(Int)

    enum Event: NavigationEvent {
        case submitted(name: String)
        case loggedIn(as: String)
        case refused
        case selected(Int)
        case logOutTapped, loggedOut
    }

    struct Screen {
        let route: AppRoute
        let isBusy: Bool
        let report: Outlet<Event>
    }

    var flow: FlowKind { "app" }

    var path: String {
        switch self {
        case .login: "/login"
        case .list: "/articles"
        case .article(let number): RoutePath("articles", "\(number)").text
        }
    }

    var screenName: String { if case .article = self { "/articles/<number>" } else { path } }

    init?(path: String) {
        switch RoutePath(parsing: path)?.segments {
        case ["login"]: self = .login
        case ["articles"]: self = .list
        case let words? where words.count == 2 && words[0] == "articles":
            guard let number = Int(words[1]) else { return nil }
            self = .article(number)
        default: return nil
        }
    }
}

extension AppRoute {
    /// Returns the screen for a front that keeps its storyboards.
    var scene: (storyboard: String, identifier: String) {
        switch self {
        case .login: ("Login", "LoginViewController")
        case .list: ("Articles", "ArticleListViewController")
        case .article: ("Articles", "ArticleDetailViewController")
        }
    }
}

private struct Server: Sendable {
    /// The user from the last start.
    let user: @Sendable () async -> String?
    let admits: @Sendable (_ name: String) async -> Bool
}

private final class Session {
    var onChange: () -> Void = {}
    private(set) var user: String? {
        didSet { onChange() }
    }

    func begin(as name: String) { user = name }
    func end() { user = nil }
}

private final class ApplicationCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let server: Server
    let session: Session

    init(_ flow: Flow<AppRoute, Void>, server: Server, session: Session) {
        self.flow = flow
        self.server = server
        self.session = session
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .submitted(let name):
            flow.run("log-in") { [server] in await server.admits(name) ? .loggedIn(as: name) : .refused }
        case .loggedIn(let name): session.begin(as: name)
        case .refused: break
        case .selected(let article): flow.push(.article(article))
        case .logOutTapped: flow.leaveAll(then: .loggedOut)
        case .loggedOut:
            session.end()
            flow.show([.login])
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        AppRoute.Screen(route: route, isBusy: flow.isRunning("log-in"), report: outlet)
    }
}

private final class Application {
    let navigator: Navigator<AppRoute>
    private let server: Server
    private let session: Session

    init(server: Server, session: Session) {
        self.server = server
        self.session = session
        navigator = Navigator(children: [
            ChildFlow("app", make: { ApplicationCoordinator($0, server: server, session: session) }) { _ in [] }
        ])
    }

    /// Shows a target, or the home screens; or the login, if the target needs one.
    func start(at target: Target<AppRoute>? = nil) async throws {
        session.onChange = { [weak self] in self?.decide() }
        if let user = await server.user() { session.begin(as: user) } else { session.end() }
        if let target { try navigator.perform(.show(target)) } else { navigator.settle() }
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
    private let session = Session()

    private func makeApplication(user: String? = nil, takes: AsyncStream<Void>? = nil) -> Application {
        let server = Server(
            user: { user },
            admits: { name in
                if let takes { for await _ in takes { break } }
                return name == "Ada"
            })
        return Application(server: server, session: session)
    }

    private func paths(_ application: Application) -> [String] {
        application.navigator.state.frames.map(\.route.path)
    }

    @Test("The login is shown to nobody's session, and leads to the list and back")
    func story() async throws {
        let application = makeApplication()
        try await application.start()
        #expect(paths(application) == ["/login"])
        try await application.navigator.screen()?.report(.submitted(name: "Ada"))
        await application.navigator.finishWork()
        #expect(session.user == "Ada")
        #expect(paths(application) == ["/articles"])
        try await application.navigator.screen()?.report(.logOutTapped)
        application.navigator.settle()
        #expect(session.user == nil)
        #expect(paths(application) == ["/login"])
    }

    @Test("The login stays if the server refuses")
    func refused() async throws {
        let application = makeApplication()
        try await application.start()
        application.navigator.send(.submitted(name: "Eve"))
        await application.navigator.finishWork()
        #expect(session.user == nil)
        #expect(paths(application) == ["/login"])
    }

    @Test("The screen is busy and not blocked while the server is asked")
    func slow() async throws {
        let (takes, answer) = AsyncStream.makeStream(of: Void.self)
        let application = makeApplication(takes: takes)
        try await application.start()
        #expect(try await application.navigator.screen()?.isBusy == false)
        application.navigator.send(.submitted(name: "Ada"))
        #expect(try await application.navigator.screen()?.isBusy == true)
        #expect(paths(application) == ["/login"])
        answer.yield()
        await application.navigator.finishWork()
        #expect(paths(application) == ["/articles"])
    }

    @Test("A signed-in user sees the list immediately")
    func remembered() async throws {
        let application = makeApplication(user: "Ada")
        try await application.start()
        #expect(
            application.navigator.journal.entries == [
                .transition(before: [], after: ["/articles"]), .started("app"),
            ])
    }

    @Test("The decision is made again whenever the session ends, at any place, and the user continues there")
    func decidesAgain() async throws {
        let application = makeApplication(user: "Ada")
        try await application.start()
        application.navigator.send(.selected(7))
        session.end()
        application.navigator.settle()
        #expect(paths(application) == ["/login"])
        application.navigator.send(.loggedIn(as: "Ada"))
        #expect(paths(application) == ["/articles", "/articles/7"])
    }

    @Test("A logout forgets the place")
    func forgets() async throws {
        let application = makeApplication(user: "Ada")
        try await application.start(at: [.list, .article(7)])
        application.navigator.send(.logOutTapped)
        #expect(paths(application) == ["/login"])
        application.navigator.send(.loggedIn(as: "Ada"))
        #expect(paths(application) == ["/articles"])
    }

    @Test("A link gets the same decision as a start without one")
    func link() async throws {
        let route = try #require(AppRoute(path: "/articles/7"))
        let application = makeApplication()
        try await application.start(at: [.list, route])
        #expect(paths(application) == ["/login"])
        application.navigator.send(.loggedIn(as: "Ada"))
        #expect(paths(application) == ["/articles", "/articles/7"])
    }

    @Test("The navigator owns the coordinator, and a screen that is held longer is silent")
    func owner() async throws {
        weak var coordinator: (any Coordinator<AppRoute>)?
        let screen: AppRoute.Screen?
        do {
            let application = makeApplication()
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
        "The storyboard has the scene of each route",
        .application([
            "Login": ["LoginViewController": { UITableViewController() }],
            "Articles": [
                "ArticleListViewController": { UITableViewController() },
                "ArticleDetailViewController": { UITableViewController() },
            ],
        ]),
        arguments: ["/login", "/articles", "/articles/7"])
    func scenes(path: String) async throws {
        let route = try #require(AppRoute(path: path))
        let isFound = await MainActor.run {
            UIStoryboard(name: route.scene.storyboard, bundle: nil)
                .instantiateViewController(withIdentifier: route.scene.identifier) is UITableViewController
        }
        #expect(isFound)
    }
}

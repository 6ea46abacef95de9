import Navigation
import Testing

// The code of the page ChildCoordinators. A test compares the two.

private struct User: Equatable {
    var region = ""
    var name = ""
}

private enum AppRoute: Route {
    case login(name: String = "")
    case region, username, password
    case list
    case article(Int)

    enum Event: NavigationEvent {
        case submitted, registerTapped, logOutTapped
        case choseRegion(String)
        case choseName(String)
        case chosePassword(String)
        case selected(Int)
    }

    enum Screen {
        case region(RegionScreen)
        case username(UsernameScreen)
        case password(PasswordScreen)
        case other(String)
    }

    var flow: FlowKind {
        switch self {
        case .login: "login"
        case .region, .username, .password: "sign-up"
        case .list, .article: "articles"
        }
    }

    var path: String {
        switch self {
        case .login(let name): name.isEmpty ? "/login" : "/login/\(name)"
        case .region: "/sign-up/region"
        case .username: "/sign-up/username"
        case .password: "/sign-up/password"
        case .list: "/articles"
        case .article(let number): "/articles/\(number)"
        }
    }

    var screenName: String {
        switch self {
        case .login: "/login"
        case .article: "/articles/<number>"
        default: path
        }
    }

    init?(path: String) { nil }
}

private struct RegionScreen {
    let regions = ["Africa", "America", "Asia", "Europe", "Oceania"]
    let report: Outlet<AppRoute.Event>

    func select(row: Int) {
        guard regions.indices.contains(row) else { return }
        report(.choseRegion(regions[row]))
    }
}

private struct UsernameScreen {
    let report: Outlet<AppRoute.Event>

    func next(username: String) {
        guard !username.isEmpty else { return }
        report(.choseName(username))
    }
}

private struct PasswordScreen {
    let report: Outlet<AppRoute.Event>

    func register(password: String, confirmation: String) {
        guard !password.isEmpty, password == confirmation else { return }
        report(.chosePassword(password))
    }
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let register: (User, _ password: String) -> Void

    init(_ flow: Flow<AppRoute, Void>, register: @escaping (User, _ password: String) -> Void) {
        self.flow = flow
        self.register = register
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .submitted: flow.finish()
        case .registerTapped: flow.begin(.region)
        default: break
        }
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow("sign-up", make: { [register] in SignUpCoordinator($0, register: register) }) { outcome in
                if case .finished(let user) = outcome { [.replace(.login(name: user.name))] } else { [] }
            }
        ]
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        .other(route.path)
    }
}

private final class SignUpCoordinator: Coordinator {
    let flow: Flow<AppRoute, User>
    private let register: (User, _ password: String) -> Void
    private var user = User()

    init(_ flow: Flow<AppRoute, User>, register: @escaping (User, _ password: String) -> Void) {
        self.flow = flow
        self.register = register
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .choseRegion(let region):
            user.region = region
            flow.push(.username)
        case .choseName(let name):
            user.name = name
            flow.push(.password)
        case .chosePassword(let password):
            register(user, password)
            flow.finish(with: user)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        switch route {
        case .region: .region(RegionScreen(report: outlet))
        case .username: .username(UsernameScreen(report: outlet))
        case .password: .password(PasswordScreen(report: outlet))
        default: .other(route.path)
        }
    }
}

private final class ArticleCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .selected(let article): flow.push(.article(article))
        case .logOutTapped: flow.finish()
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        .other(route.path)
    }
}

private func makeApplication(register: @escaping (User, _ password: String) -> Void) -> Navigator<AppRoute> {
    Navigator(children: [
        ChildFlow("login", make: { LoginCoordinator($0, register: register) }) { (outcome: Outcome<Void>) in
            if case .finished = outcome { [.show([.list])] } else { [] }
        },
        ChildFlow("articles", make: { ArticleCoordinator($0) }) { (outcome: Outcome<Void>) in
            if case .finished = outcome { [.show([.login()])] } else { [] }
        },
    ])
}

private let storyboards = FlowGraph(
    nodes: [
        .init(AppRoute.login()),
        .init(AppRoute.region), .init(AppRoute.username), .init(AppRoute.password),
        .init(AppRoute.list), .init(AppRoute.article(1)),
    ],
    edges: [
        .init(AppRoute.login(), .registerTapped, to: .region),
        .init(AppRoute.region, .choseRegion("<region>"), to: .username),
        .init(AppRoute.username, .choseName("<name>"), to: .password),
        .init(AppRoute.password, .chosePassword("<password>"), to: .login()),
        .init(AppRoute.login(), .submitted, to: .list),
        .init(AppRoute.list, .selected(1), to: .article(1)),
        .back(AppRoute.article(1), to: .list),
        .init(AppRoute.list, .logOutTapped, to: .login()),
    ])

/// The registered users.
private final class Registered {
    var users: [User] = []
    var passwords: [String] = []
}

@Suite("The page ChildCoordinators")
struct ChildCoordinatorsTests {
    private let registered: Registered
    private let navigator: Navigator<AppRoute>

    init() {
        let registered = Registered()
        self.registered = registered
        navigator = makeApplication { user, password in
            registered.users.append(user)
            registered.passwords.append(password)
        }
    }

    private var paths: [String] { navigator.state.frames.map(\.route.path) }

    private func coordinator(of kind: FlowKind) -> (any Coordinator<AppRoute>)? {
        navigator.state.flows.last { $0.kind == kind }.flatMap { navigator.coordinators[$0.id] }
    }

    private func selectRegion(row: Int) async throws {
        let shown = try await navigator.screen()
        guard case .region(let screen) = shown else { throw Unexpected(shown) }
        screen.select(row: row)
        navigator.settle()
    }

    private func next(username: String) async throws {
        let shown = try await navigator.screen()
        guard case .username(let screen) = shown else { throw Unexpected(shown) }
        screen.next(username: username)
        navigator.settle()
    }

    private func register(password: String, confirmation: String) async throws {
        let shown = try await navigator.screen()
        guard case .password(let screen) = shown else { throw Unexpected(shown) }
        screen.register(password: password, confirmation: confirmation)
        navigator.settle()
    }

    @Test("The sign-up has three steps, and ends at the login with the name filled in")
    func signsUp() async throws {
        try navigator.perform(.show([.login()]))
        navigator.send(.registerTapped)
        weak let signUp = coordinator(of: "sign-up")
        #expect(signUp != nil)
        try await selectRegion(row: 3)
        try await next(username: "ada")
        #expect(paths == ["/login", "/sign-up/region", "/sign-up/username", "/sign-up/password"])
        try await register(password: "correct horse", confirmation: "correct horse")
        #expect(paths == ["/login/ada"])
        #expect(registered.users == [User(region: "Europe", name: "ada")])
        #expect(registered.passwords == ["correct horse"])
        #expect(signUp == nil)
        #expect(navigator.state.flows.map(\.kind) == ["login"])
    }

    @Test("The sign-up does not accept an empty field or two different passwords")
    func guards() async throws {
        try navigator.perform(.show([.login()]))
        navigator.send(.registerTapped)
        try await selectRegion(row: 5)
        #expect(paths.last == "/sign-up/region")
        try await selectRegion(row: 3)
        try await next(username: "")
        #expect(paths.last == "/sign-up/username")
        try await next(username: "ada")
        for (password, confirmation) in [("", ""), ("one", ""), ("", "one"), ("one", "two")] {
            try await register(password: password, confirmation: confirmation)
            #expect(paths.last == "/sign-up/password", "\(password) \(confirmation)")
        }
        #expect(registered.users.isEmpty)
    }

    @Test("Going back releases the sign-up with its input")
    func back() async throws {
        try navigator.perform(.show([.login()]))
        navigator.send(.registerTapped)
        try await selectRegion(row: 3)
        weak let signUp = coordinator(of: "sign-up")
        #expect(navigator.back())
        #expect(signUp != nil)
        #expect(navigator.back())
        #expect(signUp == nil)
        #expect(paths == ["/login"])
        #expect(navigator.journal.entries.contains(.ended("sign-up", .cancelled)))
    }

    @Test("Log-in and articles are separate children, and the one that is left is released")
    func split() async throws {
        try navigator.perform(.show([.login()]))
        weak let login = coordinator(of: "login")
        #expect(login != nil)
        navigator.send(.submitted)
        #expect(paths == ["/articles"])
        #expect(login == nil)
        weak let articles = coordinator(of: "articles")
        #expect(articles != nil)
        navigator.send(.selected(2))
        #expect(paths == ["/articles", "/articles/2"])
        #expect(navigator.back())
        navigator.send(.logOutTapped)
        #expect(paths == ["/login"])
        #expect(articles == nil)
    }

    @Test("The child that has ended is removed, whatever began after it")
    func whicheverEnded() async throws {
        try navigator.perform(.show([.list]), .begin(.login()))
        weak let articles = coordinator(of: "articles")
        weak let login = coordinator(of: "login")
        #expect(articles != nil)
        navigator.send(.submitted)
        #expect(login == nil)
        #expect(articles != nil)
        #expect(paths == ["/articles"])
    }

    @Test("A flow that begins above another screen keeps that screen")
    func fromElsewhere() async throws {
        try navigator.perform(.show([.list]), .begin(.login()))
        navigator.send(.registerTapped)
        try await selectRegion(row: 0)
        try await next(username: "ada")
        try await register(password: "one", confirmation: "one")
        #expect(paths == ["/articles", "/login/ada"])
    }

    @Test("The graph has a box for each storyboard, and every arrow in it is taken")
    func boxes() async throws {
        try navigator.perform(.show([.login()]))
        navigator.send(.registerTapped)
        try await selectRegion(row: 3)
        try await next(username: "ada")
        try await register(password: "one", confirmation: "one")
        navigator.send(.submitted)
        navigator.send(.selected(2))
        _ = navigator.back()
        navigator.send(.logOutTapped)
        #expect(storyboards.undeclared(in: navigator.journal) == [])
        #expect(storyboards.untaken(by: navigator.journal) == [])
        let boxes = storyboards.mermaid().split(separator: "\n").filter { $0.contains("subgraph") }
        #expect(boxes.map { $0.split(separator: "\"")[1] } == ["login", "sign-up", "articles"])
    }
}

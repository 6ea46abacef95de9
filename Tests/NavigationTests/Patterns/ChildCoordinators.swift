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

    enum Event: NavigationEvent {
        case submitted, registerTapped, logOutTapped
        case choseRegion(String)
        case choseName(String)
        case chosePassword(String)
    }
    typealias Screen = String

    var flow: FlowKind {
        switch self {
        case .login: "login"
        case .region, .username, .password: "sign-up"
        case .list: "articles"
        }
    }

    var path: String {
        switch self {
        case .login(let name): name.isEmpty ? "/login" : "/login/\(name)"
        case .region: "/sign-up/region"
        case .username: "/sign-up/username"
        case .password: "/sign-up/password"
        case .list: "/articles"
        }
    }

    var screenName: String { if case .login = self { "/login" } else { path } }

    init?(path: String) { nil }
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        switch event {
        case .submitted: flow.finish()
        case .registerTapped: flow.begin(.region)
        default: break
        }
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow("sign-up", make: { SignUpCoordinator($0) }) { outcome in
                if case .finished(let user) = outcome { [.replace(.login(name: user.name))] } else { [] }
            }
        ]
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> String { route.path }
}

private final class SignUpCoordinator: Coordinator {
    let flow: Flow<AppRoute, User>
    private var user = User()

    init(_ flow: Flow<AppRoute, User>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        switch event {
        case .choseRegion(let region):
            user.region = region
            flow.push(.username)
        case .choseName(let name):
            user.name = name
            flow.push(.password)
        case .chosePassword: flow.finish(with: user)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> String { route.path }
}

private final class ArticleCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        if case .logOutTapped = event { flow.finish() }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> String { route.path }
}

private func makeApplication() -> Navigator<AppRoute> {
    Navigator(children: [
        ChildFlow("login", make: { LoginCoordinator($0) }) { (outcome: Outcome<Void>) in
            if case .finished = outcome { [.show([.list])] } else { [] }
        },
        ChildFlow("articles", make: { ArticleCoordinator($0) }) { (outcome: Outcome<Void>) in
            if case .finished = outcome { [.show([.login()])] } else { [] }
        },
    ])
}

@Suite("The page ChildCoordinators")
struct ChildCoordinatorsTests {
    private let navigator = makeApplication()

    private var paths: [String] { navigator.state.frames.map(\.route.path) }

    private func coordinator(of kind: FlowKind) -> (any Coordinator<AppRoute>)? {
        navigator.state.flows.last { $0.kind == kind }.flatMap { navigator.coordinators[$0.id] }
    }

    @Test("signs up in three steps, and is back at the log-in with the name filled in")
    func signsUp() async throws {
        try await navigator.perform(.show([.login()]))
        await navigator.send(.registerTapped)
        weak let signUp = coordinator(of: "sign-up")
        #expect(signUp != nil)
        await navigator.send(.choseRegion("SE"))
        await navigator.send(.choseName("ada"))
        #expect(paths == ["/login", "/sign-up/region", "/sign-up/username", "/sign-up/password"])
        await navigator.send(.chosePassword("correct horse"))
        #expect(paths == ["/login/ada"])
        #expect(signUp == nil)
        #expect(navigator.state.flows.map(\.kind) == ["login"])
    }

    @Test("releases a sign-up that is left by going back, and what was typed with it")
    func back() async throws {
        try await navigator.perform(.show([.login()]))
        await navigator.send(.registerTapped)
        await navigator.send(.choseRegion("SE"))
        weak let signUp = coordinator(of: "sign-up")
        #expect(await navigator.back())
        #expect(signUp != nil)
        #expect(await navigator.back())
        #expect(signUp == nil)
        #expect(paths == ["/login"])
        #expect(navigator.journal.entries.contains(.ended("sign-up", .cancelled)))
    }

    @Test("goes from the log-in to the articles and back, releasing the child that is left")
    func logsInAndOut() async throws {
        try await navigator.perform(.show([.login()]))
        weak let login = coordinator(of: "login")
        await navigator.send(.submitted)
        #expect(paths == ["/articles"])
        #expect(login == nil)
        weak let articles = coordinator(of: "articles")
        #expect(articles != nil)
        await navigator.send(.logOutTapped)
        #expect(paths == ["/login"])
        #expect(articles == nil)
    }
}

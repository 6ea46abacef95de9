import Navigation
import Testing

// The code of the page Delegates. A test compares the two.

private enum AppRoute: Route {
    case login, list
    case article(Int)

    enum Event: NavigationEvent {
        case loggedIn, loggedOut
        case selected(Int)
    }

    enum Screen {
        case login(LoginScreen)
        case list(ArticleListScreen)
        case article(Int)
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

    init?(path: String) { nil }
}

private protocol LoginScreenDelegate {
    func didLogIn()
}

private protocol ArticleListDelegate {
    func didSelect(article: Int)
    func didLogOut()
}

private struct LoginScreen {
    let delegate: any LoginScreenDelegate
}

private struct ArticleListScreen {
    let delegate: any ArticleListDelegate
}

extension Outlet: LoginScreenDelegate, ArticleListDelegate where Event == AppRoute.Event {
    func didLogIn() { self(.loggedIn) }
    func didSelect(article: Int) { self(.selected(article)) }
    func didLogOut() { self(.loggedOut) }
}

private final class AppCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .loggedIn: flow.replace(with: .list)
        case .selected(let article): flow.push(.article(article))
        case .loggedOut: flow.show([.login])
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        switch route {
        case .login: .login(LoginScreen(delegate: outlet))
        case .list: .list(ArticleListScreen(delegate: outlet))
        case .article(let number): .article(number)
        }
    }
}

@Suite("The page Delegates")
struct DelegatesTests {
    private let navigator = Navigator<AppRoute>(children: [ChildFlow("app", make: { AppCoordinator($0) }) { _ in [] }])

    private func logIn() async throws -> LoginScreen {
        try navigator.perform(.show([.login]))
        let shown = try await navigator.screen()
        guard case .login(let screen) = shown else { throw Unexpected(shown) }
        screen.delegate.didLogIn()
        navigator.settle()
        return screen
    }

    private func list() async throws -> ArticleListScreen {
        let shown = try await navigator.screen()
        guard case .list(let screen) = shown else { throw Unexpected(shown) }
        return screen
    }

    @Test("The login leads to list and detail, and the logout back to the log-in")
    func works() async throws {
        _ = try await logIn()
        try await list().delegate.didSelect(article: 7)
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.list, .article(7)])
        _ = navigator.back()
        try await list().delegate.didLogOut()
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.login])
        #expect(
            navigator.journal.edges == [
                .init("/login", "loggedIn", "/articles"),
                .init("/articles", "selected", "/articles/<number>"),
                .init("/articles/<number>", "back", "/articles"),
                .init("/articles", "loggedOut", "/login"),
            ])
    }

    @Test("Two taps open one detail, and the second is journaled")
    func twice() async throws {
        _ = try await logIn()
        let screen = try await list()
        screen.delegate.didSelect(article: 7)
        screen.delegate.didSelect(article: 7)
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.list, .article(7)])
        #expect(navigator.journal.entries.last == .dropped("selected"))
    }

    @Test("A screen that was left is ignored, although it is still held")
    func late() async throws {
        _ = try await logIn()
        let screen = try await list()
        screen.delegate.didLogOut()
        navigator.settle()
        screen.delegate.didSelect(article: 7)
        navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.login])
        #expect(navigator.journal.entries.last == .dropped("selected"))
    }
}

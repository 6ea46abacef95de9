import Navigation
import Testing

// The code of the page Segues. A test compares the two.

private enum AppRoute: Route {
    case welcome(back: String?)
    case login
    case menu(of: String)

    typealias Event = Segue
    typealias Screen = any Coordinated

    var flow: FlowKind { "app" }

    var path: String {
        switch self {
        case .welcome(nil): "/welcome"
        case .welcome(let name?): RoutePath("welcome", name).text
        case .login: "/login"
        case .menu(let name): RoutePath("menu", name).text
        }
    }

    var screenName: String {
        switch self {
        case .welcome: "/welcome"
        case .login: "/login"
        case .menu: "/menu/<name>"
        }
    }

    init?(path: String) {
        guard let words = RoutePath(parsing: path)?.segments else { return nil }
        switch (words.first, words.count) {
        case ("welcome", 1): self = .welcome(back: nil)
        case ("welcome", 2): self = .welcome(back: words[1])
        case ("login", 1): self = .login
        case ("menu", 2): self = .menu(of: words[1])
        default: return nil
        }
    }
}

private enum Segue: NavigationEvent {
    case login, menu, help
    case loggedIn(as: String)
}

private let welcome = AppRoute.welcome(back: nil)
private let menu = AppRoute.menu(of: "<name>")

private let storyboard = FlowGraph(
    nodes: [.init(welcome), .init(AppRoute.login), .init(menu)],
    edges: [
        .init(welcome, .login, to: .login),
        .init(welcome, .menu, to: menu),
        .init(welcome, .menu, to: .login),
        .init(AppRoute.login, .loggedIn(as: "<name>"), to: welcome),
        .back(menu, to: welcome),
        .back(AppRoute.login, to: welcome),
    ])

private protocol Coordinated {
    var coordinationDelegate: Outlet<Segue> { get }
}

private struct WelcomeScreen: Coordinated {
    let labelWelcomeBack: String
    let coordinationDelegate: Outlet<Segue>
}

private struct LoginScreen: Coordinated {
    let coordinationDelegate: Outlet<Segue>
}

private struct MenuScreen: Coordinated {
    let userName: String
    let coordinationDelegate: Outlet<Segue>
}

private final class AppCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ segue: Segue, in source: AppRoute) {
        switch (source, segue) {
        case (.welcome, .login), (.welcome(back: nil), .menu): flow.push(.login)
        case (.welcome(let name?), .menu): flow.push(.menu(of: name))
        case (.login, .loggedIn(let name)): flow.show([.welcome(back: name)])
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> any Coordinated {
        switch route {
        case .welcome(let name):
            WelcomeScreen(
                labelWelcomeBack: name.map { "Welcome back, \($0)" } ?? "Welcome", coordinationDelegate: outlet)
        case .login: LoginScreen(coordinationDelegate: outlet)
        case .menu(let name): MenuScreen(userName: name, coordinationDelegate: outlet)
        }
    }
}

@Suite("The page Segues")
struct SeguesTests {
    private let navigator = Navigator<AppRoute>(children: [
        ChildFlow("app", make: { AppCoordinator($0) }) { _ in [] }
    ])

    private func perform<Screen: Coordinated>(_ segue: Segue, to _: Screen.Type) async throws -> Screen {
        try await navigator.screen()?.coordinationDelegate(segue)
        navigator.settle()
        return try #require(try await navigator.screen() as? Screen)
    }

    @Test("Welcome leads to the login, back to welcome, and to a menu with the user's name")
    func story() async throws {
        try navigator.perform(.show([.welcome(back: nil)]))
        _ = try await perform(.login, to: LoginScreen.self)
        let welcome = try await perform(.loggedIn(as: "Ada"), to: WelcomeScreen.self)
        #expect(welcome.labelWelcomeBack == "Welcome back, Ada")
        #expect(navigator.state.frames.count == 1)
        #expect(try await perform(.menu, to: MenuScreen.self).userName == "Ada")
        #expect(navigator.back())
        #expect(try await navigator.screen() is WelcomeScreen)
    }

    @Test("The coordinator chooses the destination: without a user the menu is the log-in")
    func chooses() async throws {
        try navigator.perform(.show([.welcome(back: nil)]))
        _ = try await perform(.menu, to: LoginScreen.self)
        #expect(navigator.state.top?.route == .login)
    }

    @Test("A link opens the configured destination as a segue does")
    func link() async throws {
        let route = try #require(AppRoute(path: "/menu/Ada%20Lovelace"))
        try navigator.perform(.show([.welcome(back: "Ada Lovelace"), route]))
        #expect(try await (navigator.screen() as? MenuScreen)?.userName == "Ada Lovelace")
    }

    @Test("Every arrow of the storyboard is taken, and no other")
    func storyboardIsTrue() async throws {
        try navigator.perform(.show([.welcome(back: nil)]))
        for segue in [.login, nil, .menu, .loggedIn(as: "Ada"), .menu, nil] as [Segue?] {
            if let segue { navigator.send(segue) } else { _ = navigator.back() }
        }
        #expect(storyboard.undeclared(in: navigator.journal) == [])
        #expect(storyboard.untaken(by: navigator.journal) == [])
    }

    @Test("A forgotten arrow is found")
    func forgotten() async throws {
        try navigator.perform(.show([.welcome(back: nil)]))
        _ = try await perform(.help, to: WelcomeScreen.self)
        #expect(storyboard.undeclared(in: navigator.journal) == [.init("/welcome", "help", "/welcome")])
    }
}

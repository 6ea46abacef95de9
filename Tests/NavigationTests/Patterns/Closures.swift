import Navigation
import Testing

// The code of the page Closures. A test compares the two.

private enum AppRoute: String, Route {
    case home = "/"
    case splash = "/splash"
    case login = "/login"
    case register = "/register"

    enum Event: NavigationEvent { case tappedLogin, tappedRegister }

    enum Screen {
        case splash(SplashScreen)
        case other(String)
    }

    var flow: FlowKind { self == .home ? "home" : "splash" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

private struct SplashScreen {
    let didTapLogin: () -> Void
    let didTapRegister: () -> Void
}

private final class SplashCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async {
        switch event {
        case .tappedLogin: flow.push(.login)
        case .tappedRegister: flow.push(.register)
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        guard route == .splash else { return .other(route.path) }
        return .splash(
            SplashScreen(
                didTapLogin: { outlet(.tappedLogin) },
                didTapRegister: { outlet(.tappedRegister) }))
    }
}

private final class HomeCoordinator: Coordinator {
    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        .other(route.path)
    }
}

@Suite("The page Closures")
struct ClosuresTests {
    private let navigator = Navigator<AppRoute>(children: [
        ChildFlow("home", make: { (_: Flow<AppRoute, Void>) in HomeCoordinator() }) { _ in [] },
        ChildFlow("splash", make: { SplashCoordinator($0) }) { _ in [] },
    ])

    private func splash() async throws -> SplashScreen {
        let shown = try await navigator.screen()
        guard case .splash(let screen) = shown else { throw Unexpected(shown) }
        return screen
    }

    @Test("leads from the splash to log-in and to register")
    func works() async throws {
        try await navigator.perform(.show([.home, .splash]))
        try await splash().didTapLogin()
        await navigator.settle()
        #expect(navigator.state.top?.route == .login)
        _ = await navigator.back()
        try await splash().didTapRegister()
        await navigator.settle()
        #expect(navigator.state.top?.route == .register)
    }

    @Test("cleans up when the splash is left, though its closures are still held")
    func cleansUp() async throws {
        try await navigator.perform(.show([.home, .splash]))
        let screen = try await splash()
        weak let coordinator = navigator.state.top.flatMap { navigator.coordinators[$0.flow] }
        #expect(coordinator != nil)
        _ = await navigator.back()
        #expect(coordinator == nil)
        screen.didTapLogin()
        await navigator.settle()
        #expect(navigator.state.frames.map(\.route) == [.home])
        #expect(navigator.journal.entries.last == .dropped("tappedLogin"))
    }
}

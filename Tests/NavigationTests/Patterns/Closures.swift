import Navigation
import Testing

// The code of the page Closures. A test compares the two.

private enum AppRoute: String, Route {
    case home = "/"
    case splash = "/splash"
    case login = "/login"
    case register = "/register"

    enum Event: NavigationEvent {
        case tappedLogin, tappedRegister
        case submitted(name: String)
    }

    enum Screen {
        case home
        case splash(SplashScreen)
        case form(FormScreen)
    }

    var flow: FlowKind {
        switch self {
        case .home: "home"
        case .splash: "splash"
        case .login: "login"
        case .register: "register"
        }
    }

    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

private final class Accounts {
    private(set) var names: Set<String> = ["ada"]
    private(set) var user: String?

    func add(_ name: String) { names.insert(name) }
    func logIn(_ name: String) { user = name }
}

private struct SplashScreen {
    let didTapLogin: () -> Void
    let didTapRegister: () -> Void
}

private struct FormScreen {
    let isKnown: (_ name: String) -> Bool
    let didSubmit: (_ name: String) -> Void
}

private final class SplashCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let accounts: Accounts

    init(_ flow: Flow<AppRoute, Void>, accounts: Accounts) {
        self.flow = flow
        self.accounts = accounts
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .tappedLogin: flow.begin(.login)
        case .tappedRegister: flow.begin(.register)
        case .submitted: break
        }
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow("login", make: { [accounts] in LoginCoordinator($0, accounts: accounts) }) { _ in [] },
            ChildFlow("register", make: { [accounts] in RegisterCoordinator($0, accounts: accounts) }) { _ in [] },
        ]
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        .splash(
            SplashScreen(
                didTapLogin: { outlet(.tappedLogin) },
                didTapRegister: { outlet(.tappedRegister) }))
    }
}

private final class RegisterCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let accounts: Accounts

    init(_ flow: Flow<AppRoute, Void>, accounts: Accounts) {
        self.flow = flow
        self.accounts = accounts
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        guard case .submitted(let name) = event, !accounts.names.contains(name) else { return }
        accounts.add(name)
        flow.finish()
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        .form(
            FormScreen(
                isKnown: { [accounts] in accounts.names.contains($0) },
                didSubmit: { outlet(.submitted(name: $0)) }))
    }
}

private final class LoginCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    let accounts: Accounts

    init(_ flow: Flow<AppRoute, Void>, accounts: Accounts) {
        self.flow = flow
        self.accounts = accounts
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        guard case .submitted(let name) = event, accounts.names.contains(name) else { return }
        accounts.logIn(name)
        flow.finish()
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        .form(
            FormScreen(
                isKnown: { [accounts] in accounts.names.contains($0) },
                didSubmit: { outlet(.submitted(name: $0)) }))
    }
}

private final class HomeCoordinator: Coordinator {
    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen { .home }
}

@Suite("The page Closures")
struct ClosuresTests {
    private let accounts: Accounts
    private let navigator: Navigator<AppRoute>

    init() {
        let accounts = Accounts()
        self.accounts = accounts
        navigator = Navigator(children: [
            ChildFlow("home", make: { (_: Flow<AppRoute, Void>) in HomeCoordinator() }) { _ in [] },
            ChildFlow("splash", make: { SplashCoordinator($0, accounts: accounts) }) { _ in [] },
        ])
    }

    private var routes: [AppRoute] { navigator.state.frames.map(\.route) }

    private func splash() async throws -> SplashScreen {
        let shown = try await navigator.screen()
        guard case .splash(let screen) = shown else { throw Unexpected(shown) }
        return screen
    }

    private func form() async throws -> FormScreen {
        let shown = try await navigator.screen()
        guard case .form(let screen) = shown else { throw Unexpected(shown) }
        return screen
    }

    private func coordinator(of kind: FlowKind) -> (any Coordinator<AppRoute>)? {
        navigator.state.flows.last { $0.kind == kind }.flatMap { navigator.coordinators[$0.id] }
    }

    @Test("Register and login begin a child, which is released when it ends")
    func story() async throws {
        try navigator.perform(.show([.splash]))
        try await splash().didTapRegister()
        navigator.settle()
        #expect(routes == [.splash, .register])
        weak let register = coordinator(of: "register")
        #expect(register != nil)
        let form = try await form()
        #expect(form.isKnown("ada"))
        #expect(!form.isKnown("grace"))
        form.didSubmit("grace")
        navigator.settle()
        #expect(register == nil)
        #expect(accounts.names == ["ada", "grace"])
        #expect(routes == [.splash])

        try await splash().didTapLogin()
        navigator.settle()
        #expect(routes == [.splash, .login])
        weak let login = coordinator(of: "login")
        #expect(login != nil)
        try await self.form().didSubmit("grace")
        navigator.settle()
        #expect(login == nil)
        #expect(accounts.user == "grace")
    }

    @Test("Going back releases a child, however many were opened before")
    func back() async throws {
        try navigator.perform(.show([.splash]))
        for _ in 1...2 {
            try await splash().didTapLogin()
            navigator.settle()
            weak let login = coordinator(of: "login")
            #expect(login != nil)
            #expect(navigator.back())
            #expect(login == nil)
        }
        #expect(navigator.coordinators.count == 1)
    }

    @Test("Leaving the splash screen releases its coordinator, although its closures are still held")
    func cleansUp() async throws {
        try navigator.perform(.show([.home, .splash]))
        let screen = try await splash()
        weak let coordinator = coordinator(of: "splash")
        #expect(coordinator != nil)
        _ = navigator.back()
        #expect(coordinator == nil)
        screen.didTapLogin()
        navigator.settle()
        #expect(routes == [.home])
        #expect(navigator.journal.entries.last == .dropped("tappedLogin"))
    }
}

import Navigation

enum AppRoute: PatternRoute {
    case login(name: String?)
    case signUp, password(name: String)
    case articles, article(Int)
    case account

    enum Event: NavigationEvent {
        case submitted(String), selected(Int)
        case signUpChosen, accountChosen, logOutChosen
    }

    typealias Screen = (title: String, report: Outlet<Event>)

    static let patterns = [
        RoutePattern("/login?name=<name>", flow: "login", AppRoute.login),
        RoutePattern("/sign-up", flow: "sign-up", AppRoute.signUp),
        RoutePattern("/sign-up/<name>", flow: "sign-up", AppRoute.password),
        RoutePattern("/articles", flow: "articles", AppRoute.articles),
        RoutePattern("/articles/<number>", flow: "articles", AppRoute.article),
        RoutePattern("/account", flow: "account", AppRoute.account),
    ]
    static let links = ["https://articles.example", "articles://"]
}

final class LoginCoordinator: Coordinator {
    let flow: Flow<AppRoute, String>
    init(_ flow: Flow<AppRoute, String>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        if case .submitted(let name) = event { flow.finish(with: name) } else { flow.begin(.signUp) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen { ("Log in", outlet) }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow("sign-up", make: { SignUpCoordinator($0) }) { outcome in
                if case .finished(let name) = outcome { [.replace(.login(name: name))] } else { [] }
            }
        ]
    }
}

final class SignUpCoordinator: Coordinator {
    let flow: Flow<AppRoute, String>
    init(_ flow: Flow<AppRoute, String>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch (route, event) {
        case (.signUp, .submitted(let name)): flow.push(.password(name: name))
        case (.password(let name), .submitted): flow.finish(with: name)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        (route == .signUp ? "Choose a name" : "Choose a password", outlet)
    }
}

final class ArticlesCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        if case .selected(let number) = event { flow.push(.article(number)) } else { flow.begin(.account, modal: true) }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen { (route.path, outlet) }
}

final class AccountCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) { flow.finish() }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen { ("Account", outlet) }
}

@main
final class Application {
    private var user: String? { didSet { navigator.gate = gate } }
    private lazy var navigator = Navigator(
        children: [
            ChildFlow("login", make: { LoginCoordinator($0) }) { [weak self] outcome in
                if case .finished(let name) = outcome { self?.user = name }
                return []
            },
            ChildFlow("articles") { ArticlesCoordinator($0) },
            ChildFlow("account", make: { AccountCoordinator($0) }) { [weak self] outcome in
                if case .finished = outcome { self?.user = nil }
                return []
            },
        ], gate: gate)

    private var gate: Gate<AppRoute> {
        Gate(subject: user, entrance: [.login(name: nil)], home: [.articles]) { [user] route in
            user != nil || ["login", "sign-up"].contains(route.flow)
        }
    }

    static func main() async throws {
        let application = Application()
        let navigator = application.navigator
        guard let link = AppRoute(url: "https://articles.example/articles/42") else { return }
        try navigator.perform(.show([.articles, link]))
        let events: [AppRoute.Event] = [
            .signUpChosen, .submitted("Ada"), .submitted("secret"), .submitted("Ada"), .accountChosen, .logOutChosen,
        ]
        for event in events {
            print(navigator.state, try await navigator.screen()?.title ?? "")
            navigator.send(event)
        }
        print(navigator.state)
    }
}

import Accounts
import ArticleStore
import AuthService
import Navigation

/// The application. An actor owns the navigator, so all coordinators run on it, also those of the accounts.
actor Library {
    private let navigator: Navigator<LibraryRoute>
    private let visitor: Visitor

    init(auth: AuthService, articles: any ArticleRepository) {
        let accounts = Feature(
            route: LibraryRoute.account, event: LibraryRoute.Event.account, screen: LibraryRoute.Screen.account,
            memory: LibraryRoute.Memory.account)
        let visitor = Visitor()
        let children: [ChildFlow<LibraryRoute>] = [
            ChildFlow("articles") { ArticlesCoordinator($0, articles: articles) },
            ChildFlow("accounts.login", in: accounts, make: { makeLogin($0, auth: auth) }) { outcome in
                if case .finished(let name) = outcome { visitor.name = name }
                return [.show([.articles])]
            },
        ]
        navigator = Navigator(children: children)
        self.visitor = visitor
    }

    var user: String? { visitor.name }

    func show(_ places: [LibraryRoute]) async throws { try navigator.perform(.show(places)) }

    func send(_ event: LibraryRoute.Event) async { navigator.send(event) }

    /// Returns the screen on top after all work has finished.
    func screen() async throws -> LibraryRoute.Screen? {
        await navigator.finishWork()
        return try await navigator.screen()
    }

    var places: String { "\(navigator.state)" }
}

private final class Visitor {
    var name: String?
}

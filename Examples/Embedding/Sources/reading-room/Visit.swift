import ArticleStore
import AuthService
import FlowCoordinators

/// Uses the flows of the package with a simple front: it follows a link to an article and logs in on the way.
func visit(articles: any ArticleRepository, auth: AuthService, name: String, password: String) async throws {
    let application = ApplicationCoordinator(
        auth: auth, articles: articles, tokens: Pocket(), client: "reading room", origin: .door)
    try await application.start(at: AppRoute(path: "/articles/welcome"))
    print(try await application.screen().title)
    try await application.send(.submitted([.username: name, .password: password]))
    await application.finishWork()
    print(try await application.screen().title)
}

/// Keeps the token until the program ends.
private final class Pocket: TokenStore {
    private var token: String?

    func load() -> String? { token }
    func save(_ token: String) { self.token = token }
    func remove() { token = nil }
}

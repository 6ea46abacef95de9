import LibraryStores
import ArticleStore
import AuthService
import Database
import Foundation
import FlowCoordinators
import Migrations

// The Swift of docs/embedding.md, compiled and run. A test compares both.

func embedDatabase(path: String) throws -> [String] {
    let schema = Schema(
        applicationID: 0x4E4F_5445,
        migrations: [
            Migration(version: 1, name: "notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT) STRICT;")
        ])
    _ = try Migrator(path: path, schema: schema).migrate()
    let database = try Database(path: path, schema: schema)
    try database.write { try $0.run("INSERT INTO note (text) VALUES (?)", [.text("remember")]) }
    let notes: [String] = try database.read { try $0.query("SELECT text FROM note") { try $0.value(0) } }
    return notes
}

func embedServices(
    path: String, password: String
) async throws -> (AuthService, any ArticleRepository, isSameSession: Bool, ArticlePage) {
    try await Stores.migrate(.file(path))
    let stores = try await Stores.open(.file(path))
    let auth = AuthService(store: stores.accounts)
    // The client's address, or its network for IPv6. Failed guesses count per origin.
    let origin = Origin(address: "192.0.2.7")
    try await auth.register(username: Username("ada"), password: Password(password), region: Region("SE"), from: origin)
    let opened = try await auth.logIn(
        username: "ada", password: Password(password), client: "web", from: origin
    ).newSession
    let again = try await auth.currentSession(token: opened.token)
    assert(again?.id == opened.session.id)
    // Set it as a cookie for a year (Secure, HttpOnly, SameSite=Strict), and pass it to the next login of this user.
    assert(opened.device.text.count == 43)

    let articles = stores.articles
    try await articles.upsert(ArticleDraft(slug: "hello", title: "Hello", body: "*Hello*, world."))
    let page = try await articles.list(ArticleQuery(sort: .title), after: nil, limit: 20)
    return (auth, articles, again == opened.session, page)
}

final class MemoryTokens: TokenStore {
    private var token: String?

    func load() -> String? { token }
    func save(_ token: String) { self.token = token }
    func remove() { token = nil }
}

func embedApplication(
    auth: AuthService, articles: any ArticleRepository, password: String
) async throws -> Screen {
    let tokens = MemoryTokens()
    let application = ApplicationCoordinator(
        auth: auth, articles: articles, tokens: tokens, client: "web", origin: Origin(address: "192.0.2.7"))
    try await application.start(at: AppRoute(path: "/articles/hello"))
    try await application.send(.submitted([.username: "ada", .password: password]))
    await application.finishWork()
    let screen = try await application.screen()
    return screen
}

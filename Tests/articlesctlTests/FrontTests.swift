import Text
import SQLiteStores
import ArticleStore
import AuthService
import FlowCoordinators
import Terminal
import Synchronization
import TestSupport
import Testing

@testable import articlesctl

/// A log-in watches for interrupts, which tests of signals send.
@Suite("The command line as a front", .processSignals)
struct FrontTests {
    private let folder: TemporaryFolder
    private let articles: CountingArticles
    private let auth: AuthService
    private let front: Front

    private static let password = "correct horse battery staple"

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/articles.db"
        try Stores.migrate(path)
        auth = AuthService(store: try Stores.open(path).accounts, hasher: PasswordHasher(parameters: .minimum))
        articles = CountingArticles()
        front = Front(
            application: ApplicationCoordinator(
                auth: auth, articles: articles, tokens: NoTokens(), client: "test", origin: Origin("test")),
            prompter: Prompter(isInteractive: false, prompt: Prompt(), say: { _ in }), isSessionGiven: false)
    }

    @Test("A log-in does not read the library, because nobody sees the list that it leads to")
    func logIn() async throws {
        try await auth.register(
            username: Username("ada"), password: Password(Self.password), region: Region("SE"),
            from: Origin("test"))
        try await front.go(to: .login(), answers: [.username: "ada", .password: Self.password]) { $0.flow != .login }
        #expect(front.application.place == .articles())
        #expect(articles.asked == 0)
        // A front that shows the screen reads the library.
        _ = try await front.application.screen()
        #expect(articles.asked > 0)
    }
}

/// An empty library that counts its calls.
private final class CountingArticles: ArticleRepository {
    private struct ReadOnly: Error {}

    private let count = Mutex(0)

    var asked: Int { count.withLock { $0 } }

    private func tally() { count.withLock { $0 += 1 } }

    func article(key: ExactText, in source: Source.ID) async throws -> Article? {
        tally()
        return nil
    }
    func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        tally()
        return []
    }
    func sources() async throws -> [Source] {
        tally()
        return []
    }

    func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        tally()
        return []
    }

    func size() async throws -> LibrarySize {
        tally()
        return LibrarySize()
    }

    func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        tally()
        return []
    }

    func articleCounts() async throws -> [Source.ID: Int] {
        tally()
        return [:]
    }

    func article(id: Int64) async throws -> Article? {
        tally()
        return nil
    }

    func article(slug: String) async throws -> Article? {
        tally()
        return nil
    }

    func labels(
        _ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int
    ) async throws -> [ArticleLabel] {
        tally()
        return []
    }

    func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        tally()
        return []
    }

    func slugs(similarTo typed: String) async throws -> [String] {
        tally()
        return []
    }

    func languages() async throws -> [String] {
        tally()
        return []
    }

    func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        tally()
        return ArticlePage(summaries: [], next: nil)
    }

    func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        tally()
        return []
    }

    func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        tally()
        return ArticleBatch(articles: [], next: nil)
    }

    func count(_ query: ArticleQuery) async throws -> Int {
        tally()
        return 0
    }

    func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T { throw ReadOnly() }
}

/// Stores no token.
private struct NoTokens: TokenStore {
    func load() -> String? { nil }
    func save(_ token: String) {}
    func remove() {}
}

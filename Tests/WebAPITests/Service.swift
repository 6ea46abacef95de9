import ArticleStore
import AuthService
import FetchingSupport
import LibraryServices
import Foundation
import HTTPServer
import StoreEngines
import TestSupport
import Testing
import Text
import WebAPI

/// The API and the feeds with their own stores, an operator, an editor, and a reader.
struct Service {
    static let password = "correct horse battery staple"

    let api: WebAPI
    let feeds: FeedFront
    let services: Services
    let clock = TestClock()
    let counter = CallCounter()
    /// The servers of feeds.
    let web: FakeWeb
    private let stores: Stores
    private(set) var tokens: [String: String] = [:]

    init(
        limit: Int = 10_000, fetches: Bool = true, versions: (any LibraryVersions)? = nil
    ) async throws {
        let clock = clock
        stores = counter.counting(try await StoreEngine.ofFixtures.open(clock: clock))
        web = FakeWeb(stores, clock: clock)
        services = Services(
            auth: AuthService(
                store: stores.accounts,
                hasher: PasswordHasher(parameters: .weakest), clock: { clock.now }, pause: { _ in }),
            articles: stores.articles, subscriptions: stores.subscriptions, pictures: stores.pictures,
            feeds: fetches ? web.feeds : nil,
            marks: stores.marks,
            reading: stores.reading, versions: versions ?? stores.versions,
            clock: { clock.now })
        api = WebAPI(services: services, version: "1.2.3", limiter: RateLimiter(limit: limit))
        feeds = FeedFront(services: services, name: "Library")
        for name in ["olga", "ed", "rita"] {
            _ = try await services.auth.register(
                username: Username(name), password: Password(Self.password), region: Region("SE"), from: Origin("test"))
            tokens[name] = try await services.auth.logIn(
                username: name, password: Password(Self.password), client: "test", from: Origin("test")
            ).newSession.token.text
        }
        let olga = try #require(SessionToken(tokens["olga"] ?? ""))
        try await services.auth.setRole(.editor, of: Username("ed"), by: .token(olga))
    }

    /// Inserts articles, published one day apart.
    @discardableResult
    func fill(_ count: Int, source: String = "blog") async throws -> [Int64] {
        let start = Date(timeIntervalSince1970: 1_600_000_000)
        let drafts = (0..<count).map { number -> ArticleDraft in
            let day = start.addingTimeInterval(Double(number) * 86_400)
            return ArticleDraft(
                key: ExactText("k\(number)"), slug: "article-\(number)", title: "Article \(number)",
                authors: [number % 2 == 0 ? "Ann" : "Bob"], body: "The body of \(number), *word*.", published: day,
                tags: number % 3 == 0 ? ["third"] : [])
        }
        return try await services.articles.upsert(drafts, into: SourceFacts(name: source, kind: .stream)).map(\.id)
    }

    /// A parsed response.
    struct Reply {
        let status: Int
        let fields: HTTPFields
        let text: String

        /// The body, as Foundation parses JSON.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
        }

        func objects(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }

        /// The code of a problem.
        var code: String? { json["code"] as? String }

        func field(_ name: HTTPFieldName) -> String? { fields[name]?.text }
    }

    /// Sends a request to a path below `/api/v1`.
    ///
    /// - Parameters:
    ///   - who: A name or a token; nil for nobody.
    ///   - fields: Other fields of the head.
    func ask(
        _ method: HTTPMethod = .get, _ target: String, as who: String? = "rita", _ body: String? = nil,
        fields: HTTPFields = [:]
    ) async throws -> Reply {
        var fields = fields
        if let who { fields[.authorization] = try HTTPFieldValue("Bearer \(tokens[who] ?? who)") }
        if body != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        let request = HTTPRequest(
            method, try #require(HTTPTarget("/api/v1" + target)), fields: fields, body: Array((body ?? "").utf8))
        return try Self.read(try #require(await api.answer(request)))
    }

    /// Sends a request for a feed.
    func feed(
        _ path: String, _ method: HTTPMethod = .get, fields: HTTPFields = [.host: "example.org"]
    ) async throws -> Reply {
        let request = HTTPRequest(method, try #require(HTTPTarget(path)), fields: fields, isSecure: true)
        return try Self.read(try #require(await feeds.answer(request)))
    }

    static func read(_ response: HTTPResponse) throws -> Reply {
        guard case .bytes(let bytes) = response.body else { throw Unreadable() }
        return Reply(
            status: response.status.code, fields: response.fields, text: String(decoding: bytes, as: UTF8.self))
    }

    struct Unreadable: Error {}
}

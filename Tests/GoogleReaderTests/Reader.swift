import Text
import ArticleStore
import AuthService
import FetchingSupport
import Foundation
import LibraryServices
import GoogleReader
import HTTPServer
import StoreEngines
import TestSupport

/// A front with its own stores, two sources, and a user, as a client sees it.
struct Reader {
    static let password = "correct horse battery staple"

    let front: GoogleReader
    let services: Services
    let clock = TestClock()
    let user: User
    /// The numbers of the articles, newest first: two of the source `news`, one of `other`.
    let articles: [Int64]
    let sources: [Source]
    let counter = CallCounter()
    /// The servers of feeds.
    let web: FakeWeb
    private let stores: Stores

    init(
        on engine: StoreEngine = .ofFixtures, limit: Int = GoogleReader.defaultLimit, fetches: Bool = true
    ) async throws {
        let clock = clock
        stores = counter.counting(try await engine.open(clock: clock))
        web = FakeWeb(stores, clock: clock)
        let auth = AuthService(
            store: stores.accounts,
            hasher: PasswordHasher(parameters: .weakest), clock: { clock.now }, pause: { _ in })
        services = Services(
            auth: auth, articles: stores.articles, subscriptions: stores.subscriptions, pictures: stores.pictures,
            feeds: fetches ? web.feeds : nil,
            marks: stores.marks,
            reading: stores.reading, clock: { clock.now })
        front = GoogleReader(services: services, limiter: RateLimiter(limit: limit))
        user = try await auth.register(
            username: Username("al"), password: Password(Self.password), region: Region("DE"), from: Origin("test"))
        func draft(_ key: String, _ day: Double) -> ArticleDraft {
            ArticleDraft(
                key: ExactText(key), slug: key, title: "Title of \(key) <&>", authors: ["Ann"],
                body: "<p onclick=\"x()\">Body<script>evil()</script></p>", format: .html,
                sourceURL: "https://example.org/\(key)?a=1&b=2", published: clock.now.addingTimeInterval(-86_400 * day))
        }
        let news = try await services.articles.upsert(
            [draft("one", 1), draft("two", 2)],
            into: SourceFacts(name: "news", kind: .feed, location: "https://example.org/feed"))
        let other = try await services.articles.upsert([draft("three", 3)])
        articles = (news + other).map(\.id)
        sources = try await services.articles.sources()
    }

    /// Adds articles to the source `news`.
    func fill(_ count: Int) async throws {
        let drafts = (0..<count).map {
            ArticleDraft(key: ExactText("more \($0)"), slug: "more-\($0)", title: "More", body: "Text.")
        }
        try await services.articles.upsert(drafts, into: SourceFacts(name: "news", kind: .feed))
    }

    /// Returns the ID of a source as a stream.
    func feed(_ name: String) throws -> String {
        guard let source = sources.first(where: { $0.name == name }) else { throw Missing() }
        return "feed/\(source.id)"
    }

    /// Sends a request with this token.
    func send(
        _ method: HTTPMethod, _ target: String, form: String? = nil, type: String? = nil, token: String? = nil,
        from address: String = "192.0.2.1"
    ) async throws -> Answer {
        guard let target = HTTPTarget(target) else { throw Missing() }
        var fields: HTTPFields = [.host: "articles.example"]
        if let token { fields["authorization"] = try HTTPFieldValue("GoogleLogin auth=\(token)") }
        if form != nil { fields["content-type"] = try HTTPFieldValue(type ?? "application/x-www-form-urlencoded") }
        let request = HTTPRequest(
            method, target, fields: fields, body: Array((form ?? "").utf8), peer: .internet(host: address, port: 4711))
        guard let response = await front.answer(request) else { throw Missing() }
        var bytes: [UInt8] = []
        switch response.body {
        case .bytes(let all): bytes = all
        case .stream(let stream): for try await part in stream { bytes += part }
        }
        return Answer(
            status: response.status.code, text: String(decoding: bytes, as: UTF8.self), fields: response.fields)
    }

    /// Sends a GET request with this token.
    func send(_ target: String, token: String? = nil) async throws -> Answer {
        try await send(.get, target, token: token)
    }

    /// Returns the token of a login with the password.
    func logIn(as name: String = "al") async throws -> String {
        let answer = try await send(
            .post, "/accounts/ClientLogin", form: "service=reader&Email=\(name)&Passwd=correct+horse+battery+staple")
        guard let line = answer.text.split(separator: "\n").first(where: { $0.hasPrefix("Auth=") }) else {
            throw Missing()
        }
        return String(line.dropFirst("Auth=".count))
    }

    /// Returns an API token of the user.
    func apiToken(_ scope: APIToken.Scope) async throws -> String {
        guard let session = SessionToken(try await logIn()) else { throw Missing() }
        return try await services.auth.createToken(
            named: scope.rawValue, scope: scope, lifetime: 3_600, token: session
        ).1.text
    }

    /// The numbers of the articles that are read.
    func read() async throws -> Set<Int64> {
        Set(try await services.marks.marks(of: articles, by: user.id).filter { $0.value.read.value }.keys)
    }

    struct Answer {
        var status: Int
        var text: String
        var fields: HTTPFields
    }

    struct Missing: Error {}
}

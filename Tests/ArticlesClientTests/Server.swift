import Text
import SQLiteStores
import ArticleStore
import ArticlesClient
import AuthService
import LibraryServices
import Foundation
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import WebAPI

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The API with its own stores, and a transport without a socket.
final class Server: Transport {
    static let password = "correct horse battery staple"

    let services: Services
    let clock = TestClock()
    /// Whether requests reach the server.
    let isOnline = Mutex(true)
    private let stores: Stores
    private let api: WebAPI

    init() async throws {
        let clock = clock
        stores = try await StoreEngine.ofFixtures.open(clock: clock)
        services = Services(
            auth: AuthService(
                store: stores.accounts,
                hasher: PasswordHasher(parameters: .weakest), clock: { clock.now }, pause: { _ in }),
            articles: stores.articles, subscriptions: stores.subscriptions, marks: stores.marks,
            reading: stores.reading,
            clock: { clock.now })
        api = WebAPI(services: services, version: "1")
        _ = try await services.auth.register(
            username: Username("ada"), password: Password(Self.password), region: Region("SE"), from: Origin("test"))
    }

    func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        guard isOnline.withLock({ $0 }), let url = request.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let method = HTTPMethod(request.httpMethod ?? "GET"),
            let target = HTTPTarget(parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? ""))
        else { throw URLError(.notConnectedToInternet) }
        var fields: HTTPFields = [:]
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            if let name = HTTPFieldName(name) { fields[name] = try HTTPFieldValue(value) }
        }
        let answer = await api.answer(
            HTTPRequest(method, target, fields: fields, body: Array(request.httpBody ?? Data())))
        guard let answer, case .bytes(let bytes) = answer.body,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status.code, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badServerResponse) }
        return (Data(bytes), response)
    }

    /// A client that is logged in.
    func client() async throws -> LibraryClient {
        try await LibraryClient(server: try URL.server, transport: self)
            .loggedIn(username: "ada", password: Self.password, as: "test")
    }

    /// Inserts articles, and returns their numbers.
    func fill(_ range: Range<Int>) async throws -> [Int64] {
        let drafts = range.map { number in
            ArticleDraft(
                key: ExactText("k\(number)"), title: "Article \(number)", body: "Body + \(number).",
                published: Date(timeIntervalSince1970: 1_600_000_000 + Double(number)))
        }
        return try await services.articles.upsert(drafts, into: .init(name: "C++ & more", kind: .stream)).map(\.id)
    }
}

extension URL {
    static var server: URL {
        get throws {
            guard let url = URL(string: "http://library.example/") else { throw URLError(.badURL) }
            return url
        }
    }
}

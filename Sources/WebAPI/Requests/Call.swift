import ArticleStore
import AuthService
import Essentials
import FlowCoordinators
import HTTPServer
import ModelJSON
import ReadingStore
import Text

/// A request that an operation is asked with: what was said is checked, and who asks may.
struct Call: Sendable {
    let services: Services
    let work: ExpensiveWork
    let request: HTTPRequest
    /// The values of the parameters of the path.
    let path: [String: String]
    /// The parameters in the address.
    let query: [String: String]
    /// The request body, or `.null`.
    let body: JSON
    /// The caller, if known.
    let identity: Identity?

    /// Somebody, and what they hold.
    struct Identity: Sendable {
        let session: Session
        let token: SessionToken
    }

    /// The caller.
    ///
    /// - Throws: `Problem.notLoggedIn`.
    var asker: Identity {
        get throws(Problem) {
            guard let identity else { throw .notLoggedIn }
            return identity
        }
    }

    /// The number of who asks.
    var reader: User.ID { get throws(Problem) { try asker.session.user.id } }

    /// In whose name something is done.
    var authority: Authority { get throws(Problem) { .token(try asker.token) } }

    /// From where the request came.
    var origin: Origin {
        switch request.peer {
        case .internet(let host, _): Origin(address: host)
        case .local: Origin("local")
        }
    }

    /// The article that the path names, and what who asks has marked it with.
    ///
    /// - Throws: `Problem`, and what the services throw.
    func article() async throws -> (article: Article, marks: ArticleMarks) {
        let name = path["article"] ?? ""
        guard let article = try await services.articles.article(ArticleReference(name)) else {
            throw Problem.notFound("there is no article “\(name)”")
        }
        return (article, try await marks(of: article))
    }

    /// Makes a response about an article. For a large article, it runs with the long requests.
    func response(about article: Article, _ make: @Sendable () -> HTTPResponse) async throws -> HTTPResponse {
        guard article.body.utf8.count > ExpensiveWork.largeBody else { return make() }
        return try await work.run(for: String(try reader)) { make() }
    }

    /// The caller's marks of an article.
    func marks(of article: Article) async throws -> ArticleMarks {
        let reader = try reader
        return try await services.marks.marks(of: [article.id], by: reader)[article.id] ?? ArticleMarks()
    }

    /// Notes in the log what is about to be done to the library.
    func record(_ detail: String) async throws {
        try await services.auth.record(.libraryChanged, detail: detail, by: authority, client: "API")
    }
}

extension HTTPResponse {
    /// An answer in JSON.
    init(_ status: HTTPStatus = .ok, json: JSON, fields: HTTPFields = [:]) {
        self.init(status, encoded: json.utf8, fields: fields)
    }

    /// An answer in JSON that is written already.
    init(_ status: HTTPStatus = .ok, encoded text: [UInt8], fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentType] = "application/json"
        if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-cache" }
        self.init(status, fields: fields, body: .bytes(text + "\n".utf8))
    }

    /// An answer that holds a secret, which nobody keeps.
    init(_ status: HTTPStatus, secret json: JSON) { self.init(status, json: json, fields: [.cacheControl: "no-store"]) }

    /// An answer without a body.
    static let done = HTTPResponse(.noContent)
}

import ArticleStore
import AuthService
import Text
import FlowCoordinators
import HTTPServer
import ModelJSON

/// A request to an operation. Its parameters and body were checked, and the caller may use the operation.
struct Call: Sendable {
    let services: Services
    let work: ExpensiveWork
    let request: HTTPRequest
    /// The values of the parameters in the path.
    let path: [String: String]
    /// The parameters in the address.
    let query: [String: String]
    /// The request body, or `.null`.
    let body: JSON
    /// The caller; nil if unknown.
    let identity: Identity?

    /// A caller, with the session and the token.
    struct Identity: Sendable {
        let session: Session
        let token: SessionToken
    }

    /// The caller.
    ///
    /// - Throws: `Problem.notLoggedIn` if the caller is unknown.
    var asker: Identity {
        get throws(Problem) {
            guard let identity else { throw .notLoggedIn }
            return identity
        }
    }

    /// The ID of the caller.
    var reader: User.ID { get throws(Problem) { try asker.session.user.id } }

    /// The authority for changes by the caller.
    var authority: Authority { get throws(Problem) { .token(try asker.token) } }

    /// The network address of the client.
    var origin: Origin {
        switch request.peer {
        case .internet(let host, _): Origin(address: host)
        case .local: Origin("local")
        }
    }

    /// Returns the article that the path names, with the caller's marks.
    ///
    /// - Throws: `Problem` if the article does not exist; the errors of the services.
    func article() async throws -> (article: Article, marks: ArticleMarks) {
        let name = path["article"] ?? ""
        guard let article = try await services.articles.article(ArticleReference(name)) else {
            throw Problem.notFound("there is no article “\(name)”")
        }
        return (article, try await marks(of: article))
    }

    /// Makes a response about an article. A large article counts as a request that takes long.
    func response(about article: Article, _ make: @Sendable () -> HTTPResponse) async throws -> HTTPResponse {
        guard article.body.utf8.count > ExpensiveWork.largeBody else { return make() }
        return try await work.run(for: String(try reader), holding: article.body.utf8.count) { make() }
    }

    /// Returns the caller's marks of an article.
    func marks(of article: Article) async throws -> ArticleMarks {
        let reader = try reader
        return try await services.marks.marks(of: [article.id], by: reader)[article.id] ?? ArticleMarks()
    }

    /// Records in the log a change of the library, before it is made.
    func record(_ detail: String) async throws {
        try await services.auth.record(.libraryChanged, detail: detail, by: authority, client: "API")
    }
}

extension HTTPResponse {
    /// Creates a response in JSON.
    init(_ status: HTTPStatus = .ok, json: JSON, fields: HTTPFields = [:]) {
        self.init(status, encoded: json.utf8, fields: fields)
    }

    /// Creates a response in JSON that is already encoded.
    init(_ status: HTTPStatus = .ok, encoded text: [UInt8], fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentType] = "application/json"
        if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-cache" }
        self.init(status, fields: fields, body: .bytes(text + "\n".utf8))
    }

    /// Creates a response that contains a secret and must not be cached.
    init(_ status: HTTPStatus, secret json: JSON) { self.init(status, json: json, fields: [.cacheControl: "no-store"]) }

    /// A response without a body.
    static let done = HTTPResponse(.noContent)
}

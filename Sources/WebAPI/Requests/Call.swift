import ArticleStore
import AuthService
import Text
import HTTPServer
import LibraryServices

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
    var caller: Identity {
        get throws(Problem) {
            guard let identity else { throw .notLoggedIn }
            return identity
        }
    }

    /// The ID of the caller.
    var userID: User.ID { get throws(Problem) { try caller.session.user.id } }

    /// The authority for changes by the caller.
    var authority: Authority { get throws(Problem) { .token(try caller.token) } }

    /// The network address of the client.
    var origin: Origin {
        switch request.peer {
        case .internet(let host, _): Origin(address: host)
        case .local: Origin("local")
        }
    }

    /// The marks of the caller.
    var marking: ArticleMarker { get throws(Problem) { services.marker(for: try caller.session) } }

    /// The lists of sources, authors, and tags with the caller's numbers of unread articles.
    var listing: LibraryLister { get throws(Problem) { services.listing(for: try userID) } }

    /// The changes of the library by the caller.
    var editing: LibraryEditor { get throws(Problem) { services.editor(for: try authority, client: "API") } }

    /// The changes of subscriptions by the caller.
    var subscribing: SubscriptionEditor {
        get throws(Problem) { services.subscriptionEditor(for: try authority, client: "API") }
    }

    /// The name of the article in the path.
    var articleReference: ArticleReference { ArticleReference(path["article"] ?? "") }

    /// Returns the article that the path names, with the caller's marks.
    ///
    /// - Throws: `ArticleError` if the article does not exist; the errors of the services.
    func article() async throws -> (article: Article, marks: ArticleMarks) {
        let (article, marks, _) = try await services.reading(for: try caller.session).markedArticle(articleReference)
        return (article, marks ?? ArticleMarks())
    }

    /// Makes a response about an article. A large article counts as a request that takes long.
    func response(about article: Article, _ make: @Sendable () -> HTTPResponse) async throws -> HTTPResponse {
        guard article.body.utf8.count > ExpensiveWork.largeBody else { return make() }
        return try await work.run(for: String(try userID), holding: article.body.utf8.count) { make() }
    }
}

extension HTTPResponse {
    /// Creates a response in JSON.
    init(_ status: HTTPStatus = .ok, json: JSON, fields: HTTPFields = [:]) {
        self.init(status, encoded: json.utf8, fields: fields)
    }

    /// Creates a response in JSON that is already encoded.
    init(_ status: HTTPStatus = .ok, encoded text: consuming [UInt8], fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentType] = "application/json"
        if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-cache" }
        text.append(UInt8(ascii: "\n"))
        self.init(status, fields: fields, body: .bytes(text))
    }

    /// Creates a response that contains a secret and must not be cached.
    init(_ status: HTTPStatus, secret json: JSON) { self.init(status, json: json, fields: [.cacheControl: "no-store"]) }

    /// A response without a body.
    static let done = HTTPResponse(.noContent)
}

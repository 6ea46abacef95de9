public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A client for the library on a server.
///
/// ```swift
/// let client = try await LibraryClient(server: URL(string: "https://articles.example")!)
///     .loggedIn(username: "ada", password: password, as: "Ada's phone")
/// let page = try await client.articles()
/// ```
///
/// It needs only Foundation. Every method throws ``ClientError``, or the transport's error if the server does not
/// respond.
public struct LibraryClient: Sendable {
    /// The address of the server.
    public let server: URL
    /// The token of a session, or an API token. Store it where only its user can read it.
    public let token: String?
    private let transport: any Transport

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - server: the address of the server, as for a browser.
    ///   - token: the token of an earlier login, or an API token.
    ///   - transport: sends the requests.
    public init(server: URL, token: String? = nil, transport: any Transport = URLSession.shared) {
        self.server = server
        self.token = token
        self.transport = transport
    }

    /// Logs in.
    ///
    /// - Parameters:
    ///   - username: the name of the account.
    ///   - password: the password of the account.
    ///   - code: the code of the authenticator app, if the account has a second factor. If it is missing, the code of
    ///     the error is `secondFactorNeeded`.
    ///   - client: the name of the session in the list of sessions.
    /// - Returns: a client with the ``token`` of the new session.
    public func loggedIn(
        username: String, password: String, code: String? = nil, as client: String
    ) async throws -> LibraryClient {
        struct LogIn: Encodable {
            let username, password, client: String
            let code: String?
        }
        struct Opened: Decodable { let bearer: String }
        // Log in without the present token.
        let stranger = LibraryClient(server: server, token: nil, transport: transport)
        let opened: Opened = try await stranger.ask(
            "POST", "session", body: LogIn(username: username, password: password, client: client, code: code))
        return LibraryClient(server: server, token: opened.bearer, transport: transport)
    }

    /// Ends the session.
    public func logOut() async throws { _ = try await send("DELETE", "session") }

    /// Returns the account of the logged-in user.
    public func account() async throws -> Account { try await ask("GET", "session") }

    /// Returns a page of articles, the newest first.
    ///
    /// - Parameters:
    ///   - filter: the conditions of the list.
    ///   - cursor: ``ArticlePage/next`` of the previous page; nil for the first page.
    ///   - limit: the maximum number of articles, from 1 to 1,000.
    public func articles(
        _ filter: ArticleFilter = ArticleFilter(), after cursor: String? = nil, limit: Int = 50
    ) async throws -> ArticlePage {
        var query = [("limit", "\(limit)")]
        for (name, value) in [
            ("search", filter.search), ("source", filter.source), ("author", filter.author), ("tag", filter.tag),
            ("cursor", cursor),
        ] {
            if let value { query.append((name, value)) }
        }
        if filter.isUnread { query.append(("unread", "true")) }
        if filter.isStarred { query.append(("starred", "true")) }
        return try await ask("GET", "articles", query: query)
    }

    /// Returns an article.
    public func article(_ id: Int64) async throws -> Article { try await ask("GET", "articles/\(id)") }

    /// Returns the changes of articles and marks since a position.
    ///
    /// - Parameters:
    ///   - position: ``Changes/next`` of the previous result; nil for the whole library.
    ///   - limit: the maximum number of articles, and also of articles with marks.
    /// - Throws: also ``ClientError/anotherLibrary``.
    public func changes(since position: String?, limit: Int = 200) async throws -> Changes {
        try await ask("GET", "changes", query: [("limit", "\(limit)")] + (position.map { [("since", $0)] } ?? []))
    }

    /// Sends marks that were set here. For each mark, the later change wins, here or on the server.
    ///
    /// - Parameter marks: the marks of up to 1,000 articles.
    /// - Returns: the articles that do not exist.
    @discardableResult
    public func merge(_ marks: [MarkRecord]) async throws -> [Int64] {
        struct Merge: Encodable { let marks: [MarkRecord] }
        struct Merged: Decodable { let missing: [Int64]? }
        let merged: Merged = try await ask("POST", "marks", body: Merge(marks: marks))
        return merged.missing ?? []
    }

    // MARK: Requests

    private func ask<Answer: Decodable>(
        _ method: String, _ path: String, query: [(String, String)] = []
    ) async throws -> Answer {
        try decode(try await send(method, path, query: query))
    }

    private func ask<Answer: Decodable>(
        _ method: String, _ path: String, body: some Encodable
    ) async throws -> Answer {
        try decode(try await send(method, path, body: try Self.encoder.encode(body)))
    }

    private func decode<Answer: Decodable>(_ answer: (status: Int, body: Data)) throws -> Answer {
        do {
            return try Self.decoder.decode(Answer.self, from: answer.body)
        } catch {
            throw ClientError.unreadable(status: answer.status)
        }
    }

    private func send(
        _ method: String, _ path: String, query: [(String, String)] = [], body: Data? = nil
    ) async throws -> (status: Int, body: Data) {
        var address = server.appending(path: "api/v1/" + path)
        if !query.isEmpty {
            address.append(queryItems: query.map { URLQueryItem(name: $0.0, value: $0.1) })
        }
        // In a query, `+` means a space, but URL does not encode it, so encode it here.
        if let text = address.query(percentEncoded: true), text.contains("+"),
            var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
        {
            parts.percentEncodedQuery = text.replacingOccurrences(of: "+", with: "%2B")
            address = parts.url ?? address
        }
        var request = URLRequest(url: address)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await transport.send(request)
        guard !(200...299).contains(response.statusCode) else { return (response.statusCode, data) }
        struct Problem: Decodable { let code, detail: String }
        guard let problem = try? Self.decoder.decode(Problem.self, from: data) else {
            throw ClientError.unreadable(status: response.statusCode)
        }
        switch (response.statusCode, problem.code) {
        case (401, _): throw ClientError.notLoggedIn
        case (410, "anotherLibrary"): throw ClientError.anotherLibrary
        default:
            throw ClientError.refused(status: response.statusCode, code: problem.code, detail: problem.detail)
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests to a server.
public protocol Transport: Sendable {
    /// Sends a request, and returns the whole response with any status.
    ///
    /// - Throws: an error if the server does not respond.
    func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse)
}

extension URLSession: Transport {
    /// Sends a request. See ``Transport``.
    public func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        let (body, response) = try await data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (body, response)
    }
}

/// The reason why a request to a server failed.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The client is not logged in, or its token has expired.
    case notLoggedIn
    /// The library was restored from a backup, so the client must read everything again.
    case anotherLibrary
    /// The server refused the request, with a code for programs and a sentence for people.
    case refused(status: Int, code: String, detail: String)
    /// The response is not a response of this API.
    case unreadable(status: Int)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .notLoggedIn: "you are not logged in, or your session has ended; log in again"
        case .anotherLibrary: "the library was restored from a backup; everything is read again"
        case .refused(_, _, let detail): detail
        case .unreadable(let status):
            "the server answered \(status), but it is not an article library; check the address"
        }
    }
}

import AuthService
package import LibraryServices
package import HTTPServer
import ArticleStore
import Text

/// The front end for programs: `/api/v1`, in JSON.
///
/// A single table of operations routes and checks requests, and the description at `/api/v1/openapi.json` is generated
/// from it. Programs authenticate with `Authorization: Bearer TOKEN`. Cookies are ignored, so a page in a browser
/// cannot send requests in a user's name.
package struct WebAPI: Sendable {
    /// The default for the maximum number of requests per minute in a session, with an API token, or from a network
    /// address without either.
    package static let defaultLimit = 600

    private let services: Services
    private let limiter: RateLimiter
    private let work: ExpensiveWork
    private let description: HTTPResponse
    private let cors: CORS
    private let responses = CurrentResponses<TaggedOperation>()

    /// An operation whose response has an entity tag, and the caller.
    private struct TaggedOperation: Hashable {
        let id: String
        let user: User.ID
    }

    private static let operations =
        Operation.articles + Operation.marks + Operation.searches + Operation.rules + Operation.library
        + Operation.account
        + Operation.users

    /// Creates the front end.
    ///
    /// - Parameters:
    ///   - services: the accounts, the library, and the users' marks.
    ///   - version: the version of the program, for the description.
    ///   - limiter: counts the requests in a session, with an API token, or from a network address.
    ///   - work: runs the requests that take long.
    ///   - origins: the origins, like `https://app.example`, whose pages may use the API from scripts.
    package init(
        services: Services, version: String, limiter: RateLimiter = RateLimiter(limit: WebAPI.defaultLimit),
        work: ExpensiveWork = ExpensiveWork(), origins: Set<String> = []
    ) {
        self.services = services
        self.work = work
        cors = CORS(origins: origins)
        self.limiter = limiter
        description = HTTPResponse(
            json: OpenAPI(operations: Self.operations, version: version).json,
            fields: [.cacheControl: "public, max-age=3600"])
    }

    /// Responds to a request; nil if its path does not belong to this front end.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse? {
        guard request.target.segments.starts(with: ["api", "v1"]) else { return nil }
        var response = await answered(request, at: request.target.segments.dropFirst(2))
        for name in [HTTPFieldName.location, "link"] where !request.prefix.isEmpty {
            guard let text = response.fields[name]?.text else { continue }
            response.fields[name] = try? HTTPFieldValue(
                text.replacing("/api/v1", with: request.prefix + "/api/v1", maxReplacements: 1))
        }
        if !request.prefix.isEmpty, request.target.segments.last == "openapi.json",
            case .bytes(let bytes) = response.body
        {
            let text = String(decoding: bytes, as: UTF8.self)
            response.body = .bytes(
                Array(text.replacing("\"/api/v1\"", with: "\"\(request.prefix)/api/v1\"", maxReplacements: 1).utf8))
        }
        cors.apply(to: &response, for: request)
        return response
    }

    private func answered(_ request: HTTPRequest, at path: ArraySlice<String>) async -> HTTPResponse {
        // A browser sends a preflight request without a token, before the request itself.
        if let response = cors.preflight(request, methods: Self.methods(at: path)) { return response }
        do {
            let identity = try await identity(of: request)
            // Requests without a valid token are limited by client address.
            let client = identity.map { "session \($0.session.id)" } ?? "address \(request.peer.origin ?? "local")"
            let allowance = limiter.count("api " + client, at: services.clock())
            if let refusal = allowance.refusal { return refusal.response.addingRateLimit(allowance) }
            var response: HTTPResponse
            do {
                response = try await answer(request, at: path, identity)
            } catch {
                response = Problem(error).response
            }
            response.user = identity.map { String($0.session.user.id) }
            return response.addingRateLimit(allowance)
        } catch {
            return Problem(error).response
        }
    }

    private func answer(
        _ request: HTTPRequest, at path: ArraySlice<String>, _ identity: Call.Identity?
    ) async throws -> HTTPResponse {
        let method = request.method == .head ? .get : request.method
        if Array(path) == ["openapi.json"], method == .get { return description }
        let found = Self.operations.compactMap { operation in
            operation.values(in: path).map { (operation: operation, values: $0) }
        }
        guard !found.isEmpty else { throw Problem.notFound("there is nothing at \(request.target.path)") }
        // A path with a word takes precedence over one with a parameter, as with `tags/mine` and a tag. The operation
        // must also have the method: POST to `articles/marks` changes the marks of many articles, but GET reads the
        // article with the name `marks`.
        let fitting = found.filter { $0.operation.method == method }
        guard let (operation, values) = fitting.min(by: { $0.values.count < $1.values.count }) else {
            let methods = Self.methods(at: path)
            var fields: HTTPFields = [:]
            fields[.allow] = try? HTTPFieldValue(methods.joined(separator: ", "))
            throw Problem(
                status: .methodNotAllowed, code: "methodNotAllowed",
                detail: "\(request.method) is not supported; supported: \(methods.joined(separator: ", "))",
                fields: fields)
        }
        try check(operation.access, identity, of: request)
        let query = try operation.query.values(in: request.target.query)
        let handle: @Sendable () async throws -> HTTPResponse = {
            let call = Call(
                services: services, work: work, request: request, path: values, query: query,
                body: try body(of: request, for: operation), identity: identity)
            return try await operation.handle(call)
        }
        guard let user = identity?.session.user.id else { return try await handle() }
        let isExpensive = operation.isExpensive(query) || request.body.count > ExpensiveWork.largeBody
        let make = { isExpensive ? try await work.run(for: String(user), handle) : try await handle() }
        guard operation.hasTag else { return try await make() }
        return try await responses.response(
            to: request, for: TaggedOperation(id: operation.id, user: user),
            fields: [.cacheControl: "private, no-cache"], from: services, make)
    }

    /// Returns the methods of a path, each once.
    private static func methods(at path: ArraySlice<String>) -> [String] {
        if Array(path) == ["openapi.json"] { return [HTTPMethod.get.name, HTTPMethod.head.name] }
        var methods: [String] = []
        for operation in operations where operation.values(in: path) != nil {
            let names =
                operation.method == .get ? [HTTPMethod.get.name, HTTPMethod.head.name] : [operation.method.name]
            methods += names.filter { !methods.contains($0) }
        }
        return methods
    }

    /// Returns the caller; nil without a valid token. A caller with an expired token may still use operations for
    /// anybody, such as login.
    private func identity(of request: HTTPRequest) async throws -> Call.Identity? {
        guard let field = request.fields[.authorization]?.text else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer",
            let token = SessionToken(String(parts[1].drop { $0 == " " })),
            let session = try await services.auth.currentSession(token: token)
        else { return nil }
        return Call.Identity(session: session, token: token)
    }

    private func check(_ access: Operation.Access, _ identity: Call.Identity?, of request: HTTPRequest) throws {
        let (role, scope): (Role, APIToken.Scope?)
        switch access {
        case .anybody: return
        case .anyUser: (role, scope) = (.reader, .read)
        case .userWithWriteScope: (role, scope) = (.reader, .write)
        case .interactiveUser: (role, scope) = (.reader, nil)
        case .editor: (role, scope) = (.editor, .write)
        // AuthService decides which changes of users an API token may make. A token that may only read cannot see
        // users.
        case .operator: (role, scope) = (.operator, .write)
        }
        guard let session = identity?.session else {
            throw request.fields[.authorization] == nil ? Problem.notLoggedIn : .invalidToken
        }
        guard session.user.role >= role else { throw AuthError.notAllowed(role) }
        guard session.mayBeUsed(for: scope) else { throw Problem.outOfScope(scope) }
    }

    private func body(of request: HTTPRequest, for operation: Operation) throws -> JSON {
        guard let schema = operation.body else { return .null }
        let type = request.fields[.contentType]?.text.prefix { $0 != ";" }.lowercased()
        guard let type, ["application/json", "application/merge-patch+json"].contains(type.filter { $0 != " " }) else {
            throw Problem(
                status: .unsupportedMediaType, code: "unsupportedMediaType", detail: "send JSON, as application/json")
        }
        let body: JSON
        do {
            body = try request.body.withUnsafeBufferPointer { bytes throws(JSONError) in try JSONParser.value(of: bytes)
            }
        } catch {
            throw Problem.badRequest("invalidJSON", "the body is not JSON: \(error.reason) at byte \(error.offset)")
        }
        try schema.check(body)
        return body
    }
}

extension HTTPResponse {
    /// Adds the number of remaining requests (draft-ietf-httpapi-ratelimit-headers-03).
    fileprivate func addingRateLimit(_ allowance: RateLimiter.Allowance) -> HTTPResponse {
        var response = self
        response.fields["ratelimit-limit"] = HTTPFieldValue(allowance.limit)
        response.fields["ratelimit-remaining"] = HTTPFieldValue(allowance.remaining ?? 0)
        response.fields["ratelimit-reset"] = HTTPFieldValue(allowance.reset)
        response.fields["x-content-type-options"] = "nosniff"
        return response
    }
}

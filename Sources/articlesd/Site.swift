import AuthService
import FlowCoordinators
import GoogleReader
import HTTPServer
import Text
import WebAPI
import WebFront

/// Responds to all requests of the server. It distributes them to the fronts, and handles its own places.
struct Site: Sendable {
    let web: WebFront
    let reader: GoogleReader
    let api: WebAPI
    let feeds: FeedFront
    /// Responds to hubs; nil if the server does not use WebSub.
    let hubs: HubFront?
    let work: ExpensiveWork
    /// Counts the requests to `reader`, `api`, `feeds`, and `hubs`.
    let limiter: RateLimiter
    let proxies: TrustedProxies
    let basePath: BasePath
    let log: RequestLog
    let metrics: Metrics
    /// The reason why the server should not get requests now, in words; nil if there is none.
    let reasonNotReady: @Sendable () async -> String?
    let newID: @Sendable () -> String

    /// Responds to a request and logs it.
    func answer(_ received: HTTPRequest) async -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        let request = basePath.reading(proxies.reading(received)).withoutContentCoding
        let id = newID()
        var response = await response(to: request)
        // Do not compress responses with secrets: the length would reveal them (BREACH). The token of a form is masked
        // differently each time, so pages may be compressed.
        if response.holdsNoSecret { response = await compressed(response, for: request) }
        response = response.guarded(isSecure: request.isSecure)
        if let value = try? HTTPFieldValue(id) { response.fields["x-request-id"] = value }
        let duration = clock.now - start
        let bytes: Int? = if case .bytes(let bytes) = response.body { bytes.count } else { nil }
        metrics.record(request, at: Self.place(of: request.target), response.status, duration)
        log.logRequest(request, from: request.peer, id: id, response.status, bytes: bytes, duration)
        return response
    }

    /// The maximum size of a text that is compressed at once, which takes up to 5 ms. Nearly all pages are smaller.
    private static let maximumAtOnce = 256 << 10

    /// Compresses a response. A large one is compressed as expensive work.
    private func compressed(_ response: HTTPResponse, for request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let bytes) = response.body, bytes.count > Self.maximumAtOnce, request.acceptsGzip else {
            return response.compressed(for: request)
        }
        return await work.runAdmitted(for: response.user ?? request.peer.origin ?? "local") {
            response.compressed(for: request)
        }
    }

    /// Logs a request that the HTTP server refused by itself, and returns the additional fields of its response.
    func refused(_ refusal: HTTPRefusal) -> HTTPFields {
        let id = newID()
        let request = refusal.request.map { basePath.reading(proxies.reading($0)) }
        let place = request.map { Self.place(of: $0.target) } ?? "other"
        metrics.count(request?.method, at: place, refusal.status)
        log.logRequest(request, from: request?.peer ?? refusal.peer, id: id, refusal.status)
        var fields = HTTPResponse().guarded(isSecure: request?.isSecure ?? false).fields
        if let value = try? HTTPFieldValue(id) { fields["x-request-id"] = value }
        return fields
    }

    private func response(to request: HTTPRequest) async -> HTTPResponse {
        let reads = request.method == .get || request.method == .head
        switch request.target.path {
        case "/healthz" where !reads, "/readyz" where !reads:
            return HTTPResponse(.methodNotAllowed, fields: [.allow: "GET, HEAD"])
        case "/healthz": return HTTPResponse(text: "ok\n", fields: [.cacheControl: "no-store"])
        case "/readyz":
            guard let reason = await reasonNotReady() else {
                return HTTPResponse(text: "ready\n", fields: [.cacheControl: "no-store"])
            }
            return HTTPResponse(
                .serviceUnavailable, text: "not ready: \(reason)\n",
                fields: [.cacheControl: "no-store", .retryAfter: "30"])
        default: break
        }
        if let response = await reader.answer(request) { return response }
        if let response = await api.answer(request) { return response }
        if let response = await feeds.answer(request) { return response }
        if let response = await hubs?.answer(request) { return response }
        return await web.answer(request)
    }

    /// Returns the part of the server to which a path belongs.
    static func place(of target: HTTPTarget) -> String {
        let first = target.segments.first ?? ""
        return places.contains(first) ? first : first.isEmpty ? "articles" : "other"
    }

    /// Whether a path begins like an address of this server, so that the server cannot be below that path.
    static func isOwn(_ path: BasePath) -> Bool {
        path.text.split(separator: "/").first.map { places.contains(String($0)) || $0 == "pictures" } ?? false
    }

    private static let places = AppRoute.sections
        .union(["healthz", "readyz", "assets", "accounts", "reader", "api", "feeds", "websub"])

    /// Returns the maximum size of a request's body, in bytes.
    ///
    /// - Parameter hasHubs: whether hubs send requests.
    static func bodyLimit(of request: HTTPRequest, hasHubs: Bool = false) -> Int {
        guard [.post, .put, .patch].contains(request.method) else { return 0 }
        if hasHubs, HubFront.answers(request.target) { return HubFront.bodyBytes }
        var path = request.target.segments[...]
        if path.starts(with: ["api", "greader.php"]) { path = path.dropFirst(2) }
        // A client may mark thousands of articles as read in one request.
        let large = [["reader"], ["api", "v1", "articles"], ["api", "v1", "marks"]]
        if large.contains(where: { path.starts(with: $0) }), request.carriesToken { return 8 << 20 }
        guard let place = AppRoute(path: request.target.path), place.acceptsText else { return 64 << 10 }
        // An export of another reader may contain thousands of articles.
        return place == .feedList ? (request.carriesSession ? 16 << 20 : 64 << 10) : 1 << 20
    }
}

extension HTTPRequest {
    /// Whether a cookie has the form of a session.
    fileprivate var carriesSession: Bool {
        fields.values(of: .cookie).flatMap { $0.text.split(separator: ";") }.contains { cookie in
            cookie.split(separator: "=", maxSplits: 1).last.flatMap { SessionToken(String($0)) } != nil
        }
    }

    /// Whether the request contains something in the form of a token. Without one, its body is not read.
    fileprivate var carriesToken: Bool {
        guard let token = fields[.authorization]?.text.split(separator: " ").last else { return false }
        return SessionToken(String(token.trimmingPrefix("auth="))) != nil
    }
}

extension HTTPResponse {
    /// Whether the response may be compressed. API responses that must not be stored may contain secrets.
    fileprivate var holdsNoSecret: Bool {
        fields[.cacheControl]?.text != "no-store" || fields[.contentType]?.text.hasPrefix("text/html") == true
    }
}

extension HTTPResponse {
    /// The fields of all responses that are not pages: browsers must not show, run, or store them.
    private static let guards: [(HTTPFieldName, HTTPFieldValue)] = [
        (.cacheControl, "no-store"), ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"), ("referrer-policy", "no-referrer"),
    ]

    /// Returns the response with security fields that the front has not set itself (OWASP ASVS 5.0, 3.2.1 and 3.4).
    ///
    /// - Parameter isSecure: whether the client's connection is encrypted.
    func guarded(isSecure: Bool) -> HTTPResponse {
        var response = self
        for (name, value) in Self.guards where fields[name] == nil { response.fields[name] = value }
        // Without subdomains, because they may belong to others.
        if isSecure { response.fields["strict-transport-security"] = "max-age=31536000" }
        return response
    }
}

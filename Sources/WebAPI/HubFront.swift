package import ArticleStore
import AuthService
package import HTTPServer
package import Text

/// The front end for hubs (WebSub), at `/websub/TOKEN`. A hub confirms a subscription there, and announces changes of the
/// feed.
///
/// The content that a hub sends is not stored. Its signature is checked, and then the source is fetched from its own
/// address: a hub may send only a part of the feed, and nothing that it says can become an article. Many announcements
/// cause one fetch.
package struct HubFront: Sendable {
    /// The maximum size in bytes of the content that a hub may send. It must be read to check its signature, but anybody can
    /// send as much.
    package static let bodyBytes = 4 << 20

    private let subscriptions: any HubRepository
    private let limiter: RateLimiter
    private let clock: @Sendable () -> Date
    private let random: @Sendable () -> Double
    private let onPing: @Sendable () -> Void

    /// Creates the front end.
    ///
    /// - Parameters:
    ///   - subscriptions: the subscriptions at hubs.
    ///   - limiter: counts the requests for unknown tokens by network address.
    ///   - clock: the present time.
    ///   - random: a number from 0 to 1.
    ///   - onPing: called after a source has become due.
    package init(
        _ subscriptions: any HubRepository, limiter: RateLimiter = RateLimiter(limit: WebAPI.defaultLimit),
        clock: @escaping @Sendable () -> Date, random: @escaping @Sendable () -> Double,
        onPing: @escaping @Sendable () -> Void
    ) {
        (self.subscriptions, self.limiter, self.clock) = (subscriptions, limiter, clock)
        (self.random, self.onPing) = (random, onPing)
    }

    /// Returns the path for the requests of a hub.
    package static func path(token: String) -> String { "/websub/" + token }

    /// Whether a request is for a path of this front end.
    package static func answers(_ target: HTTPTarget) -> Bool { target.segments.first == "websub" }

    /// Responds to a request; nil if its path does not belong to this front end.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse? {
        guard Self.answers(request.target) else { return nil }
        do {
            return try await response(to: request)
        } catch {
            let problem = Problem(error)
            return HTTPResponse(problem.status, text: problem.detail + "\n", fields: problem.fields)
        }
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .get || request.method == .post else {
            return HTTPResponse(.methodNotAllowed, fields: [.allow: "GET, POST"])
        }
        let path = request.target.segments
        let token = path.count == 2 && Base64URL.decode(path[1])?.count == HubSubscription.tokenBytes ? path[1] : nil
        var hub: HubSubscription?
        if let token { hub = try await subscriptions.hubSubscription(withToken: token) }
        guard let hub else {
            let client = "websub address \(request.peer.origin ?? "local")"
            if let refusal = limiter.count(client, at: clock()).refusal { throw refusal }
            // A hub that gets this status for content ends the subscription.
            return HTTPResponse(request.method == .get ? .notFound : .gone)
        }
        if request.method == .post { return try await receive(request, for: hub) }
        return try await confirm(request.target.query, of: hub)
    }

    /// Responds to a hub that asks whether it should do what it was asked for (section 5.3), or that denies it (section 5.2).
    private func confirm(_ query: HTTPQuery, of hub: HubSubscription) async throws -> HTTPResponse {
        let refused = HTTPResponse(.notFound)
        guard query["hub.topic"] == hub.hub.topic else { return refused }
        let challenge = query["hub.challenge"] ?? ""
        let now = clock()
        switch (query["hub.mode"], hub.state) {
        case ("subscribe", .asking) where !challenge.isEmpty:
            let lease = query["hub.lease_seconds"].flatMap { Int($0) }
            let confirmed = hub.confirmed(lease: lease, at: now, random: random())
            guard try await subscriptions.replace(hub, with: confirmed) else { return refused }
        case ("unsubscribe", .leaving) where !challenge.isEmpty:
            guard try await subscriptions.replace(hub, with: nil) else { return refused }
        case ("denied", .leaving):
            _ = try await subscriptions.replace(hub, with: nil)
            return HTTPResponse()
        case ("denied", .asking), ("denied", .active):
            let denied = hub.denied(for: query["hub.reason"] ?? "", at: now)
            guard try await subscriptions.replace(hub, with: denied) else { return refused }
            // A fetch now, as nobody announces changes any more.
            try await recordPing(hub)
            return HTTPResponse()
        default: return refused
        }
        return HTTPResponse(text: challenge)
    }

    /// Accepts the content of a feed. A hub must not learn whether its signature is right (section 8).
    private func receive(_ request: HTTPRequest, for hub: HubSubscription) async throws -> HTTPResponse {
        guard hub.state == .active || hub.state == .asking else { return HTTPResponse(.gone) }
        if isSigned(request, by: hub) { try await recordPing(hub) }
        return HTTPResponse(.noContent)
    }

    private func isSigned(_ request: HTTPRequest, by hub: HubSubscription) -> Bool {
        guard let secret = hub.secret else { return true }
        let parts = request.fields["x-hub-signature"]?.text.split(separator: "=", maxSplits: 1) ?? []
        guard parts.count == 2, let hash = HMAC(rawValue: parts[0].lowercased()) else { return false }
        let digits = hash.code(of: request.body, key: secret.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return Sodium.isEqual(Array(digits.joined().utf8), Array(parts[1].lowercased().utf8))
    }

    private func recordPing(_ hub: HubSubscription) async throws {
        if try await subscriptions.recordPing(token: hub.token, at: clock()) { onPing() }
    }
}

internal import ArticleStore
internal import HTTPClient
internal import Text

/// Asks hubs to announce changes of feeds, renews the leases, and ends them (WebSub, section 5).
///
/// Servers of one library share the work by claims. A hub confirms a request by one of its own, which any of them can
/// answer. The schedule fetches a source as usual until then, and whenever a lease has ended.
package struct HubSubscriber: Sendable {
    /// The number of hubs to ask at the same time.
    private static let width = 16
    /// The time in seconds after which others may ask a hub, if this process was killed.
    private static let claimTime: Double = 5 * 60
    /// The maximum size in bytes of the response of a hub. It may contain an error message.
    private static let responseBytes = 64 << 10

    private let subscriptions: any HubRepository
    private let send: SourceFetcher.Send
    private let clock: @Sendable () -> Date
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let address: @Sendable (_ token: String) -> String

    /// - Parameters:
    ///   - fetcher: Sends the requests, with the limits of those for feeds.
    ///   - randomBytes: Returns a number of bytes that nobody can guess.
    ///   - address: Returns the address of this server to which a hub sends its requests for a token.
    package init(
        _ fetcher: SourceFetcher, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        address: @escaping @Sendable (_ token: String) -> String
    ) {
        (subscriptions, send, clock) = (fetcher.subscriptions, fetcher.send, fetcher.clock)
        (self.randomBytes, self.address) = (randomBytes, address)
    }

    /// Asks some of the hubs that are due. Failures are stored with the subscriptions.
    ///
    /// - Returns: The number of hubs that were due.
    /// - Throws: `CancellationError`; the errors of the library.
    package func askHubs() async throws -> Int {
        let now = clock()
        let new = try await subscriptions.sourcesWithoutHub(upTo: Self.width).map { source, hub in
            HubSubscription(
                token: Base64URL.encode(randomBytes(HubSubscription.tokenBytes)), source: source, hub: hub,
                // Without encryption, others could read the key.
                secret: hub.isSecure ? Base64URL.encode(randomBytes(HubSubscription.tokenBytes)) : nil, nextAttempt: now
            )
        }
        if !new.isEmpty { try await subscriptions.insert(new) }
        let due = try await subscriptions.claimHubs(
            upTo: Self.width, at: now, until: now.addingTimeInterval(Self.claimTime))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hub in due { group.addTask { try await ask(hub) } }
            try await group.waitForAll()
        }
        return due.count
    }

    private func ask(_ hub: HubSubscription) async throws {
        if hub.state == .leaving {
            let isOver = hub.leaseEnd.map { $0 <= clock() } ?? true
            guard !isOver, hub.attempts <= HubSubscription.partings else {
                _ = try await subscriptions.replace(hub, with: nil)
                return
            }
        }
        var problem: String?
        do throws(HTTPClientError) {
            var request = ClientRequest(try HTTPURL(hub.hub.address))
            request.form = fields(of: hub)
            request.bodyBytes = Self.responseBytes
            let status = try await send(request).status
            if !(200..<300).contains(status) { problem = "the hub responded with status \(status)" }
        } catch {
            if case .canceled = error { throw CancellationError() }
            problem = "the hub cannot be asked: \(error.description)"
        }
        // The hub may have confirmed the request before it responded. That state stays.
        _ = try await subscriptions.replace(hub, with: hub.asked(problem: problem, at: clock()))
    }

    private func fields(of hub: HubSubscription) -> [(name: String, value: String)] {
        let isLeaving = hub.state == .leaving
        var fields = [
            (name: "hub.mode", value: isLeaving ? "unsubscribe" : "subscribe"), ("hub.topic", hub.hub.topic),
            ("hub.callback", address(hub.token)),
        ]
        guard !isLeaving else { return fields }
        fields.append(("hub.lease_seconds", String(HubSubscription.wishedLease)))
        if let secret = hub.secret { fields.append(("hub.secret", secret)) }
        return fields
    }
}

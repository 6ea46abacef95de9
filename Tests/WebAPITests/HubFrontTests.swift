import ArticleFetching
import ArticleStore
import AuthService
import FetchingSupport
import Foundation
import HTTPClient
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text
import WebAPI

/// A server with a subscribed feed, and the hub of the feed.
private struct Site {
    let web: FakeWeb
    let front: HubFront
    let source: Source.ID
    static let feed = "https://example.org/feed"
    static let topic = "https://example.org/topic"
    static let hub = "https://hub.example/hub"

    private final class Counter: Sendable { let count = Atomic(0) }
    private let counter: Counter

    init(hub: String = hub, limit: Int = 1_000) async throws {
        let counter = Counter()
        let clock = TestClock()
        web = FakeWeb(try await StoreEngine.ofFixtures.open(clock: clock), clock: clock)
        front = HubFront(
            web.stores.subscriptions, limiter: RateLimiter(limit: limit), clock: { clock.now }, random: { 0 },
            onPing: { counter.count.add(1, ordering: .relaxed) })
        source = try await web.subscribe(to: Self.feed)
        self.counter = counter
        web.serve(hub, status: 202)
        publish([], hub: hub)
        #expect(try await web.fetch().map(\.problem) == [nil])
    }

    /// The number of announcements that made the source due.
    var wakeUps: Int { counter.count.load(ordering: .relaxed) }

    /// Publishes a feed with entries of these times.
    func publish(_ hoursAgo: [Double], hub: String = hub) {
        web.serve(
            Self.feed,
            body: FakeWeb.feed(
                hoursAgo.map { web.clock.now.addingTimeInterval(-$0 * 3_600) },
                head: #"<link rel="hub" href="\#(hub)"/><link rel="self" href="\#(Self.topic)"/>"#))
    }

    /// Asks the hub what is due, and returns the forms that it has received.
    @discardableResult
    func askHubs() async throws -> [[String: String]] {
        let count = web.requests.count
        _ = try await web.hubSubscriber().askHubs()
        return web.requests[count...].compactMap(\.form)
    }

    /// Sends a request of the hub, and returns the status and the text of the response.
    func request(
        _ method: HTTPMethod = .get, _ path: String, _ query: [String: String] = [:], signature: String? = nil,
        body: String = ""
    ) async throws -> (status: Int, text: String) {
        let query = query.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        var request = HTTPRequest(method, try #require(HTTPTarget("\(path)?\(query)")), body: Array(body.utf8))
        if let signature { request.fields["x-hub-signature"] = try HTTPFieldValue(signature) }
        let response = try #require(await front.answer(request))
        guard case .bytes(let bytes) = response.body else { return (response.status.code, "") }
        return (response.status.code, String(decoding: bytes, as: UTF8.self))
    }

    /// Confirms a request to the hub, and returns the path of the callback.
    @discardableResult
    func confirm(_ form: [String: String], lease: Int = 1_000_000) async throws -> String {
        let path = try #require(form["hub.callback"]?.trimmingPrefix("https://articles.example"))
        let response = try await request(
            .get, String(path),
            [
                "hub.mode": form["hub.mode"] ?? "", "hub.topic": form["hub.topic"] ?? "", "hub.challenge": "<c>",
                "hub.lease_seconds": "\(lease)",
            ])
        #expect(response == (200, "<c>"))
        return String(path)
    }

    /// Announces a change with a signed text, and returns the status.
    func announce(_ path: String, secret: String, hash: HMAC = .sha256, body: String = "<feed/>") async throws -> Int {
        let code = hash.code(of: Array(body.utf8), key: secret.utf8).map { String(format: "%02x", $0) }.joined()
        return try await request(.post, path, signature: "\(hash.rawValue)=\(code)", body: body).status
    }

    var subscription: Subscription { get async throws { try await web.subscription() } }

    /// The time in hours until the next fetch.
    func wait() async throws -> Double { try await subscription.nextFetch.timeIntervalSince(web.clock.now) / 3_600 }

    func articleCount() async throws -> Int { try await web.stores.articles.size().articles }
}

@Suite("Subscriptions at hubs")
struct HubFrontTests {
    private let day = 86_400.0

    @Test("A source is announced by its hub: asked, confirmed, signed, fetched at once, polled slowly, renewed, ended")
    func story() async throws {
        let site = try await Site()
        #expect(try await site.wait() == 1)
        let form = try #require(try await site.askHubs().first)
        let secret = try #require(form["hub.secret"])
        #expect(form["hub.mode"] == "subscribe" && form["hub.topic"] == Site.topic)
        #expect(form["hub.lease_seconds"] == "864000" && form["hub.callback"]?.contains(secret) == false)
        #expect(try await site.subscription.push?.end == nil)
        let path = try await site.confirm(form)
        let now = site.web.clock.now
        #expect(try await site.subscription.push?.end == now.addingTimeInterval(1_000_000))
        // Nothing is asked twice.
        #expect(try await site.askHubs().isEmpty)

        // The next fetch is slow from now on, and an announcement makes it due.
        site.web.clock.advance(by: 3_600)
        _ = try await site.web.fetch()
        #expect(try await site.wait() == 6)
        site.web.clock.advance(by: 120)
        site.publish([0.5, 0.6, 0.7])
        #expect(try await site.announce(path, secret: secret) == 204)
        #expect(site.wakeUps == 1)
        #expect(try await site.web.fetch().map(\.changes.new) == [3])
        #expect(try await site.wait() == 6)

        // The lease is renewed after two thirds, and the source stays announced until then.
        site.web.clock.set(now.addingTimeInterval(666_000))
        #expect(try await site.askHubs().isEmpty)
        site.web.clock.advance(by: 700)
        let renewal = try #require(try await site.askHubs().first)
        #expect(renewal == form)
        _ = try await site.web.fetch()
        #expect(try await site.wait() >= 6)
        try await site.confirm(renewal)
        #expect(try await site.subscription.push?.end == site.web.clock.now.addingTimeInterval(1_000_000))

        // The hub is told about the end.
        try await site.web.stores.subscriptions.remove([site.source])
        let end = try #require(try await site.askHubs().first)
        #expect(end["hub.mode"] == "unsubscribe" && end["hub.callback"] == form["hub.callback"])
        #expect(end["hub.secret"] == nil)
        try await site.confirm(end)
        #expect(try await site.askHubs().isEmpty)
        #expect(try await site.announce(path, secret: secret) == 410)
    }

    @Test("A hub that does not sign rightly gets the same response, and causes no fetch")
    func signatures() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        let (path, secret) = (try await site.confirm(form), try #require(form["hub.secret"]))
        site.web.clock.advance(by: 120)
        for signature in [nil, "", "sha256", "sha256=", "sha256=00", "md5=00", "sha1=\(secret)"] as [String?] {
            #expect(try await site.request(.post, path, signature: signature, body: "<feed/>").status == 204)
        }
        #expect(try await site.announce(path, secret: "other") == 204)
        #expect(site.wakeUps == 0)
        #expect(try await site.web.fetch().isEmpty)
        for hash in HMAC.allCases {
            site.web.clock.advance(by: 61)
            #expect(try await site.announce(path, secret: secret, hash: hash) == 204)
            #expect(try await site.web.fetch().count == 1, "\(hash)")
        }
        #expect(site.wakeUps == HMAC.allCases.count)
    }

    @Test("A hub without encryption gets no secret, and is believed, because it can only cause a fetch")
    func unencrypted() async throws {
        let site = try await Site(hub: "http://hub.example/")
        let form = try #require(try await site.askHubs().first)
        #expect(form["hub.secret"] == nil)
        let path = try await site.confirm(form)
        site.web.clock.advance(by: 120)
        #expect(try await site.request(.post, path, body: "<feed/>").status == 204)
        #expect(try await site.web.fetch().count == 1)
    }

    @Test("Many announcements cause one fetch a minute")
    func flood() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        let (path, secret) = (try await site.confirm(form), try #require(form["hub.secret"]))
        var fetches = 0
        for _ in 0..<120 {
            site.web.clock.advance(by: 1)
            for _ in 0..<3 { #expect(try await site.announce(path, secret: secret) == 204) }
            fetches += try await site.web.fetch().count
        }
        #expect(fetches == 2)
    }

    @Test("Only what was asked for is confirmed, and other requests are not found")
    func verification() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        let path = String(try #require(form["hub.callback"]?.trimmingPrefix("https://articles.example")))
        let right = [
            "hub.mode": "subscribe", "hub.topic": Site.topic, "hub.challenge": "c", "hub.lease_seconds": "1000",
        ]
        for (name, value) in [
            ("hub.mode", "unsubscribe"), ("hub.mode", "publish"), ("hub.topic", Site.feed), ("hub.topic", ""),
            ("hub.challenge", ""),
        ] {
            #expect(try await site.request(.get, path, right.merging([name: value]) { $1 }).status == 404)
        }
        let others = [path + "x", path + "/x", "/websub/", "/websub", "/websub/" + String(repeating: "A", count: 43)]
        for other in others {
            #expect(try await site.request(.get, other, right).status == 404)
            #expect(try await site.request(.post, other).status == 410)
        }
        #expect(try await site.subscription.push?.end == nil)
        #expect(try await site.request(.get, path, right) == (200, "c"))
        // It is confirmed once.
        #expect(try await site.request(.get, path, right).status == 404)
        #expect(try await site.request(HTTPMethod.put, path).status == 405)
    }

    @Test("Requests for unknown tokens are limited by address")
    func guesses() async throws {
        let site = try await Site(limit: 3)
        let path = "/websub/" + String(repeating: "A", count: 43)
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await site.request(.get, path).status) }
        #expect(statuses == [404, 404, 404, 429])
    }

    @Test(
        "A lease is at most 30 days, and a short one is not renewed more often than every 15 minutes",
        arguments: [(10, 900.0), (3_600, 2_400), (100_000_000, 20 * 86_400), (-5, 900)] as [(Int, Double)])
    func leases(lease: Int, renewal: Double) async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        try await site.confirm(form, lease: lease)
        let now = site.web.clock.now
        let end = try #require(try await site.subscription.push?.end)
        #expect(end.timeIntervalSince(now) == min(max(Double(lease), 0), 30 * day))
        site.web.clock.set(now.addingTimeInterval(renewal - 1))
        #expect(try await site.askHubs().isEmpty)
        site.web.clock.advance(by: 1)
        #expect(try await site.askHubs().count == 1)
    }

    @Test("A hub that denies is asked again after a day, and the source is fetched as usual")
    func denial() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        let path = try await site.confirm(form)
        site.web.clock.advance(by: 3_600)
        _ = try await site.web.fetch()
        #expect(try await site.wait() == 6)
        site.web.clock.advance(by: 120)
        let reason = "no\u{1B}[31m " + String(repeating: "x", count: 1_000)
        let query = ["hub.mode": "denied", "hub.topic": Site.topic, "hub.reason": reason]
        #expect(try await site.request(.get, path, query) == (200, ""))
        let push = try #require(try await site.subscription.push)
        #expect(push.end == nil && push.problem?.contains("denied") == true)
        #expect((push.problem?.count ?? 0) < 300 && push.problem?.contains("\u{1B}") == false)
        // The fetch is due, and the next one after the usual hour.
        #expect(try await site.web.fetch().count == 1)
        #expect(try await site.wait() == 1)
        #expect(try await site.announce(path, secret: form["hub.secret"] ?? "") == 410)
        site.web.clock.advance(by: day - 1)
        #expect(try await site.askHubs().isEmpty)
        site.web.clock.advance(by: 1)
        #expect(try await site.askHubs().count == 1)
    }

    @Test("A hub that fails is asked later and later, and the source is fetched as usual after the lease")
    func failures() async throws {
        let site = try await Site()
        let start = site.web.clock.now
        let form = try #require(try await site.askHubs().first)
        try await site.confirm(form, lease: 3 * 3_600)
        site.web.serve(Site.hub, status: 500)
        site.web.clock.set(start.addingTimeInterval(2 * 3_600))
        // The schedule does not wait longer than the lease.
        _ = try await site.web.fetch()
        #expect(try await site.wait() == 1)
        site.web.clock.advance(by: -1_800)
        _ = try await site.web.feeds.fetch(site.source)
        #expect(try await site.wait() == 1.5)
        site.web.clock.advance(by: 1_800)
        // Each request of the failing hub, with the time since the last one.
        var minutes: [Double] = []
        var last = site.web.clock.now
        while minutes.count < 9 {
            if try await !site.askHubs().isEmpty {
                minutes.append(site.web.clock.now.timeIntervalSince(last) / 60)
                last = site.web.clock.now
            }
            site.web.clock.advance(by: 900)
        }
        #expect(minutes == [0, 15, 30, 60, 120, 240, 480, 960, 1_440])
        #expect(try await site.subscription.push?.problem == "the hub responded with status 500")
        _ = try await site.web.fetch()
        #expect(try await site.wait() == 1)
    }

    @Test("If a fetch finds what the hub has not announced, the source is fetched as usual until it announces again")
    func silence() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        let (path, secret) = (try await site.confirm(form), try #require(form["hub.secret"]))
        func fetchLater() async throws -> Double {
            site.web.clock.advance(by: 7 * 3_600)
            #expect(try await site.web.fetch().count == 1)
            return try await site.wait()
        }
        #expect(try await fetchLater() == 6)
        site.publish([1, 2])
        #expect(try await fetchLater() < 6)
        #expect(try await fetchLater() < 6)
        #expect(try await site.announce(path, secret: secret) == 204)
        #expect(try await fetchLater() >= 6)
        #expect(try await fetchLater() >= 6)
    }

    @Test("A hub that does not confirm the end is asked three times, and not at all after the lease")
    func partings() async throws {
        let site = try await Site()
        let form = try #require(try await site.askHubs().first)
        try await site.confirm(form)
        try await site.web.stores.subscriptions.change([site.source], as: SubscriptionChange(paused: true))
        var count = 0
        for _ in 0..<200 {
            count += try await site.askHubs().count
            site.web.clock.advance(by: 900)
        }
        #expect(count == HubSubscription.partings)
        // A hub that has not confirmed the beginning is not asked for the end.
        try await site.web.stores.subscriptions.change([site.source], as: SubscriptionChange(paused: false))
        #expect(try await site.askHubs().map { $0["hub.mode"] } == ["subscribe"])
        try await site.web.stores.subscriptions.change([site.source], as: SubscriptionChange(paused: true))
        site.web.clock.advance(by: 900)
        #expect(try await site.askHubs().isEmpty)
    }

    @Test("A hub that confirms before it responds to the request stays confirmed")
    func earlyConfirmation() async throws {
        let site = try await Site()
        let front = site.front
        site.web.serve(Site.hub, status: 500)
        let subscriber = site.web.hubSubscriber { request throws(HTTPClientError) in
            let form = Dictionary((request.form ?? []).map { ($0.name, $0.value) }) { $1 }
            let path = (form["hub.callback"] ?? "").trimmingPrefix("https://articles.example")
            let query = "hub.mode=subscribe&hub.challenge=c&hub.topic=\(Site.topic.percentEncoded)"
            if let target = HTTPTarget(path + "?" + query) { _ = await front.answer(HTTPRequest(.get, target)) }
            return try site.web.send(request)
        }
        #expect(try await subscriber.askHubs() == 1)
        let push = try #require(try await site.subscription.push)
        #expect(push.end != nil && push.problem == nil)
    }
}

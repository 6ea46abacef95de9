import ArticleStore
import Foundation
import StoreEngines
import Testing

@Suite("Contract of HubRepository")
struct HubContractTests {
    private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_000_000 + seconds) }

    private func hub(_ number: Int = 1) throws -> Hub {
        try #require(Hub(address: "https://hub.example/\(number)", topic: "https://example.org/\(number)"))
    }

    /// Adds subscribed sources with a hub each, and returns their numbers.
    private func subscribe(_ count: Int, in stores: Stores) async throws -> [Source.ID] {
        let ids = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try (0..<count).map { try writer.insert(SourceFacts(name: "feed \($0)", kind: .feed), uid: nil).id }
        }
        try await stores.subscriptions.insert(
            ids.map { id in
                var subscription = Subscription(source: id, address: "https://example.org/", nextFetch: time(9_000))
                subscription.hub = try hub()
                return subscription
            })
        return ids
    }

    private func request(
        _ token: String, _ source: Source.ID, at seconds: Double = 0, _ hub: Hub? = nil
    ) throws -> HubSubscription {
        HubSubscription(
            token: token, source: source, hub: try hub ?? self.hub(), secret: "secret of \(token)",
            nextAttempt: time(seconds))
    }

    private func claim(_ stores: Stores, at seconds: Double, upTo count: Int = 9) async throws -> [HubSubscription] {
        try await stores.subscriptions.claimHubs(upTo: count, at: time(seconds), until: time(seconds + 100))
            .sorted { $0.token < $1.token }
    }

    /// Changes what a fetch found.
    private func fetch(
        _ source: Source.ID, in stores: Stores, at seconds: Double, _ change: (inout Subscription) throws -> Void
    ) async throws {
        let claim = FetchClaim(holder: "a", start: time(seconds), end: time(seconds + 10))
        var result = try #require(try await stores.subscriptions.claim([source], by: claim).first)
        result.nextFetch = time(9_000)
        try change(&result)
        try await stores.subscriptions.finish([result], holder: "a")
    }

    @Test("A source with a hub is listed until it has a subscription there", arguments: StoreEngine.allCases)
    func missing(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(3, in: stores)
        func missing(_ count: Int = 9) async throws -> [Source.ID] {
            try await stores.subscriptions.sourcesWithoutHub(upTo: count).map(\.source)
        }
        #expect(try await missing() == ids)
        #expect(try await missing(2) == Array(ids.prefix(2)))
        #expect(try await stores.subscriptions.sourcesWithoutHub(upTo: 1).first?.hub == hub())
        try await stores.subscriptions.insert([request("a", ids[0])])
        try await stores.subscriptions.change([ids[1]], as: SubscriptionChange(paused: true))
        #expect(try await missing() == [ids[2]])
        try await fetch(ids[2], in: stores, at: 0) { $0.hub = nil }
        #expect(try await missing().isEmpty)
        // Another process was faster, or the source is not subscribed any more.
        try await stores.subscriptions.insert([request("b", ids[0]), request("c", 4_711)])
        for token in ["b", "c"] {
            #expect(try await stores.subscriptions.hubSubscription(withToken: token) == nil)
        }
    }

    @Test(
        "A subscription at a hub is stored with all its parts, and lists show it without its secrets",
        arguments: StoreEngine.allCases)
    func parts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try await subscribe(1, in: stores)[0]
        let old = try request("a", id)
        try await stores.subscriptions.insert([old])
        #expect(try await stores.subscriptions.hubSubscription(withToken: "a") == old)
        var new = old
        (new.state, new.leaseEnd, new.nextAttempt) = (.active, time(500), time(300))
        (new.attempts, new.problem) = (3, "none ✓")
        #expect(try await stores.subscriptions.replace(old, with: new))
        #expect(try await stores.subscriptions.hubSubscription(withToken: "a") == new)
        #expect(try await stores.subscriptions.recordPing(token: "a", at: time(7)))
        let listed = try #require(try await stores.subscriptions.subscriptions().first)
        let push = Subscription.Push(
            hubAddress: "https://hub.example/1", end: time(500), lastPing: time(7), problem: "none ✓")
        #expect(listed.push == push && push.host == "hub.example")
        #expect(listed.hub == (try hub()))
        #expect(!String(reflecting: new).contains("secret"))
    }

    @Test("A subscription at a hub is replaced only if it has not changed since", arguments: StoreEngine.allCases)
    func replacement(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try await subscribe(1, in: stores)[0]
        let old = try request("a", id)
        try await stores.subscriptions.insert([old])
        var (active, late) = (old, old)
        active.state = .active
        late.nextAttempt = time(1)
        #expect(try await stores.subscriptions.replace(old, with: active))
        #expect(try await !stores.subscriptions.replace(old, with: late))
        #expect(try await !stores.subscriptions.replace(old, with: nil))
        #expect(try await stores.subscriptions.hubSubscription(withToken: "a") == active)
        #expect(try await stores.subscriptions.replace(active, with: nil))
        #expect(try await stores.subscriptions.hubSubscription(withToken: "a") == nil)
        #expect(try await stores.subscriptions.subscriptions().first?.push == nil)
    }

    @Test("Hubs that are due are claimed once, the longest waiting first", arguments: StoreEngine.allCases)
    func claims(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(3, in: stores)
        try await stores.subscriptions.insert([
            request("a", ids[0], at: -1), request("b", ids[1], at: 50), request("c", ids[2], at: -2),
        ])
        let first = try await claim(stores, at: 0, upTo: 1)
        #expect(first.map(\.token) == ["c"])
        #expect(first.map(\.attempts) == [1] && first.map(\.nextAttempt) == [time(100)])
        #expect(try await claim(stores, at: 0).map(\.token) == ["a"])
        #expect(try await claim(stores, at: 0).isEmpty)
        // After a crash, the claim ends.
        let again = try await claim(stores, at: 100)
        #expect(again.map(\.token) == ["a", "b", "c"] && again.map(\.attempts) == [2, 1, 2])
        var active = again[0]
        (active.state, active.nextAttempt) = (.active, time(300))
        #expect(try await stores.subscriptions.replace(again[0], with: active))
        #expect(try await claim(stores, at: 300).map(\.state) == [.asking, .asking, .asking])
    }

    @Test("Processes that claim hubs at the same time share them", arguments: StoreEngine.allCases)
    func sharing(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(30, in: stores)
        try await stores.subscriptions.insert(ids.map { try request("token \($0)", $0) })
        let claimed = try await withThrowingTaskGroup(of: [Source.ID?].self) { group in
            for _ in 0..<6 {
                group.addTask {
                    var all: [Source.ID?] = []
                    while true {
                        let some = try await claim(stores, at: 0, upTo: 4)
                        if some.isEmpty { return all }
                        all += some.map(\.source)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.compactMap(\.self).sorted() == ids)
    }

    @Test(
        "The hub of a source that is paused, ended, unsubscribed, or at another hub is left",
        arguments: StoreEngine.allCases)
    func leaving(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(5, in: stores)
        let hubs = try zip(["a", "b", "c", "d", "e"], ids).map { try request($0, $1, at: 8_000) }
        try await stores.subscriptions.insert(hubs)
        #expect(try await claim(stores, at: 0).isEmpty)
        try await stores.subscriptions.change([ids[0]], as: SubscriptionChange(paused: true))
        try await fetch(ids[1], in: stores, at: 0) { $0.state = .ended }
        try await stores.subscriptions.remove([ids[2]])
        try await fetch(ids[3], in: stores, at: 0) { $0.hub = try hub(2) }
        let left = try await claim(stores, at: 1)
        #expect(left.map(\.token) == ["a", "b", "c", "d"])
        #expect(left.allSatisfy { $0.state == .leaving && $0.attempts == 1 && $0.nextAttempt == time(101) })
        #expect(left.map(\.source) == [ids[0], ids[1], nil, ids[3]])
        // It stays so, while the source gets a subscription at its other hub, or again at the same.
        #expect(try await claim(stores, at: 101).map(\.state) == Array(repeating: .leaving, count: 4))
        #expect(try await stores.subscriptions.subscriptions().map { $0.push == nil } == [true, true, true, false])
        try await stores.subscriptions.change([ids[0]], as: SubscriptionChange(paused: false))
        #expect(try await stores.subscriptions.sourcesWithoutHub(upTo: 9).map(\.source) == [ids[0], ids[3]])
        try await stores.subscriptions.insert([request("f", ids[3], at: 8_000, hub(2))])
        #expect(try await stores.subscriptions.hubSubscription(withToken: "f") != nil)
    }

    @Test(
        "A ping makes a source due once, a minute after the last fetch, and not while it is fetched, paused, or waits",
        arguments: StoreEngine.allCases)
    func pings(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(5, in: stores)
        try await stores.subscriptions.insert(zip(["a", "b", "c", "d", "e"], ids).map { try request($0, $1) })
        func ping(_ token: String, at seconds: Double) async throws -> Bool {
            try await stores.subscriptions.recordPing(token: token, at: time(seconds))
        }
        func due(at seconds: Double) async throws -> [Source.ID] {
            let count = try await stores.subscriptions.makePingedSourcesDue(at: time(seconds))
            let due = try await stores.subscriptions.subscriptions().filter { $0.nextFetch == time(seconds) }.map(\.id)
            #expect(due.count == count)
            return due
        }
        #expect(try await due(at: 0).isEmpty)
        #expect(try await !ping("unknown", at: 0))
        // Many pings count once.
        #expect(try await ping("a", at: 1))
        #expect(try await !ping("a", at: 2))
        #expect(try await due(at: 3) == [ids[0]])
        #expect(try await due(at: 4).isEmpty)
        try await fetch(ids[0], in: stores, at: 5) { $0.lastFetch = time(5) }
        #expect(try await ping("a", at: 6))
        #expect(try await due(at: 64).isEmpty)
        #expect(try await due(at: 65) == [ids[0]])

        for token in ["b", "c", "d"] { #expect(try await ping(token, at: 70)) }
        try await stores.subscriptions.change([ids[1]], as: SubscriptionChange(paused: true))
        let held = try await stores.subscriptions.claim(
            [ids[2]], by: FetchClaim(holder: "b", start: time(70), end: time(170)))
        try await fetch(ids[3], in: stores, at: 70) { $0.lastError = Subscription.problem(ofStatus: 429) }
        #expect(try await due(at: 71).isEmpty)
        try await stores.subscriptions.change([ids[1]], as: SubscriptionChange(paused: false))
        try await stores.subscriptions.finish(held, holder: "b")
        try await fetch(ids[3], in: stores, at: 71) { $0.lastError = Subscription.problem(ofStatus: 500) }
        #expect(try await due(at: 72) == [ids[1], ids[2], ids[3]])
    }
}

import ArticleStore
import AuthService
import Foundation
import StoreEngines
import Testing

@Suite("Contract of SubscriptionRepository")
struct SubscriptionContractTests {
    private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_000_000 + seconds) }

    private func claim(_ holder: String, at seconds: Double = 0) -> FetchClaim {
        FetchClaim(holder: holder, start: time(seconds), end: time(seconds + 100))
    }

    /// Adds sources with subscriptions that are due at these times, and returns their numbers.
    private func subscribe(at times: [Double], in stores: Stores) async throws -> [Source.ID] {
        let ids = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try times.indices.map { index in
                try writer.insert(SourceFacts(name: "feed \(index)", kind: .feed), uid: nil).id
            }
        }
        try await stores.subscriptions.insert(
            zip(ids, times).map {
                Subscription(source: $0, address: "https://example.org/\($0)", nextFetch: time($1))
            })
        return ids
    }

    @Test("A result is stored with all its parts, byte for byte", arguments: StoreEngine.allCases)
    func parts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try await subscribe(at: [0], in: stores)[0]
        var result = try #require(try await stores.subscriptions.claimDue(upTo: 1, by: claim("a")).first)
        result.address = "https://example.org/new"
        result.state = .ended
        result.nextFetch = time(500)
        (result.lastFetch, result.lastSuccess) = (time(1), time(2))
        (result.failures, result.lastError) = (3, "status 500\u{0}")
        result.validators = .init(entityTag: [0xE9, 0x22, 0, 0x7F], lastModified: Array("Thu, 01 Jan".utf8))
        result.content = .min
        result.move = .init(to: "https://example.com/", since: time(4))
        (result.wishes.interval, result.wishes.skippedHours, result.wishes.skippedDays) = (60, [0, 23], [6])
        result.latest = [time(5), time(-6)]
        result.iconAddress = "https://example.org/icon.png"
        try await stores.subscriptions.finish([result], holder: "a")
        #expect(try await stores.subscriptions.subscriptions() == [result])

        // A new subscription replaces one that has ended.
        let again = Subscription(source: id, address: "https://example.org/again", nextFetch: time(7))
        try await stores.subscriptions.insert([again])
        #expect(try await stores.subscriptions.subscriptions() == [again])
        try await stores.subscriptions.insert([result])
        #expect(try await stores.subscriptions.subscriptions() == [again])
    }

    @Test(
        "A source counts as unsubscribed from the removal of its subscription to the next one",
        arguments: StoreEngine.allCases)
    func unsubscribed(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        func unsubscribedSources() async throws -> Set<Source.ID> {
            try await stores.subscriptions.unsubscribedSources()
        }
        #expect(try await unsubscribedSources().isEmpty)
        try await stores.subscriptions.remove([ids[0], 4711])
        try await stores.subscriptions.remove([ids[0]])
        #expect(try await unsubscribedSources() == [ids[0]])
        let again = Subscription(source: ids[0], address: "https://example.org/", nextFetch: time(0))
        try await stores.subscriptions.insert([again])
        #expect(try await unsubscribedSources().isEmpty)
    }

    @Test(
        "A process can renew its claims, but not those that another one has taken over", arguments: StoreEngine.allCases
    )
    func renewal(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0, 1000], in: stores)
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("a")).count == 2)
        try await stores.subscriptions.renew([ids[0], ids[2]], by: claim("a", at: 90))
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("b", at: 100)).map(\.id) == [ids[1]])
        try await stores.subscriptions.renew(ids, by: claim("a", at: 180))
        #expect(
            try await stores.subscriptions.subscriptions().map(\.nextFetch) == [time(280), time(200), time(1000)])
        try await stores.subscriptions.renew([], by: claim("a"))
    }

    @Test(
        "A password is stored, replaced, and removed apart from the subscription, and disappears with it",
        arguments: StoreEngine.allCases)
    func password(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let subscriptions = stores.subscriptions
        let ids = try await subscribe(at: [0, 0], in: stores)
        func password(_ text: String) throws -> FeedPassword {
            FeedPassword(try FeedLogin(username: "ada", password: text), for: "https://example.org:443")
        }
        func flags() async throws -> [Bool] { try await subscriptions.subscriptions().map(\.hasPassword) }
        let claimed = try await subscriptions.claim([ids[0]], by: claim("a"))
        try await subscriptions.setPassword(password("one"), of: ids[0])
        try await subscriptions.setPassword(password("ü \u{1F511} '"), of: ids[0])
        try await subscriptions.finish(claimed, holder: "a")
        #expect(try await flags() == [true, false])
        #expect(try await subscriptions.passwords(of: ids) == [ids[0]: password("ü \u{1F511} '")])
        #expect(try await subscriptions.passwords(of: [ids[1]]).isEmpty)
        #expect(try await subscriptions.claim([ids[0]], by: claim("b")).map(\.hasPassword) == [true])
        try await subscriptions.setPassword(nil, of: ids[0])
        #expect(try await flags() == [false, false])
        // A source that is not subscribed does not get a password.
        try await subscriptions.setPassword(password("one"), of: ids[0])
        try await subscriptions.remove([ids[0]])
        try await subscriptions.setPassword(password("one"), of: ids[0])
        #expect(try await subscriptions.passwords(of: ids).isEmpty)
        try await subscriptions.insert([
            Subscription(source: ids[0], address: "https://example.org/", nextFetch: time(0))
        ])
        #expect(try await flags() == [false, false])
    }

    @Test(
        "An icon is claimed once until its time, stored apart from the subscription, and disappears with it",
        arguments: StoreEngine.allCases)
    func icon(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let subscriptions = stores.subscriptions
        let ids = try await subscribe(at: [0, 0, 0], in: stores)
        func claimIcons(upTo count: Int = 10, at seconds: Double) async throws -> [Source.ID] {
            try await subscriptions.claimIcons(upTo: count, at: time(seconds), until: time(seconds + 100)).map(\.id)
        }
        func hasIcon() async throws -> [Bool] { try await subscriptions.subscriptions().map(\.hasIcon) }
        #expect(try await claimIcons(at: 0).isEmpty)
        var fetched = try await subscriptions.claim(ids, by: claim("a"))
        for index in fetched.indices { fetched[index].lastSuccess = time(0) }
        try await subscriptions.finish(fetched, holder: "a")
        try await subscriptions.change([ids[2]], as: SubscriptionChange(paused: true))

        #expect(try await claimIcons(upTo: 1, at: 0) == [ids[0]])
        #expect(try await claimIcons(at: 1) == [ids[1]])
        #expect(try await claimIcons(at: 99).isEmpty)
        let uid = try #require(try await stores.articles.sources().first { $0.id == ids[0] }?.uid)
        #expect(try await subscriptions.icon(of: uid) == nil)
        for bytes in [Array("GIF89a".utf8) + [0, 0xFF], [0xFF, 0xD8, 0xFF, 0]] {
            let icon = try #require(SourceIcon(bytes))
            try await subscriptions.setIcon(icon, of: ids[0], until: time(500))
            #expect(try await subscriptions.icon(of: uid) == icon)
        }
        #expect(try await hasIcon() == [true, false, false])
        #expect(try await subscriptions.icon(of: SourceUID.random()) == nil)
        // An attempt without an icon does not remove the old one.
        #expect(try await claimIcons(at: 200) == [ids[1]])
        #expect(try await claimIcons(at: 500) == ids.dropLast())
        #expect(try await hasIcon() == [true, false, false])

        try await subscriptions.remove([ids[0]])
        #expect(try await subscriptions.icon(of: uid) == nil)
        let icon = try #require(SourceIcon([0, 0, 1, 0]))
        try await subscriptions.setIcon(icon, of: ids[0], until: time(500))
        #expect(try await subscriptions.icon(of: uid) == nil)
    }

    @Test("Settings are stored, and a fetch does not change them", arguments: StoreEngine.allCases)
    func settings(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        func settings() async throws -> [Subscription.Settings] {
            try await stores.subscriptions.subscriptions().map(\.settings)
        }
        var expected = Subscription.Settings()
        let claimed = try await stores.subscriptions.claim([ids[0]], by: claim("a"))
        #expect(claimed.map(\.settings) == [expected])
        let changes = [
            SubscriptionChange(fullText: true), SubscriptionChange(unreadOnUpdate: true),
            SubscriptionChange(retention: .newest(500)), SubscriptionChange(paused: true, retention: .days(30)),
        ]
        for change in changes {
            try await stores.subscriptions.change([ids[0]], as: change)
            change.apply(to: &expected)
            #expect(try await settings() == [expected, .init()])
        }
        #expect(expected.hasFullText && expected.isPaused && expected.marksChangedUnread)
        #expect(expected.retention == .days(30))
        try await stores.subscriptions.finish(claimed, holder: "a")
        #expect(try await stores.subscriptions.claim([ids[0]], by: claim("b")).map(\.settings) == [expected])
        try await stores.subscriptions.change(
            ids,
            as: SubscriptionChange(fullText: false, paused: false, unreadOnUpdate: false, retention: .all))
        #expect(try await settings() == [.init(), .init()])
        try await stores.subscriptions.remove([ids[1]])
        var new = Subscription(source: ids[1], address: "https://example.org/", nextFetch: time(0))
        new.settings = expected
        try await stores.subscriptions.insert([new])
        #expect(try await settings() == [.init(), expected])
    }

    @Test(
        "A paused subscription is not due until it is resumed, but can be fetched by name",
        arguments: StoreEngine.allCases)
    func paused(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        try await stores.subscriptions.change([ids[0]], as: SubscriptionChange(paused: true))
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("a")).map(\.id) == [ids[1]])
        let claimed = try await stores.subscriptions.claim([ids[0]], by: claim("a"))
        #expect(claimed.map(\.isScheduled) == [false])
        try await stores.subscriptions.finish(claimed, holder: "a")
        try await stores.subscriptions.change([ids[0]], as: SubscriptionChange(paused: false))
        let due = try await stores.subscriptions.claimDue(upTo: 9, by: claim("b", at: 100))
        #expect(Set(due.map(\.id)) == Set(ids))
    }

    @Test(
        "A source is quiet for the users who made it so, as long as it is subscribed", arguments: StoreEngine.allCases)
    func quiet(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        let (ada, bob) = (try await stores.user("ada").id, try await stores.user("bob").id)
        func quiet(_ user: Int64?) async throws -> [Source.ID] {
            try await stores.subscriptions.subscriptions(for: user).filter(\.isQuiet).map(\.id)
        }
        try await stores.subscriptions.setQuiet(true, ids, by: ada)
        try await stores.subscriptions.setQuiet(true, [ids[1], 99], by: bob)
        try await stores.subscriptions.setQuiet(true, ids, by: 99)
        #expect(try await quiet(ada) == ids)
        #expect(try await quiet(bob) == [ids[1]])
        #expect(try await quiet(nil).isEmpty)
        #expect(try await quiet(99).isEmpty)
        try await stores.subscriptions.setQuiet(true, ids, by: ada)
        try await stores.subscriptions.setQuiet(false, [ids[0]], by: ada)
        #expect(try await quiet(ada) == [ids[1]])
        try await stores.subscriptions.remove([ids[1]])
        try await stores.subscriptions.insert([
            Subscription(source: ids[1], address: "https://example.org/", nextFetch: time(0))
        ])
        #expect(try await quiet(ada).isEmpty)
        #expect(try await quiet(bob).isEmpty)
    }

    @Test("Due subscriptions are claimed once, the longest waiting first", arguments: StoreEngine.allCases)
    func claims(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [-1, 1, -3, 0], in: stores)
        let first = try await stores.subscriptions.claimDue(upTo: 2, by: claim("a"))
        #expect(Set(first.map(\.id)) == [ids[0], ids[2]])
        #expect(first.allSatisfy { $0.nextFetch == time(100) })
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("b")).map(\.id) == [ids[3]])
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("c")).isEmpty)
        // Named sources are claimed before their time, but not from another process.
        #expect(try await stores.subscriptions.claim(ids, by: claim("c")).map(\.id) == [ids[1]])
    }

    @Test(
        "A claim that has ended passes to another process, and the first one stores nothing more",
        arguments: StoreEngine.allCases)
    func expiry(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        var late = try #require(try await stores.subscriptions.claim([ids[0]], by: claim("a")).first)
        _ = try await stores.subscriptions.claimDue(upTo: 9, by: claim("a"))
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("b", at: 99)).isEmpty)
        #expect(try await stores.subscriptions.claim([ids[0]], by: claim("b", at: 99)).isEmpty)
        #expect(try await stores.subscriptions.claim([ids[0]], by: claim("b", at: 100)).count == 1)
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("c", at: 100)).map(\.id) == [ids[1]])
        late.failures = 7
        try await stores.subscriptions.finish([late], holder: "a")
        #expect(try await stores.subscriptions.subscriptions().map(\.failures) == [0, 0])
        late.nextFetch = time(1_000)
        try await stores.subscriptions.finish([late], holder: "b")
        #expect(try await stores.subscriptions.subscriptions().map(\.failures) == [7, 0])
        // A finished subscription does not have a holder.
        #expect(try await stores.subscriptions.claim([ids[0]], by: claim("d", at: 101)).count == 1)
    }

    @Test("A next fetch that is too far away is due, because the clock was wrong", arguments: StoreEngine.allCases)
    func wrongClock(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [Subscription.longestWait, Subscription.longestWait + 1], in: stores)
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("a")).map(\.id) == [ids[1]])
    }

    @Test("Processes that claim at the same time share the work", arguments: StoreEngine.allCases)
    func sharing(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: (0..<60).map { Double(-$0) }, in: stores)
        let claimed = try await withThrowingTaskGroup(of: [Source.ID].self) { group in
            for process in 0..<6 {
                group.addTask {
                    var all: [Source.ID] = []
                    while true {
                        let some = try await stores.subscriptions.claimDue(upTo: 4, by: claim("\(process)"))
                        if some.isEmpty { return all }
                        all += some.map(\.id)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == ids)
    }

    @Test("An ended subscription is not due, and a removed one disappears", arguments: StoreEngine.allCases)
    func ended(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await subscribe(at: [0, 0], in: stores)
        var ended = try #require(try await stores.subscriptions.claim([ids[0]], by: claim("a")).first)
        (ended.state, ended.nextFetch) = (.ended, time(0))
        try await stores.subscriptions.finish([ended], holder: "a")
        #expect(try await stores.subscriptions.claimDue(upTo: 9, by: claim("a")).map(\.id) == [ids[1]])
        try await stores.subscriptions.remove([ids[1]])
        #expect(try await stores.subscriptions.subscriptions().map(\.id) == [ids[0]])
        #expect(try await stores.articles.sources().count == 2)
        // The engine in memory does not delete in cascades.
        guard engine != .memory else { return }
        try await stores.articles.removeSources(["feed 0"])
        #expect(try await stores.subscriptions.subscriptions().isEmpty)
    }
}

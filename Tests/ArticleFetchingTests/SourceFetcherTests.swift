import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Testing

@Suite("Fetching of sources")
struct SourceFetcherTests {
    private let address = "https://example.org/feed"
    private let hour = 3_600.0

    @Test(
        "Bytes of a feed that are not UTF-8 become U+FFFD, and the article arrives",
        arguments: [
            (
                "<rss><channel><title>T</title><item><guid>1</guid><title>One</title><description>",
                "</description></item></channel></rss>"
            ),
            (
                #"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","title":"One","content_text":""#,
                #""}]}"#
            ),
        ])
    func invalidText(start: String, end: String) async throws {
        let web = try await FakeWeb()
        let url = try HTTPURL(address)
        try await web.subscribe(to: address)
        // The text is longer than the pieces in which it is read.
        let text = Array(String(repeating: "€", count: 100_000).utf8) + Array("Caf".utf8) + [0xE9, 0x20, 0xFF, 0xC3]
        let body = Array(start.utf8) + text + Array(end.utf8)
        web.serve(address) { _ in ClientResponse(status: 200, fields: [], body: body, url: url, redirects: []) }
        #expect(try await web.fetch().map(\.outcome) == [.imported(new: 1, changed: 0)])
        let article = try #require(try await web.stores.articles.article(id: 1))
        #expect(article.body == String(repeating: "€", count: 100_000) + "Caf\u{FFFD} \u{FFFD}\u{FFFD}")
    }

    @Test("Only the first entries of a feed with very many entries are read")
    func manyEntries() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        func serve(_ item: (Int) -> String, _ count: Int) {
            let items = (1...count).map { "<item>\(item($0))</item>" }.joined()
            web.serve(address, body: "<rss><channel><title>T</title>\(items)</channel></rss>")
            web.clock.advance(by: 49 * hour)
        }
        func lastImport() async throws -> Source.LastImport? { try await web.stores.articles.sources()[0].lastImport }
        let most = SourceFetcher.mostEntries
        func item(_ number: Int) -> String { "<guid>\(number)</guid><title>T</title>" }
        serve(item, most)
        #expect(try await web.fetch().map(\.outcome) == [.imported(new: most, changed: 0)])
        #expect(try await lastImport()?.problemCount == 0)
        serve(item, most + 2)
        #expect(try await web.fetch().map(\.outcome) == [.imported(new: 0, changed: 0)])
        #expect(try await lastImport()?.problemCount == 1)
        #expect(try await lastImport()?.problems[0].contains("more than \(most) entries") == true)
        // Entries that are not articles count too.
        serve({ _ in "" }, most + 2)
        #expect(
            try await web.fetch().first?.problem == "the feed cannot be read: line 1: neither a title nor a text")
        #expect(try await web.stores.articles.size().articles == most)
    }

    @Test("A feed is imported, and its validators are returned byte for byte until it changes")
    func validators() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        let tag = [UInt8](#"W/"é \x80"#.utf8) + [0xE9]
        let url = try HTTPURL(address)
        let start = web.clock.now
        web.serve(address) { request in
            let fields = [HTTPClientField("ETag", tag), HTTPClientField("Last-Modified", "yesterday ")]
            let isKnown = request.fields["If-None-Match"] == tag
            return ClientResponse(
                status: isKnown ? 304 : 200, fields: fields,
                body: isKnown ? [] : Array(FakeWeb.feed([start]).utf8), url: url, redirects: [])
        }
        let first = try await web.fetch()
        #expect(first.map(\.changes.new) == [1])
        #expect(web.requests.map(\.fields.count) == [0])
        #expect(try await web.fetch().isEmpty)
        web.clock.advance(by: 25 * hour)
        let second = try await web.fetch()
        #expect(web.requests.last?.fields == ["If-None-Match": tag, "If-Modified-Since": Array("yesterday ".utf8)])
        guard case .unchanged? = second.first?.outcome else { Issue.record("\(second)"); return }
        let subscription = try await web.subscription()
        #expect(subscription.lastSuccess == web.clock.now)
        #expect(subscription.nextFetch > web.clock.now)
        #expect(try await web.stores.articles.size().articles == 1)
    }

    @Test(
        "A validator that cannot be sent is left out, so that the source is still fetched",
        arguments: ["\r", "\n", "\0"])
    func invalidValidator(character: String) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(
            address, ["ETag": "a\(character)b", "Last-Modified": "yesterday"], body: FakeWeb.feed([web.clock.now]))
        _ = try await web.fetch()
        web.clock.advance(by: 25 * hour)
        _ = try await web.fetch()
        #expect(web.requests.last?.fields == ["If-Modified-Since": Array("yesterday".utf8)])
    }

    @Test(
        "Validators of a response that cannot be read are not stored, and the old ones are forgotten",
        arguments: ["<html><body>Hello</body></html>", "", "{}", "<rss><channel><item><title>a</title></item>"])
    func unreadable(body: String) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, ["ETag": "1"], body: FakeWeb.feed([web.clock.now]))
        _ = try await web.fetch()
        web.serve(address, ["ETag": "2"], body: body)
        web.clock.advance(by: 25 * hour)
        let results = try await web.fetch()
        // A feed that breaks off may still have entries.
        guard results.first?.problem != nil else {
            #expect(body.hasPrefix("<rss"))
            return
        }
        let subscription = try await web.subscription()
        #expect(subscription.validators.isEmpty)
        #expect(subscription.failures == 1)
        #expect(subscription.lastError != nil)
        // The same feed is imported again, and repairs the subscription.
        web.serve(address, ["ETag": "3"], body: FakeWeb.feed([web.clock.now]))
        web.clock.advance(by: 49 * hour)
        #expect(try await web.fetch().map(\.changes.new) == [1])
        #expect(web.requests.last?.fields.isEmpty == true)
        #expect(try await web.subscription().lastError == nil)
    }

    @Test("A response with the same feed is not imported again, even without validators")
    func sameContent() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        _ = try await web.fetch()
        let imported = try await web.stores.articles.sources().first?.lastImport
        web.clock.advance(by: 25 * hour)
        guard case .unchanged? = try await web.fetch().first?.outcome else { Issue.record("imported"); return }
        #expect(try await web.stores.articles.sources().first?.lastImport == imported)
    }

    @Test(
        "A failed fetch keeps the validators, and the time to the next one doubles up to 48 hours",
        arguments: [404, 500, 304])
    func failures(status: Int) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, status: status)
        var hours: [Double] = []
        for _ in 0..<8 {
            #expect(try await web.fetch().count == 1)
            let next = try await web.subscription().nextFetch
            hours.append(next.timeIntervalSince(web.clock.now) / hour)
            web.clock.set(next)
        }
        #expect(hours == [1, 2, 4, 8, 16, 32, 48, 48])
        let subscription = try await web.subscription()
        #expect((subscription.failures, subscription.state) == (8, .active))
        #expect(subscription.lastError?.contains("\(status)") == true)
    }

    @Test("A server that cannot be reached counts as a failure, and a lack of memory does not")
    func unreachable() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address) { _ throws(HTTPClientError) in throw .unknownHost("example.org") }
        #expect(try await web.fetch().first?.problem?.contains("example.org") == true)
        #expect(try await web.subscription().failures == 1)
        web.clock.advance(by: hour)
        web.serve(address) { _ throws(HTTPClientError) in throw .outOfMemory }
        #expect(try await web.fetch().count == 1)
        let subscription = try await web.subscription()
        #expect(subscription.failures == 1)
        #expect(subscription.nextFetch == web.clock.now.addingTimeInterval(900))
    }

    @Test("After a day without a network, every source is fetched within two hours, and a dead one stays delayed")
    func networkDown() async throws {
        let web = try await FakeWeb()
        let addresses = (0..<4).map { "https://h\($0).org/feed" }
        let isDown = Mutex(false)
        for address in addresses {
            try await web.subscribe(to: address, name: address)
            let url = try HTTPURL(address)
            web.serve(address) { request throws(HTTPClientError) in
                if isDown.withLock({ $0 }) || address == addresses[3] { throw .noConnection("host") }
                let times = (0..<10).map { request.time.addingTimeInterval(-7_200 * Double($0)) }
                return ClientResponse(
                    status: 200, fields: [], body: Array(FakeWeb.feed(times).utf8), url: url, redirects: [])
            }
        }
        let random = Mutex(SeededGenerator(seed: 27))
        let fetcher = web.fetcher(random: { random.withLock { Double.random(in: 0...1, using: &$0) } })
        func pass(_ hours: Double) async throws {
            let end = web.clock.now.addingTimeInterval(hours * hour)
            while web.clock.now < end {
                _ = try await fetcher.fetchDue()
                web.clock.advance(by: 60)
            }
        }
        try await pass(24)
        func failures() async throws -> [Int] { try await web.stores.subscriptions.subscriptions().map(\.failures) }
        let before = try await failures()
        #expect(before.prefix(3) == [0, 0, 0])
        #expect(before[3] >= 4)

        isDown.withLock { $0 = true }
        try await pass(24)
        #expect(try await failures().prefix(3) == [1, 1, 1])
        isDown.withLock { $0 = false }
        try await pass(2)
        #expect(try await failures().prefix(3) == [0, 0, 0])
        #expect(try await failures()[3] <= before[3] + 1)
    }

    @Test(
        "Retry-After is obeyed after 429 and 503, and ignored after other errors",
        arguments: [(429, 30.0), (503, 30.0), (500, 1.0)])
    func retryAfter(status: Int, hours: Double) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, status: status, ["Retry-After": "108000"])
        _ = try await web.fetch()
        #expect(try await web.subscription().nextFetch.timeIntervalSince(web.clock.now) == hours * hour)
    }

    @Test(
        "Cache-Control and the wishes of the feed delay the next fetch, also after 304",
        arguments: [
            (["Cache-Control": "max-age=18000"], "", 5.0), ([:], "<ttl>180</ttl>", 3),
            ([:], "<skipHours><hour>23</hour><hour>0</hour></skipHours>", 2.7777777777777777),
            (["Cache-Control": "max-age=60"], "", 1),
        ])
    func wishes(fields: [String: String], head: String, hours: Double) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        // 14 November 2023, 22:13:20 UTC.
        let feed = "<rss><channel><title>a</title>\(head)</channel></rss>"
        let url = try HTTPURL(address)
        web.serve(address) { request in
            let isKnown = request.fields["If-None-Match"] != nil
            return ClientResponse(
                status: isKnown ? 304 : 200,
                fields: (fields.map { HTTPClientField($0.key, $0.value) }) + [.init("ETag", "1")],
                body: isKnown ? [] : Array(feed.utf8), url: url, redirects: [])
        }
        _ = try await web.fetch()
        let wait = try await web.subscription().nextFetch.timeIntervalSince(web.clock.now) / hour
        #expect(abs(wait - hours) < 1e-9)
        web.clock.set(try await web.subscription().nextFetch)
        _ = try await web.fetch()
        guard !head.contains("skip") else { return }
        #expect(try await web.subscription().nextFetch.timeIntervalSince(web.clock.now) == hours * hour)
    }

    @Test("A late run fetches nothing in an hour that the feed skips")
    func lateRun() async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        let head = "<rss><channel><title>a</title><skipHours><hour>0</hour></skipHours></channel></rss>"
        web.serve(address, body: head)
        _ = try await web.fetch()
        // It is due at 23:13:20 UTC, and the run begins at 0:13:20.
        web.clock.advance(by: 2 * hour)
        #expect(try await web.fetch().isEmpty)
        #expect(try await web.subscription().nextFetch == web.clock.now.addingTimeInterval(2_800))
        // A user can fetch it.
        #expect(try await web.fetcher().fetch([id]).isEmpty)
        #expect(web.requests.count == 2)
        web.clock.advance(by: 2 * hour)
        #expect(try await web.fetch().count == 1)
        #expect(web.requests.count == 3)
    }

    @Test("Status 410 ends a subscription, and fetching it by name can resume it")
    func gone() async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        web.serve(address, status: 410)
        guard case .ended? = try await web.fetch().first?.outcome else { Issue.record("not ended"); return }
        web.clock.advance(by: 1_000 * hour)
        #expect(try await web.fetch().isEmpty)
        #expect(try await web.subscription().state == .ended)
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        #expect(try await web.fetcher().fetch([id]).isEmpty)
        #expect(try await web.subscription().state == .active)
    }

    @Test(
        "A permanent redirect changes the address after a day, and only if all responses have it",
        arguments: [(301, true), (308, true), (302, false), (307, false)])
    func moved(status: Int, changes: Bool) async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        let target = "https://example.com/new"
        web.serve(target, body: FakeWeb.feed([web.clock.now]))
        web.serve(address, status: status, ["Location": target])
        _ = try await web.fetch()
        web.clock.advance(by: 23 * hour)
        // Once without the redirect: the day begins again.
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        _ = try await web.fetch()
        web.clock.advance(by: 12 * hour)
        web.serve(address, status: status, ["Location": target])
        #expect(try await web.fetch().map(\.hasMoved) == [false])
        #expect(try await web.subscription().address == address)
        web.clock.advance(by: 24 * hour)
        #expect(try await web.fetch().map(\.hasMoved) == [changes])
        #expect(try await web.subscription().address == (changes ? target : address))
        #expect(try await web.stores.articles.sources().first?.facts.feedURL == (changes ? target : address))
    }

    @Test("A canceled fetch releases its claims, and keeps the results that it has")
    func canceled() async throws {
        let web = try await FakeWeb()
        for name in ["a", "b"] { try await web.subscribe(to: "https://\(name).org/feed", name: name) }
        web.serve("https://a.org/feed", body: FakeWeb.feed([web.clock.now]))
        let latch = Latch()
        let (fetched, continuation) = AsyncStream.makeStream(of: Void.self)
        let fetcher = web.fetcher { request throws(HTTPClientError) in
            if request.url.host == "a.org" { return try web.send(request) }
            await latch.wait()
            throw .canceled
        }
        let task = Task { _ = try await fetcher.fetchDue { _ in continuation.finish() } }
        for await _ in fetched {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let subscriptions = try await web.stores.subscriptions.subscriptions()
        #expect(subscriptions.map { $0.nextFetch <= web.clock.now } == [false, true])
        #expect(subscriptions.map { $0.lastSuccess != nil } == [true, false])
    }

    @Test("All sources can be fetched at once, except paused ones and those whose server has asked to wait")
    func all() async throws {
        let web = try await FakeWeb()
        let names = ["ok", "busy", "limited", "broken", "paused"]
        var ids: [Source.ID] = []
        for name in names { ids.append(try await web.subscribe(to: "https://\(name).org/feed", name: name)) }
        web.serve("https://ok.org/feed", body: FakeWeb.feed([web.clock.now]))
        web.serve("https://busy.org/feed", status: 503, ["Retry-After": "7200"])
        web.serve("https://limited.org/feed", status: 429, ["Retry-After": "7200"])
        web.serve("https://broken.org/feed", status: 500)
        try await web.stores.subscriptions.change([ids[4]], as: SubscriptionChange(paused: true))
        #expect(try await web.fetch().count == 4)
        func fetchAll() async throws -> (Set<String>, leftOut: Int) {
            var names: Set<String> = []
            let leftOut = try await web.fetcher().fetchAll { names.insert($0.source.name) }
            return (names, leftOut)
        }
        let first = try await fetchAll()
        #expect(first.0 == ["ok", "broken"] && first.leftOut == 2)
        web.clock.advance(by: 2.5 * hour)
        let later = try await fetchAll()
        #expect(later.0 == ["ok", "busy", "limited", "broken"] && later.leftOut == 0)
    }

    @Test("After a crash, a source is fetched again within two minutes")
    func crash() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        let now = web.clock.now
        let claim = FetchClaim(holder: "killed", start: now, end: now.addingTimeInterval(SourceFetcher.claimTime))
        #expect(try await web.stores.subscriptions.claimDue(upTo: 1, by: claim).count == 1)
        web.clock.advance(by: 60)
        #expect(try await web.fetch().isEmpty)
        web.clock.advance(by: 60)
        #expect(try await web.fetch().map(\.changes.new) == [1])
    }

    /// The renewals of a process, which a test starts.
    private struct Renewals: Sendable {
        private let starts: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
        private let calls: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

        init() { (starts, calls) = (AsyncStream.makeStream(), AsyncStream.makeStream()) }

        func pause() async throws {
            calls.continuation.yield()
            for await _ in starts.stream { return }
            throw CancellationError()
        }

        /// Starts renewals 60 s apart, and waits until they are done.
        func run(_ count: Int, _ clock: TestClock) async {
            var calls = calls.stream.makeAsyncIterator()
            _ = await calls.next()
            for _ in 0..<count {
                clock.advance(by: 60)
                starts.continuation.yield()
                _ = await calls.next()
            }
        }
    }

    @Test(
        "A process renews its claims as long as it fetches, so no other one fetches the source",
        .timeLimit(.minutes(30))
    )
    func renewal() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        let (renewals, latch) = (Renewals(), Latch())
        let fetcher = web.fetcher(
            holder: "slow",
            send: { request throws(HTTPClientError) in
                await latch.wait()
                return try web.send(request)
            }, pause: { try await renewals.pause() })
        let task = Task { try await fetcher.fetchDue() }
        await renewals.run(3, web.clock)
        #expect(try await web.fetch().isEmpty)
        latch.open()
        #expect(try await task.value == 1)
        #expect(web.requests.count == 1)
        #expect(try await web.subscription().lastSuccess == web.clock.now)
    }

    @Test("A process also renews the claim of a new subscription while it loads full texts", .timeLimit(.minutes(30)))
    func renewalOfFirstFetch() async throws {
        let web = try await FakeWeb()
        web.serve(
            address,
            body: """
                <rss><channel><title>T</title><item><guid>1</guid><title>One</title><link>https://example.org/1</link>\
                </item></channel></rss>
                """)
        let (renewals, latch) = (Renewals(), Latch())
        let feeds = FeedSubscriber { [address] in
            web.fetcher(
                holder: "slow",
                send: { request throws(HTTPClientError) in
                    if request.url.text != address { await latch.wait() }
                    return try web.send(request)
                }, pause: { try await renewals.pause() })
        }
        let editor = SubscriptionEditor(
            articles: web.stores.articles, subscriptions: web.stores.subscriptions, feeds: feeds,
            recording: { _ in web.stores.articles })
        let task = Task { [address] in
            _ = try await editor.subscribe(to: address, settings: SubscriptionChange(fullText: true))
        }
        await renewals.run(3, web.clock)
        #expect(try await web.fetch().isEmpty)
        latch.open()
        try await task.value
        #expect(web.requests.count { $0.address == address } == 1)
    }

    @Test("A source that is renamed while it is fetched stays one source, and a removed one does not come back")
    func changedMeanwhile() async throws {
        let web = try await FakeWeb()
        for name in ["a", "b"] {
            try await web.subscribe(to: "https://\(name).org/feed", name: name)
            web.serve("https://\(name).org/feed", body: FakeWeb.feed([web.clock.now]))
        }
        let fetcher = web.fetcher { request throws(HTTPClientError) in
            let response = try web.send(request)
            if request.url.host == "a.org" {
                _ = try? await web.stores.articles.renameSource("a", to: "renamed")
            } else {
                _ = try? await web.stores.articles.removeSources(["b"])
            }
            return response
        }
        _ = try await web.fetch(fetcher)
        #expect(try await web.stores.articles.sources().map(\.name) == ["renamed"])
        #expect(try await web.stores.articles.size().articles == 1)
        #expect(try await web.stores.subscriptions.subscriptions().map(\.failures) == [0])
    }

    @Test("A paused source is not fetched by the schedule, and a fetch by name does not resume it")
    func paused() async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        web.serve(address, body: FakeWeb.feed([web.clock.now]))
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(paused: true))
        #expect(try await web.fetch().isEmpty)
        _ = try await web.fetcher().fetch([id])
        #expect(web.requests.count == 1)
        web.clock.advance(by: 48 * hour)
        #expect(try await web.fetch().isEmpty)
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(paused: false))
        #expect(try await web.fetch().count == 1)
    }

    @Test("A fetch removes the articles that the source does not keep, and they do not come back with the feed")
    func retention() async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        let times = (1...5).map { web.clock.now.addingTimeInterval(-24 * hour * Double($0)) }
        web.serve(address, body: FakeWeb.feed(times))
        _ = try await web.fetch()
        #expect(try await web.stores.articles.size().articles == 5)
        let user = try await web.user("ada")
        func readAll() async throws {
            try await web.stores.marks.change(.read(true), of: .all, by: user, at: web.clock.now)
        }
        try await readAll()
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(retention: .newest(2)))
        // Also an unchanged feed.
        #expect(try await web.editor().fetch(#require(web.stores.articles.sources().last)).removed == 3)
        #expect(try await web.stores.articles.size().articles == 2)
        try await web.editor().setQuiet(true, web.stores.articles.sources(), by: user)
        web.serve(address, body: FakeWeb.feed([web.clock.now] + times))
        web.clock.advance(by: 48 * hour)
        #expect(try await web.fetch().first?.outcome == .imported(new: 1, changed: 0))
        let left = try await web.stores.articles.list(ArticleQuery(), after: nil, limit: 9).summaries.map(\.published)
        #expect(left == [web.clock.now.addingTimeInterval(-48 * hour), times[0]])

        // A failure removes nothing, because the source may have gone for good.
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(retention: .newest(1)))
        web.serve(address, status: 500)
        web.clock.advance(by: 48 * hour)
        #expect(try await web.fetch().first?.problem != nil)
        #expect(try await web.stores.articles.size().articles == 2)
    }

    @Test("Nobody's unread articles are removed, also if nobody has registered yet")
    func firstRetention() async throws {
        let web = try await FakeWeb()
        let times = (1...5).map { web.clock.now.addingTimeInterval(-24 * hour * Double($0)) }
        for name in ["a", "b"] { web.serve("https://\(name).org/feed", body: FakeWeb.feed(times, title: name)) }
        let settings = SubscriptionChange(retention: .days(2))
        _ = try await web.editor().subscribe(to: "https://a.org/feed", settings: settings)
        web.clock.advance(by: 48 * hour)
        _ = try await web.fetch()
        #expect(try await web.stores.articles.size().articles == 5)
        _ = try await web.user("ada")
        _ = try await web.editor().subscribe(to: "https://b.org/feed", settings: settings)
        web.clock.advance(by: 48 * hour)
        _ = try await web.fetch()
        #expect(try await web.stores.articles.size().articles == 10)
    }

    @Test("If the source is set so, an article that the feed changes becomes unread again", arguments: [true, false])
    func updates(marksUnread: Bool) async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(unreadOnUpdate: marksUnread))
        let times = [web.clock.now, web.clock.now.addingTimeInterval(-hour)]
        web.serve(address, body: FakeWeb.feed(times))
        _ = try await web.fetch()
        let user = try await web.user("ada")
        try await web.stores.marks.change(.read(true), of: .all, by: user, at: web.clock.now)
        let changed = FakeWeb.feed(times).replacing("Text \(Int(times[0].timeIntervalSince1970))", with: "Changed")
        web.serve(address, body: changed)
        web.clock.advance(by: 48 * hour)
        #expect(try await web.fetch().first?.outcome == .imported(new: 0, changed: 1))
        #expect(try await web.stores.marks.counts(of: user).unread == (marksUnread ? 1 : 0))
    }

    @Test("New articles of a quiet source are read for its user when they arrive")
    func quiet() async throws {
        let web = try await FakeWeb()
        let id = try await web.subscribe(to: address)
        let (ada, bob) = (try await web.user("ada"), try await web.user("bob"))
        try await web.editor().setQuiet(true, web.stores.articles.sources(), by: ada)
        web.serve(address, body: FakeWeb.feed([web.clock.now, web.clock.now.addingTimeInterval(-hour)]))
        _ = try await web.fetch()
        #expect(try await web.stores.marks.readCounts(of: ada).sources == [id: 2])
        #expect(try await web.stores.marks.counts(of: bob).unread == 2)
    }

    @Test("Processes that fetch at the same time ask each source once")
    func shared() async throws {
        let web = try await FakeWeb()
        for number in 0..<100 {
            let address = "https://s\(number).org/feed"
            try await web.subscribe(to: address, name: "s\(number)")
            web.serve(address, body: FakeWeb.feed([web.clock.now]))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in 0..<3 {
                group.addTask { _ = try await web.fetcher(holder: "\(process)").fetchDue() }
            }
            try await group.waitForAll()
        }
        #expect(web.requests.count == 100)
        #expect(Set(web.requests.map(\.address)).count == 100)
        #expect(try await web.stores.articles.size().articles == 100)
    }
}

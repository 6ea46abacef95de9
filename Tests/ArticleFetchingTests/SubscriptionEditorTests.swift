import ArticleFetching
import ArticleStore
import FetchingSupport
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text

@Suite("Changes of subscriptions")
struct SubscriptionEditorTests {
    private let address = "https://example.org/feed"

    /// Returns servers in memory with a feed at `address`.
    private func web(on engine: StoreEngine = .sqlite) async throws -> FakeWeb {
        let web = FakeWeb(try await engine.open())
        web.serve(address, body: FakeWeb.feed([web.clock.now], title: "Blog"))
        return web
    }

    @Test(
        "Each change is recorded before it is made, and an attempt without an effect is not",
        arguments: StoreEngine.allCases)
    func recorded(engine: StoreEngine) async throws {
        let web = try await web(on: engine)
        let changes = Mutex<[String]>([])
        let editor = web.editor { change in changes.withLock { $0.append(change) } }
        guard
            case .subscribed(let result) = try await editor.subscribe(
                to: address, name: " Mine ", tags: [TagName("News")])
        else {
            Issue.record("not subscribed")
            return
        }
        #expect(result.source.name == "Mine" && result.source.facts.tags.map(\.name) == ["News"])
        guard case .known = try await editor.subscribe(to: address) else {
            Issue.record("subscribed twice")
            return
        }
        await #expect(throws: SubscribeError.self) { try await editor.subscribe(to: "https://example.org/") }
        try await editor.unsubscribe(from: [result.source])
        #expect(try await web.stores.subscriptions.subscriptions().isEmpty)
        #expect(try await web.stores.articles.articleCounts()[result.source.id] == 1)
        await #expect(throws: SubscribeError.notSubscribed("Mine")) {
            try await editor.unsubscribe(from: [result.source])
        }
        #expect(changes.withLock { $0 } == ["subscribe: \(address)", "unsubscribe: \(result.source.uid)"])
    }

    @Test("A source is fetched on request, unless it is not subscribed")
    func fetched() async throws {
        let web = try await web()
        let editor = web.editor()
        guard case .subscribed(let first) = try await editor.subscribe(to: address) else {
            Issue.record("not subscribed")
            return
        }
        web.serve(address, body: FakeWeb.feed([web.clock.now, web.clock.now.addingTimeInterval(-60)]))
        #expect(try await editor.fetch(first.source).changes.new == 1)
        web.serve(address, status: 500)
        #expect(try await editor.fetch(first.source).problem?.contains("500") == true)
        try await editor.unsubscribe(from: [first.source])
        await #expect(throws: SubscribeError.notSubscribed("Blog")) { try await editor.fetch(first.source) }
    }

    @Test("A subscription that has ended cannot be paused or resumed", arguments: [true, false])
    func ended(paused: Bool) async throws {
        let web = try await web()
        _ = try await web.subscribe(to: address)
        web.serve(address, status: 410)
        _ = try await web.fetch()
        let sources = try await web.stores.articles.sources().filter { $0.name != "library" }
        do {
            _ = try await web.editor().change(sources, as: SubscriptionChange(paused: paused))
            Issue.record("changed")
        } catch SubscribeError.hasEnded(_, let reason) {
            #expect(reason.contains("410"))
        }
        // The other settings stay until the feed is subscribed to at another address.
        _ = try await web.editor().change(sources, as: SubscriptionChange(retention: .days(3)))
    }

    @Test("Without a client for feeds, subscriptions can only be ended")
    func off() async throws {
        let web = try await web()
        let id = try await web.subscribe(to: address)
        let articles = web.stores.articles
        let editor = SubscriptionEditor(
            articles: articles, subscriptions: web.stores.subscriptions, feeds: nil
        ) { _ in articles }
        let source = try #require(try await articles.sources().first { $0.id == id })
        await #expect(throws: SubscribeError.fetchingIsOff) { try await editor.subscribe(to: address) }
        await #expect(throws: SubscribeError.fetchingIsOff) { try await editor.fetch(source) }
        try await editor.unsubscribe(from: [source])
        #expect(try await web.stores.subscriptions.subscriptions().isEmpty)
    }

    @Test(
        "Errors about an address name the reason, and an address in a private network is only refused",
        arguments: [
            (HTTPClientError.forbiddenHost("10.0.0.1"), "addressNotAllowed"), (.forbiddenPort(22), "addressNotAllowed"),
            (.timedOut, "unreachable"), (.unknownHost("nowhere.example"), "unreachable"),
            (.brokenResponse("too short"), "unreachable"),
        ])
    func refused(error: HTTPClientError, code: String) async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/") { _ throws(HTTPClientError) in throw error }
        let refusal = await #expect(throws: SubscribeError.self) { try await web.editor().subscribe(to: "example.org") }
        #expect(refusal?.problemCode == code && refusal?.errorKind == error.errorKind)
        #expect(refusal?.description == error.description)
        #expect(try await web.stores.articles.sources().isEmpty)
    }

    @Test(
        "A text that is not a web address is refused",
        arguments: ["", "  ", "file:///etc/passwd", "ftp://a.example/", "ht tp"])
    func noAddress(text: String) async throws {
        let web = try await FakeWeb()
        let refusal = await #expect(throws: SubscribeError.self) { try await web.editor().subscribe(to: text) }
        #expect(refusal?.problemCode == "invalidAddress" && web.requests.isEmpty)
    }

    @Test("A slow server is not asked for all usual addresses")
    func slow() async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/", body: "<html></html>")
        web.serve("https://example.org/feed") { [clock = web.clock] _ throws(HTTPClientError) in
            clock.advance(by: 31)
            throw .timedOut
        }
        await #expect(throws: SubscribeError.noFeed("https://example.org/")) {
            try await web.editor().subscribe(to: "example.org")
        }
        #expect(web.requests.count == 2)
    }

    @Test("A list of feeds becomes subscriptions with its folders as tags", arguments: StoreEngine.allCases)
    func list(engine: StoreEngine) async throws {
        let web = try await web(on: engine)
        let list = """
            <opml version="2.0"><body><outline text="News"><outline text="One" type="rss" xmlUrl="\(address)"/></outline>\
            <outline text="Two" type="rss" xmlUrl="https://example.org/two"/></body></opml>
            """
        #expect(try await web.editor().importFile(Array(list.utf8)).subscribed == 2)
        let sources = try await web.stores.articles.sources()
        #expect(sources.map { $0.facts.tags.map(\.name) } == [["News"], []])
        #expect(
            try await web.stores.subscriptions.subscriptions().map(\.address) == [address, "https://example.org/two"])
        #expect(try await web.fetch().first { $0.source.name == "One" }?.changes.new == 1)
    }

    @Test("A feed that has moved permanently is found by its old address", arguments: StoreEngine.allCases)
    func moved(engine: StoreEngine) async throws {
        let web = try await web(on: engine)
        let (old, new) = ("https://example.org/old", "https://example.com/new")
        web.serve(new, body: FakeWeb.feed([web.clock.now], title: "Moved"))
        web.serve(old, status: 301, ["Location": new])
        let list = Array("<opml><body><outline text='Moved' type='rss' xmlUrl='\(old)'/></body></opml>".utf8)
        _ = try await web.editor().importFile(list)
        for _ in 0..<3 {
            _ = try await web.fetch()
            web.clock.advance(by: 25 * 3_600)
        }
        #expect(try await web.subscription().address == new)
        web.serve(old, status: 404)
        _ = try await web.editor().importFile(list)
        #expect(try await web.subscription().address == new)
        guard case .known(let source) = try await web.editor().subscribe(to: old) else {
            Issue.record("subscribed twice")
            return
        }
        #expect(try await web.stores.articles.sources() == [source])
        #expect(source.facts.formerAddresses == [old] && source.facts.feedURL == new)
        // After the end of the subscription, the old list leads to the new address.
        try await web.editor().unsubscribe(from: [source])
        _ = try await web.editor().importFile(list)
        #expect(try await web.subscription().address == new)
        // A feed that is at the address now takes precedence over one that was there before.
        let other = try await web.subscribe(to: old, name: "other")
        guard case .known(let present) = try await web.editor().subscribe(to: old) else {
            Issue.record("subscribed twice")
            return
        }
        #expect(present.id == other)
    }

    @Test(
        "A feed without a title in the list gets its own title at the first fetch, unless a user has named it",
        arguments: StoreEngine.allCases)
    func untitled(engine: StoreEngine) async throws {
        let web = try await web(on: engine)
        let addresses = ["https://example.org/a", "https://example.org/b", "https://example.org/c"]
        for address in addresses { web.serve(address, body: FakeWeb.feed([web.clock.now], title: "Same\n Title")) }
        let outlines = addresses.map { "<outline type=\"rss\" xmlUrl=\"\($0)\"/>" }.joined()
        _ = try await web.editor().importFile(Array("<opml><body>\(outlines)</body></opml>".utf8))
        #expect(try await web.stores.articles.sources().map(\.name) == addresses)
        _ = try await web.stores.articles.renameSource(addresses[2], to: "Mine")
        let results = try await web.fetch()
        #expect(Set(results.map(\.source.name)) == ["Same Title", "Same Title 2", "Mine"])
        let names = try await web.stores.articles.sources().map(\.name)
        #expect(names.last == "Mine" && Set(names) == ["Same Title", "Same Title 2", "Mine"])
        #expect(try await web.stores.subscriptions.subscriptions().allSatisfy { $0.latest.count == 1 })
    }

    @Test(
        "An export of another reader brings articles and marks, and a fetch recognizes them",
        arguments: StoreEngine.allCases)
    func export(engine: StoreEngine) async throws {
        let web = try await web(on: engine)
        func item(_ number: Int) -> String {
            "<item><guid isPermaLink='false'>urn:\(number)</guid><title>T\(number)</title>"
                + "<link>https://example.org/\(number)</link><pubDate>Tue, 14 Nov 2023 22:13:1\(number) GMT</pubDate></item>"
        }
        func entry(_ number: Int, of feed: String, status: String = "read") -> String {
            #"{"id":\#(number),"feed_id":1,"status":"\#(status)","title":"T\#(number)","url":"https://example.org/\#(number)","#
                + #""published_at":"2023-11-14T22:13:1\#(number)Z","content":"<p>Text</p>","starred":\#(number == 2),"#
                + #""feed":{"id":1,"feed_url":"\#(feed)","title":"Blog"}}"#
        }
        web.serve(address, body: "<rss><channel><title>Blog</title>\(item(1))</channel></rss>")
        _ = try await web.editor().subscribe(to: address)
        let marks = Mutex<[String]>([])
        let file =
            #"{"total":3,"entries":["# + entry(1, of: address) + "," + entry(2, of: address, status: "unread") + ",\n"
            + entry(3, of: "https://b.example/feed") + ",7]}"
        for expected in [(new: 2, known: 1), (new: 0, known: 3)] {
            let result = try await web.editor().importFile(Array(file.utf8)) { found in
                marks.withLock { $0 += found.sorted { $0.key < $1.key }.map(\.value.description) }
                return found.count
            }
            #expect((result.new, result.known, result.marked) == (expected.new, expected.known, 3))
            #expect(result.rejected == 1 && result.problems.count == 1 && result.problems[0].hasPrefix("line 2: "))
        }
        #expect(marks.withLock { $0.prefix(3) } == [#"{"read":true}"#, #"{"starred":true}"#, #"{"read":true}"#])
        #expect(try await web.stores.subscriptions.subscriptions().count == 1)
        // The feed has its own IDs for the articles that the export brought.
        web.serve(address, body: "<rss><channel><title>Blog</title>\(item(2))\(item(1))</channel></rss>")
        web.clock.advance(by: 25 * 3_600)
        #expect(try await web.fetch().map { $0.changes.new } == [0])
        #expect(try await web.stores.articles.articleCounts().values.sorted() == [1, 2])
    }

    @Test("The feeds of newsboat become subscriptions, and the other lines are reported")
    func newsboat() async throws {
        let web = try await web()
        let list = "https://a.example/feed\r\nhttps://b.example/feed news \"~B\"\r\nquery:All:x = \"y\"\r\n"
        let result = try await web.editor().importFile(Array(list.utf8))
        #expect(result.subscribed == 2 && result.rejected == 1 && result.problems[0].hasPrefix("line 3: "))
        let sources = try await web.stores.articles.sources()
        #expect(Set(sources.map(\.name)) == ["https://a.example/feed", "B"])
    }

    @Test(
        "A text that is not a list of feeds is refused, and nothing is imported",
        arguments: [
            "", "<opml", "<opml/>", "{}", "<html></html>", FakeWeb.feed([]), "Hello", #"{"total":0,"entries":[]}"#,
            "query:All:x", "file:///x",
            "<opml><body><outline xmlUrl='file:///x'/></body></opml>",
        ])
    func noList(text: String) async throws {
        let web = try await FakeWeb()
        await #expect(throws: SubscribeError.unknownFile) { try await web.editor().importFile(Array(text.utf8)) }
        #expect(try await web.stores.articles.sources().isEmpty)
        #expect(try await web.stores.subscriptions.subscriptions().isEmpty)
    }
}

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

    @Test("Without a client for feeds, subscriptions can only be ended")
    func off() async throws {
        let web = try await web()
        let id = try await web.subscribe(to: address)
        let articles = web.stores.articles
        let editor = SubscriptionEditor(subscriptions: web.stores.subscriptions, feeds: nil) { _ in articles }
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
        #expect(try await web.editor().subscribe(toListIn: Array(list.utf8)) == 2)
        let sources = try await web.stores.articles.sources()
        #expect(sources.map { $0.facts.tags.map(\.name) } == [["News"], []])
        #expect(
            try await web.stores.subscriptions.subscriptions().map(\.address) == [address, "https://example.org/two"])
        #expect(try await web.fetch().first { $0.source.name == "One" }?.changes.new == 1)
    }

    @Test(
        "A text that is not a list of feeds is refused, and nothing is imported",
        arguments: [
            "", "<opml", "<opml/>", "{}", "<html></html>", FakeWeb.feed([]),
            "<opml><body><outline xmlUrl='file:///x'/></body></opml>",
        ])
    func noList(text: String) async throws {
        let web = try await FakeWeb()
        await #expect(throws: SubscribeError.notAList) { try await web.editor().subscribe(toListIn: Array(text.utf8)) }
        #expect(try await web.stores.articles.sources().isEmpty)
        #expect(try await web.stores.subscriptions.subscriptions().isEmpty)
    }
}

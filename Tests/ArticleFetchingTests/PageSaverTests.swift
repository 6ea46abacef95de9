import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text

@Suite("Saving pages")
struct PageSaverTests {
    static let text = String(
        repeating: "<p>A walk along the coast, in the rain, takes longer than a day, and is worth it.</p>", count: 10)

    static func page(_ head: String = "<title>The walk along the coast</title>") -> String {
        "<html><head>\(head)</head><body><nav class=menu>Menu</nav><article>\(text)</article></body></html>"
    }

    private let address = "https://example.org/walk"
    private let html = ["Content-Type": "text/html; charset=utf-8"]

    private func saver(_ web: FakeWeb) -> PageSaver {
        let articles = web.stores.articles
        return PageSaver(
            PageFetcher { request throws(HTTPClientError) in try web.send(request) }, articles: articles,
            editor: LibraryEditor(articles: articles) { _ in articles })
    }

    private func save(
        _ web: FakeWeb, _ address: String, to source: SourceFacts = .savedPages, tags: [String] = []
    ) async throws -> (article: Article, isNew: Bool) {
        switch try await saver(web).save(address, to: source, tags: tags) {
        case .added(let article): (article, true)
        case .known(let article): (article, false)
        }
    }

    @Test("A page becomes an article with its tags, in a source for saved pages", arguments: StoreEngine.allCases)
    func added(engine: StoreEngine) async throws {
        let web = FakeWeb(try await engine.open())
        web.serve(address, html, body: Self.page())
        let (article, isNew) = try await save(web, "example.org/walk", tags: ["travel"])
        #expect(isNew)
        #expect((article.title, article.sourceURL) == ("The walk along the coast", address))
        #expect((article.source.name, article.tags) == ("saved pages", ["travel"]))
        #expect(article.body.contains("in the rain") && !article.body.contains("Menu"))
        #expect(try await web.stores.articles.article(id: article.id) == article)
        // Nothing is fetched for an address that the library knows.
        let count = web.requests.count
        let again = try await save(web, address)
        #expect(!again.isNew)
        #expect(again.article == article)
        #expect(web.requests.count == count)
    }

    @Test("An article is recognized by its canonical address and by redirects, in each source")
    func known() async throws {
        let web = try await FakeWeb()
        let link = "<link rel=canonical href='/walk'>"
        web.serve("https://example.org/walk?x=1", html, body: Self.page(link))
        web.serve("https://example.org/old", status: 302, ["Location": "/walk"])
        web.serve(address, html, body: Self.page())
        let first = try await save(web, "https://example.org/walk?x=1")
        #expect(first.isNew)
        #expect(first.article.sourceURL == address)
        for other in ["https://example.org/old", "https://example.org/walk?x=1", address] {
            let second = try await save(web, other, to: SourceFacts(name: "else", kind: .stream))
            #expect(!second.isNew)
            #expect(second.article == first.article)
        }
        let draft = ArticleDraft(
            key: "guid", title: "From a feed", body: "Text.", sourceURL: "https://e.org/feed-entry")
        try await web.stores.articles.upsert(draft, into: SourceFacts(name: "feed", kind: .feed))
        #expect(try await save(web, "https://e.org/feed-entry").article.title == "From a feed")
    }

    @Test(
        "A message about a page shows only the beginning of a long address",
        arguments: [
            PageError.notHTML(type: String(repeating: "x", count: 60_000), "a"), .notHTML(type: nil, longAddress),
            .needsLogin(longAddress), .noText(longAddress), .unreadable(longAddress), .status(500, longAddress),
        ])
    func longMessage(error: PageError) {
        #expect(error.description.utf8.count < 1_000)
        #expect(error.description.contains("…"))
    }

    private static let longAddress = "https://example.org/" + String(repeating: "x", count: 60_000)

    private static let failures: [(Int, String?, String, PageError)] = [
        (200, "application/pdf", "%PDF", .notHTML(type: "application/pdf", "https://example.org/walk")),
        (200, "image/png", "<html>", .notHTML(type: "image/png", "https://example.org/walk")),
        (200, nil, "%PDF", .notHTML(type: nil, "https://example.org/walk")),
        (401, "text/html", page(), .needsLogin("https://example.org/walk")),
        (403, "text/html", page(), .needsLogin("https://example.org/walk")),
        (404, "text/html", page(), .status(404, "https://example.org/walk")),
        (500, "text/html", page(), .status(500, "https://example.org/walk")),
        (200, "text/html", "<p><input type=password>", .needsLogin("https://example.org/walk")),
        (200, "TEXT/HTML;charset=x", "<p>", .noText("https://example.org/walk")),
        (
            200, "text/html", String(repeating: "<div>", count: 9_000), .unreadable("https://example.org/walk")
        ),
    ]

    @Test("What is not a readable page is not saved", arguments: failures)
    func failure(status: Int, type: String?, body: String, error: PageError) async throws {
        let web = try await FakeWeb()
        web.serve(address, status: status, type.map { ["Content-Type": $0] } ?? [:], body: body)
        await #expect(throws: error) { try await save(web, address) }
        #expect(try await web.stores.articles.sources().isEmpty)
    }

    @Test("A page without a type is saved, and the charset of the server is used")
    func types() async throws {
        let web = try await FakeWeb()
        web.serve(address, body: " " + Self.page())
        #expect(try await save(web, address).isNew)
        let bytes = Array("<p>".utf8) + [0xE4, 0xE0] + Array(Self.text.utf8)
        web.serve("https://example.org/ru") { _ throws(HTTPClientError) in
            ClientResponse(
                status: 200, fields: [HTTPClientField("content-type", "text/html; Charset=\"windows-1251\"")],
                body: bytes,
                url: try HTTPURL("https://example.org/ru"), redirects: [])
        }
        #expect(try await save(web, "https://example.org/ru").article.body.contains("да"))
    }

    @Test("A page is not fetched for a source whose articles come from elsewhere, and errors of requests are thrown")
    func errors() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: "https://example.org/feed", name: "blog")
        await #expect(throws: SourceError.self) {
            try await save(web, address, to: SourceFacts(name: "Blog", kind: .stream))
        }
        #expect(web.requests.isEmpty)
        web.serve(address) { _ throws(HTTPClientError) in throw .bodyTooLarge(7) }
        await #expect(throws: HTTPClientError.bodyTooLarge(7)) { try await save(web, address) }
        await #expect(throws: HTTPClientError.badScheme("ftp")) { try await save(web, "ftp://example.org/") }
    }
}

@Suite("Full texts of feeds")
struct FullTextTests {
    private let address = "https://example.org/feed"

    private typealias Entry = (id: String, link: String, summary: String)

    private func feed(_ entries: [Entry]) -> String {
        let items = entries.map {
            "<item><guid>\($0.id)</guid><title>T \($0.id)</title><link>\($0.link)</link>"
                + "<description>\($0.summary)</description></item>"
        }
        return "<rss><channel><title>Blog</title>\(items.joined())</channel></rss>"
    }

    private func web(
        _ entries: [Entry], fullText: Bool = true
    ) async throws -> FakeWeb {
        let web = try await FakeWeb()
        web.serve(address, body: feed(entries))
        let id = try await web.subscribe(to: address, name: "Blog")
        try await web.stores.subscriptions.change([id], as: SubscriptionChange(fullText: fullText))
        return web
    }

    private func bodies(_ web: FakeWeb) async throws -> [String] {
        let page = try await web.stores.articles.list(ArticleQuery(sort: .title), after: nil, limit: 100)
        return try await web.stores.articles.articles(ids: page.summaries.map(\.id), upTo: .max).map(\.article.body)
    }

    @Test("New articles get the main texts of their pages, and a failure keeps the summary")
    func loads() async throws {
        let entries: [Entry] = [
            ("1", "https://example.org/1", "Short."), ("2", "https://example.org/missing", "Stays."),
            ("3", "https://example.org/3", "Longer. " + String(repeating: "All of it is in the feed. ", count: 90)),
            ("4", "https://example.org/4", "A picture."),
        ]
        let web = try await web(entries)
        for path in ["1", "3"] {
            web.serve("https://example.org/" + path, ["Content-Type": "text/html"], body: PageSaverTests.page())
        }
        web.serve("https://example.org/4", ["Content-Type": "image/png"], body: "PNG")
        let results = try await web.fetch()
        #expect(results.first?.changes.new == 4)
        #expect(results.first?.problem == nil)
        let bodies = try await bodies(web)
        #expect(bodies[0].contains("in the rain") && !bodies[0].contains("Menu"))
        #expect(bodies[1] == "Stays.")
        #expect(bodies[2].contains("All of it is in the feed"))
        #expect(bodies[3] == "A picture.")

        // An unchanged entry is not fetched again; a changed one is.
        let count = web.requests.count
        web.serve(address, body: feed([("1", "https://example.org/1", "Short.")]))
        web.clock.advance(by: 3 * 24 * 3_600)
        #expect(try await web.fetch().first?.changes.changed == 0)
        #expect(web.requests.count == count + 1)
        web.serve(address, body: feed([("1", "https://example.org/1", "Changed.")]))
        web.clock.advance(by: 3 * 24 * 3_600)
        #expect(try await web.fetch().first?.changes.changed == 1)
        #expect(web.requests.count == count + 3)
        #expect(try await self.bodies(web)[0].contains("in the rain"))
    }

    @Test("Without the setting, no page is fetched")
    func off() async throws {
        let web = try await web([("1", "https://example.org/1", "Short.")], fullText: false)
        web.serve("https://example.org/1", ["Content-Type": "text/html"], body: PageSaverTests.page())
        _ = try await web.fetch()
        #expect(try await bodies(web) == ["Short."])
        #expect(web.requests.count == 1)
    }

    @Test("At most 50 pages are fetched for a fetch of a feed")
    func limit() async throws {
        let web = try await web((1...60).map { ("\($0)", "https://example.org/\($0)", "Short \($0).") })
        _ = try await web.fetch()
        #expect(web.requests.count == 51)
        #expect(try await bodies(web).count == 60)
    }

    @Test("The page of one article replaces its text if it is longer, and the change is recorded")
    func page() async throws {
        let web = try await web([("1", "https://example.org/1", "Short."), ("2", "", "Alone.")], fullText: false)
        _ = try await web.fetch()
        let changes = Mutex<[String]>([])
        let editor = web.editor { change in changes.withLock { $0.append(change) } }
        let article = try #require(try await web.stores.articles.article(slug: "t-1"))
        await #expect(throws: SubscribeError.self) { try await editor.fetchPage(of: article) }
        web.serve("https://example.org/1", ["Content-Type": "text/html"], body: PageSaverTests.page())
        #expect(try await editor.fetchPage(of: article))
        let changed = try #require(try await web.stores.articles.article(slug: "t-1"))
        #expect(changed.body.contains("in the rain") && changed.id == article.id && changed.title == article.title)
        // Now the page has no more text than the article.
        #expect(try await editor.fetchPage(of: changed) == false)
        let alone = try #require(try await web.stores.articles.article(slug: "t-2"))
        await #expect(throws: ArticleError.noPage(ArticleReference("t-2"))) { try await editor.fetchPage(of: alone) }
        #expect(changes.withLock { $0 } == ["full text: \(article.id)"])
        // The feed still recognizes its entry.
        web.clock.advance(by: 3 * 24 * 3_600)
        #expect(try #require(await web.fetch().first).changes == (0, 0))
    }

    @Test("A subscription is made with full texts, and subscribing again changes that")
    func subscribing() async throws {
        let web = try await FakeWeb()
        web.serve(address, body: feed([("1", "https://example.org/1", "Short.")]))
        web.serve("https://example.org/1", ["Content-Type": "text/html"], body: PageSaverTests.page())
        let editor = web.editor()
        _ = try await editor.subscribe(to: address, settings: SubscriptionChange(fullText: true))
        #expect(try await web.subscription().settings.hasFullText)
        #expect(try await bodies(web)[0].contains("in the rain"))
        _ = try await editor.subscribe(to: address)
        #expect(try await web.subscription().settings.hasFullText)
        _ = try await editor.subscribe(to: address, settings: SubscriptionChange(fullText: false))
        #expect(try await web.subscription().settings.hasFullText == false)
    }
}

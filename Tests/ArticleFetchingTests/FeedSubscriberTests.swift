import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Subscribing to the feeds of pages")
struct FeedSubscriberTests {
    private func subscribe(_ web: FakeWeb, to address: String) async throws -> SubscribeOutcome {
        try await web.editor().subscribe(to: address)
    }

    private func page(_ links: String) -> String { "<html><head>\(links)</head><body>Hello</body></html>" }
    private let link = #"<link rel="alternate" type="application/atom+xml" href="/atom" title="All">"#
    private let comments = #"<link rel="alternate" type="application/rss+xml" href="/comments" title="Comments">"#

    @Test(
        "The feed of a page is found, named by its title, imported, and not fetched twice",
        arguments: ["https://example.org/", "example.org", "https://example.org/atom"])
    func linked(address: String) async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/", body: page(link))
        web.serve("https://example.org/atom", ["ETag": "1"], body: FakeWeb.feed([web.clock.now], title: "My Blog"))
        guard case .subscribed(let result) = try await subscribe(web, to: address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(result.changes.new == 1)
        #expect(result.source.name == "My Blog")
        let subscription = try await web.subscription()
        #expect(subscription.address == "https://example.org/atom")
        #expect(subscription.validators.entityTag == Array("1".utf8))
        #expect(subscription.nextFetch > web.clock.now)
        #expect(web.requests.filter { $0.address.hasSuffix("/atom") }.count == 1)
        #expect(try await web.fetch().isEmpty)
    }

    @Test("The name of another source is refused for a new subscription, and the name of the feed gets a number")
    func takenName() async throws {
        let web = try await FakeWeb()
        _ = try await web.stores.articles.upsert(
            ArticleDraft(key: "a", title: "A", body: "B."), into: SourceFacts(name: "Mine", kind: .stream))
        let address = "https://example.org/atom"
        web.serve(address, body: FakeWeb.feed([web.clock.now], title: "Mine"))
        await #expect(throws: SourceError.nameTaken("Mine")) {
            try await web.editor().subscribe(to: address, name: "mine")
        }
        #expect(try await web.stores.subscriptions.subscriptions().isEmpty)
        guard case .subscribed(let result) = try await subscribe(web, to: address) else {
            Issue.record("not subscribed")
            return
        }
        #expect(result.source.name == "Mine 2")
    }

    @Test("Several feeds of a page are offered, and nothing is subscribed")
    func several() async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/", body: page(link + comments))
        guard case .several(let feeds) = try await subscribe(web, to: "example.org") else {
            Issue.record("subscribed")
            return
        }
        #expect(
            feeds == [
                FoundFeed(address: "https://example.org/atom", title: "All"),
                FoundFeed(address: "https://example.org/comments", title: "Comments"),
            ])
        #expect(try await web.stores.articles.sources().isEmpty)
    }

    @Test("A feed at a usual address is found, and a page without any is reported")
    func usual() async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/", body: page(""))
        await #expect(throws: SubscribeError.noFeed("https://example.org/")) {
            try await subscribe(web, to: "https://example.org/")
        }
        web.serve("https://example.org/rss.xml", body: "<rss><channel><title>R</title></channel></rss>")
        guard case .subscribed(let result) = try await subscribe(web, to: "https://example.org/") else {
            Issue.record("not subscribed")
            return
        }
        #expect(result.subscription.address == "https://example.org/rss.xml")
        web.serve("https://example.org/gone", status: 404)
        await #expect(throws: SubscribeError.status(404, "https://example.org/gone")) {
            try await subscribe(web, to: "https://example.org/gone")
        }
    }

    @Test(
        "A subscribed feed is recognized by its address, its page, and a redirect to it",
        arguments: ["https://example.org/atom", "https://example.org/", "http://example.org/old"])
    func known(address: String) async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/", body: page(link))
        web.serve("https://example.org/atom", body: FakeWeb.feed([web.clock.now]))
        web.serve("http://example.org/old", status: 301, ["Location": "https://example.org/atom"])
        _ = try await subscribe(web, to: "https://example.org/atom")
        guard case .known(let source) = try await subscribe(web, to: address) else {
            Issue.record("subscribed twice")
            return
        }
        #expect(source.name == "Feed")
        #expect(try await web.stores.articles.sources().count == 1)
    }

    @Test(
        "A permanent redirect is replaced by its target, a temporary one is kept",
        arguments: [(301, "https://example.org/atom"), (302, "https://example.org/old")])
    func redirected(status: Int, address: String) async throws {
        let web = try await FakeWeb()
        web.serve("https://example.org/atom", body: FakeWeb.feed([web.clock.now]))
        web.serve("https://example.org/old", status: status, ["Location": "https://example.org/atom"])
        _ = try await subscribe(web, to: "https://example.org/old")
        #expect(try await web.subscription().address == address)
    }
}

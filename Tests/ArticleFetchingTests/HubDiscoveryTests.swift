import ArticleFetching
import ArticleImporting
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite("Discovery of hubs")
struct HubDiscoveryTests {
    private func hub(links: [String] = [], _ feed: String? = nil) throws -> Hub? {
        let response = ClientResponse(
            status: 200, fields: links.map { HTTPClientField("link", $0) }, body: [],
            url: try HTTPURL("https://example.org/blog/feed"), redirects: [])
        return Hub(of: response, feed.flatMap { FeedFacts(Array($0.utf8)) })
    }

    private static let (hub, topic) = ("https://hub.example/", "https://example.org/topic")

    @Test(
        "Hub and topic are in the links of RSS and Atom, and in JSON Feed",
        arguments: [
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="hub" href="https://hub.example/"/>\
            <link rel="self" href="https://example.org/topic"/><link href="https://example.org/"/></feed>
            """,
            """
            <rss><channel xmlns:atom="http://www.w3.org/2005/Atom"><title>T</title><link>https://example.org/</link>\
            <atom:link rel="self" href="https://example.org/topic"/><atom:link rel="hub" href="https://hub.example/"/>\
            <item><title>a</title></item></channel></rss>
            """,
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "T", "feed_url": "https://example.org/topic", \
            "hubs": [{"type": "rssCloud", "url": "https://cloud.example/"}, \
            {"type": "WebSub", "url": "https://hub.example/"}]}
            """,
        ])
    func feeds(text: String) throws {
        #expect(try hub(text) == Hub(address: Self.hub, topic: Self.topic))
        // The field of the response comes first.
        #expect(
            try hub(links: ["<https://other.example/>; rel=hub"], text)
                == Hub(address: "https://other.example/", topic: Self.topic))
        #expect(try hub(links: [#"</other>; rel="self""#], text)?.topic == "https://example.org/other")
    }

    @Test(
        "Hub and topic are in the field Link, however it is written",
        arguments: [
            ["<https://hub.example/>; rel=hub", "<https://example.org/topic>;rel=self"],
            [#"<https://hub.example/>; rel="hub", <https://example.org/topic>; rel="self""#],
            [#"<https://hub.example>;REL = "alternate HUB" , <../topic> ; title="a, \"b\"; rel=hub" ; rel=self"#],
            [", ,<https://hub.example/>;x;rel=hub;rel=self,<//example.org/topic>;rel=self"],
            // An encrypted hub can get a key.
            ["<http://hub.example/>;rel=hub", "<https://hub.example/>;rel=hub,<https://example.org/topic>;rel=self"],
        ])
    func fields(links: [String]) throws {
        #expect(try hub(links: links) == Hub(address: Self.hub, topic: Self.topic))
    }

    @Test(
        "Without a hub, without a topic, or with other addresses than those of the web, nothing is found",
        arguments: [
            [], ["<https://hub.example/>; rel=hub"], ["<https://example.org/topic>; rel=self"],
            ["<mailto:a@example.org>; rel=hub, <https://example.org/topic>; rel=self"],
            ["https://hub.example/; rel=hub, <https://example.org/topic>; rel=self"],
            ["<https://hub.example/; rel=hub, <https://example.org/topic>; rel=self"],
            [#"<https://hub.example/>; title="rel=hub, <https://example.org/topic>; rel=self"#],
            ["<https://hub.example/\(String(repeating: "x", count: 3_000))>;rel=hub,<https://example.org/t>;rel=self"],
        ])
    func none(links: [String]) throws { #expect(try hub(links: links) == nil) }

    @Test(
        "The hub of a source is stored with a fetch, also if only the field has changed, and disappears with the link")
    func fetches() async throws {
        let web = try await FakeWeb()
        let address = "https://example.org/feed"
        try await web.subscribe(to: address)
        func fetch(_ link: String?, published: Double) async throws -> Hub? {
            let body = FakeWeb.feed([web.clock.now.addingTimeInterval(published)])
            web.serve(address, link.map { ["Link": $0] } ?? [:], body: body)
            web.clock.advance(by: 25 * 3_600)
            _ = try await web.fetch()
            return try await web.subscription().hub
        }
        let body = FakeWeb.feed([web.clock.now])
        func fetchSame(_ link: String?) async throws -> Hub? {
            web.serve(address, link.map { ["Link": $0] } ?? [:], body: body)
            web.clock.advance(by: 25 * 3_600)
            _ = try await web.fetch()
            return try await web.subscription().hub
        }
        let links = "<https://hub.example/>; rel=hub, <https://example.org/topic>; rel=self"
        #expect(try await fetchSame(nil) == nil)
        #expect(try await fetchSame(links) == Hub(address: Self.hub, topic: Self.topic))
        #expect(try await fetchSame(nil) != nil)
        #expect(try await fetch(nil, published: 1) == nil)
    }
}

import ArticleStore
import FetchingSupport
import Foundation
import HTTPServer
import HTTPClient
import LibraryServices
import StoreEngines
import TestSupport
import Testing

@Suite("Subscriptions in a browser")
struct SubscriptionTests {
    private static let address = "https://blog.example/feed"

    /// Returns a browser of an operator, and a server with a feed and a page of two feeds.
    private func browser() async throws -> Browser {
        let site = try await Site.furnished()
        site.web.serve(Self.address, body: FakeWeb.feed([site.clock.now], title: "Blog"))
        let link = #"<link rel="alternate" type="application/atom+xml" href="/feed" title="Posts">"#
        let other = #"<link rel="alternate" type="application/rss+xml" href="/x" title="Hostile &lt;script>">"#
        site.web.serve("https://blog.example/", body: "<html>\(link)\(other)</html>")
        let browser = Browser(site)
        try await browser.logIn()
        return browser
    }

    @Test("A user subscribes to one of the feeds of a page, fetches it, and unsubscribes after a question")
    func story() async throws {
        let browser = try await browser()
        try await browser.open("/library")
        try await browser.follow("Sources")
        try await browser.follow("Subscribe")
        try await browser.submit(["address": "blog.example", "name": "Mine", "tags": "News"])
        #expect(browser.screen == "/sources/subscribe/choice")
        #expect(!browser.body.contains("<script>") && browser.body.contains("Hostile"))
        try await browser.press("Subscribe", after: "Posts")
        #expect(browser.hasSucceeded && browser.body.contains("<h1 dir=\"auto\">Mine</h1>"))
        #expect(browser.body.contains("href=\"\(Self.address)\""))
        let page = browser.body
        #expect(
            page.contains("<dt>Last fetch</dt><dd><time datetime=") && page.contains("<dt>Next fetch</dt><dd><time"))
        try await browser.open("/sources")
        // A narrow page hides cells without content.
        #expect(browser.body.contains("<td data-label=\"Last fetch\"></td>"))
        let row = try #require(browser.body.firstMatch(of: #/<tr[^>]*><th[^>]*><bdi><a [^>]*>Mine<.*/#)).0
        #expect(row.matches(of: #/<(?:button|a) /#).count == 3)
        #expect(row.contains(#/<td data-label="Last fetch"><time datetime="[^"]*" title="[^"]*">Now<\/time>/#))
        try await browser.choose("sourceFetchChosen", after: "Mine")
        #expect(browser.hasSucceeded && browser.address == "/sources")
        let change = try #require(row.firstMatch(of: #/<a class="button" href="([^"]*)"[^>]*>Change</#)).1
        try await browser.open(String(change))
        #expect(browser.screen == "/sources/<id>/edit" && browser.body.contains("value=\"Mine\""))
        try await browser.open("/sources")
        try await browser.follow("Mine")
        #expect(
            browser.body.contains("<h1 dir=\"auto\">Mine</h1>") && page.contains("Subscribed to “Mine”: 1 new article.")
        )
        try await browser.choose("sourceFetchChosen")
        #expect(browser.hasSucceeded)
        try await browser.choose("sourceQuietChosen")
        #expect(browser.hasSucceeded && browser.body.contains("Leave new articles unread"))
        try await browser.choose("sourcePauseChosen")
        #expect(browser.hasSucceeded && browser.body.contains("Resume"))
        try await browser.choose("unsubscriptionChosen")
        #expect(browser.body.contains("Stop fetching “Mine”?"))
        try await browser.press("Yes")
        #expect(browser.hasSucceeded)
        #expect(try await browser.site.services.subscriptions.subscriptions().isEmpty)
        #expect(try await browser.site.services.articles.sources().map(\.name).contains("Mine"))
    }

    @Test("A list and a page of sources show the icon, which is served without a login and with a validator")
    func icon() async throws {
        let browser = try await browser()
        let services = browser.site.services
        try await browser.open("/sources/subscribe")
        try await browser.submit(["address": Self.address, "name": "Mine"])
        let source = try #require(try await services.articles.sources().first { $0.name == "Mine" })
        try await browser.open("/sources")
        #expect(!browser.body.contains("<img"))
        let icon = try #require(SourceIcon([0, 0, 1, 0]))
        try await services.subscriptions.setIcon(icon, of: source.id, until: browser.site.clock.now)
        try await browser.open("/sources")
        let image = "<img class=\"icon\" src=\"\(source.iconPath)\" alt=\"\""
        #expect(browser.body.contains(image))
        try await browser.follow("Mine")
        #expect(browser.body.contains("<h1 dir=\"auto\">\(image)"))

        let stranger = Browser(browser.site)
        try await stranger.open(source.iconPath)
        #expect(stranger.status == 200 && stranger.response.fields[.contentType]?.text == "image/x-icon")
        #expect(stranger.response.fields["x-content-type-options"]?.text == "nosniff")
        #expect(stranger.response.fields["cross-origin-resource-policy"]?.text == "cross-origin")
        stranger.fields[.ifNoneMatch] = stranger.response.fields[.eTag]
        try await stranger.open(source.iconPath)
        #expect(stranger.status == 304)
        for path in ["/sources/\(SourceUID.random())/icon", "/sources/\(source.id)/icon"] {
            try await stranger.open(path)
            #expect(stranger.status == 404)
        }
    }

    @Test("An uploaded list of feeds becomes subscriptions with its folders as tags")
    func upload() async throws {
        let browser = try await browser()
        try await browser.open("/sources")
        try await browser.follow("Import a file")
        #expect(browser.body.contains("enctype=\"multipart/form-data\"") && browser.body.contains("type=\"file\""))
        try await browser.upload("<html></html>", as: "list")
        #expect(browser.isRefused && browser.screen == "/sources/import" && !browser.body.contains("&lt;html"))
        let list = """
            <opml version="2.0"><body><outline text="News"><outline text="One" xmlUrl="\(Self.address)"/></outline>\
            <outline text="Two" xmlUrl="https://blog.example/two"/></body></opml>
            """
        try await browser.upload(list, as: "list")
        #expect(browser.hasSucceeded && browser.body.contains("Subscribed to 2 feeds."))
        func addresses() async throws -> [String] {
            try await browser.site.services.subscriptions.subscriptions().map(\.address)
        }
        #expect(try await addresses() == [Self.address, "https://blog.example/two"])
        try await browser.open("/sources/import")
        try await browser.upload(list, as: "list")
        #expect(browser.hasSucceeded && browser.body.contains("2 feeds were already subscribed."))
        #expect(!browser.body.contains("Subscribed to"))
        // The file is not UTF-8.
        try await browser.open("/sources/import")
        let latin = list.replacing("<opml", with: #"<?xml version="1.0" encoding="ISO-8859-1"?><opml"#)
            .replacing("One", with: "Caf\u{E9}").replacing(Self.address, with: "https://blog.example/three")
        try await browser.upload(latin.unicodeScalars.map { UInt8($0.value) }, as: "list")
        #expect(browser.hasSucceeded && browser.body.contains("Subscribed to 1 feed."))
        #expect(try await addresses().last == "https://blog.example/three")
        #expect(try await browser.site.services.articles.sources().map(\.name).contains("Café"))
        try await browser.open("/sources/import")
        try await browser.upload([0x89, 0x50, 0x4E, 0x47, 0xFF, 0, 1], as: "list")
        #expect(browser.isRefused && browser.screen == "/sources/import")
    }

    @Test("An uploaded export of another reader brings its articles, and its marks become the user's")
    func uploadedExport() async throws {
        let browser = try await browser()
        let entry = { (number: Int) in
            #"{"id":\#(number),"feed_id":1,"status":"read","title":"From afar \#(number)","url":"https://b.example/\#(number)","#
                + #""published_at":"2024-01-01T00:00:00Z","content":"<p>\#(String(repeating: "x", count: 100_000))</p>","#
                + #""starred":\#(number == 1),"feed":{"id":1,"feed_url":"https://b.example/feed","title":"B"}}"#
        }
        try await browser.open("/sources/import")
        try await browser.upload(
            #"{"total":20,"entries":["# + (1...20).map(entry).joined(separator: ",\r\n") + ",7]}", as: "list")
        #expect(browser.hasSucceeded && browser.body.contains("Imported 20 new articles. 20 articles have new marks."))
        #expect(browser.body.contains("Not imported: 1 line or entry (line 20: entry 21: not a JSON object)."))
        try await browser.open("/articles?starred=1")
        #expect(browser.body.contains("From afar 1<") && !browser.body.contains("From afar 2<"))
        try await browser.open("/sources/import")
        try await browser.upload("https://c.example/feed news\r\nexec:x\r\n", as: "list")
        #expect(browser.hasSucceeded && browser.body.contains("Subscribed to 1 feed."))
    }

    @Test("A refused address stays in the form with the reason")
    func refused() async throws {
        let browser = try await browser()
        browser.site.web.serve("https://private.example/") { _ throws(HTTPClientError) in
            throw .forbiddenHost("10.0.0.1")
        }
        try await browser.open("/sources/subscribe?address=https%3A%2F%2Fprivate.example%2F")
        #expect(browser.body.contains("value=\"https://private.example/\""))
        try await browser.submit(["address": "https://private.example/"])
        #expect(browser.isRefused && browser.body.contains("10.0.0.1 is in a private network"))
        #expect(browser.body.contains("value=\"https://private.example/\""))
    }
}

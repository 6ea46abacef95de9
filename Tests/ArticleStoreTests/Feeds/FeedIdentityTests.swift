import ArticleImporting
import ArticleExporting
import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("The identity of entries")
struct FeedIdentityTests {
    private let library: ImportedLibrary

    init() throws { library = try ImportedLibrary() }

    private struct Item {
        var guid: String?
        var link = "https://e.example/status"
        var title = "Outage"
        var time: String? = "09:00"
        var text: String

        var xml: String {
            "<item><title>\(title)</title><link>\(link)</link>"
                + (guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "")
                + (time.map { "<pubDate>Mon, 02 Mar 2026 \($0):00 GMT</pubDate>" } ?? "")
                + "<description>\(text)</description></item>"
        }
    }

    /// Imports a feed, and returns the outcomes of its entries.
    private func load(_ items: [Item]) async throws -> [Int] {
        let report = try await library.add(
            "feed.xml", "<rss version=\"2.0\"><channel><title>F</title>\(items.map(\.xml).joined())</channel></rss>")
        #expect(report.rejections == [])
        return [report.inserted, report.updated + report.renamed, report.unchanged]
    }

    @Test("Entries without an ID that share link, title, and day are separate articles, whatever comes before them")
    func statusPage() async throws {
        let items = (9...11).map { Item(time: $0 < 10 ? "0\($0):00" : "\($0):00", text: "At \($0)") }
        #expect(try await load(Array(items.prefix(1))) == [1, 0, 0])
        let first = try #require(try await library.articles.first)
        #expect(try await load(items.reversed())[0] == 2)
        #expect(try await library.articles.first { $0.id == first.id }?.body == first.body)
        #expect(try await load(items.reversed()) == [0, 0, 3])
        #expect(try await load([items[2], items[0], items[1]]) == [0, 0, 3])
        #expect(Set(try await library.articles.map(\.body)).count == 3)
    }

    @Test("Entries that differ only in their text keep it, in any order")
    func sameTime() async throws {
        let items = (1...3).map { Item(guid: "1", time: nil, text: "Text \($0)") }
        #expect(try await load(items) == [3, 0, 0])
        #expect(try await load(items.reversed()) == [0, 0, 3])
        #expect(Set(try await library.articles.map(\.body)).count == 3)
    }

    @Test("A feed whose IDs become identical, and later different again, has each article once")
    func brokenIDs() async throws {
        func items(_ guid: (Int) -> String) -> [Item] {
            (1...5).map {
                Item(
                    guid: guid($0), link: "https://e.example/\($0)", title: "Title \($0)", time: "0\($0):00",
                    text: "Text \($0)")
            }
        }
        #expect(try await load(items { "id-\($0)" }) == [5, 0, 0])
        let numbers = try await library.articles.map(\.id)
        #expect(try await load(items { _ in "same" })[0] == 0)
        #expect(try await load(items { "id-\($0)" })[0] == 0)
        #expect(try await load(items { "other-\($0)" })[0] == 0)
        #expect(try await library.articles.map(\.id) == numbers)
    }

    @Test("An entry with a new ID and the same link, title, and time is the same article")
    func newID() async throws {
        #expect(try await load([Item(guid: "page#0", text: "A")]) == [1, 0, 0])
        #expect(try await load([Item(guid: "page#1", text: "A, corrected")]) == [0, 1, 0])
        // Two entries at once are two articles.
        #expect(try await load([Item(guid: "page#1", text: "A"), Item(guid: "page#2", text: "B")])[0] == 1)
    }
}

@Suite("The addresses and dates of entries")
struct FeedAddressTests {
    private let library: ImportedLibrary

    init() throws { library = try ImportedLibrary() }

    @Test(
        "A relative address keeps its escapes, and its other characters are escaped once",
        arguments: [
            ("/%E4%BD%A0/你", "https://e.example/%E4%BD%A0/%E4%BD%A0"),
            ("find?q=a%26b&amp;n=ü", "https://e.example/blog/find?q=a%26b&n=%C3%BC"),
            ("//www.example.com/Tax Crack, W’s", "https://www.example.com/Tax%20Crack,%20W%E2%80%99s"),
            ("../plain%20ascii b", "https://e.example/plain%20ascii%20b"),
        ])
    func relative(link: String, address: String) async throws {
        try await library.add(
            "feed.xml",
            """
            <rss version="2.0"><channel><title>F</title><link>https://e.example/blog/</link>
            <item><title>T</title><link>\(link)</link><guid isPermaLink="false">1</guid></item></channel></rss>
            """)
        #expect(try await library.article("T").sourceURL == address)
        let json = link.replacing("&amp;", with: "&")
        try await library.add(
            "feed.json",
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://e.example/blog/",
            "items":[{"id":"1","url":"\(json)","title":"In JSON","content_text":"x"}]}
            """)
        #expect(try await library.article("In JSON").sourceURL == address)
    }

    @Test(
        "The earliest date that a program can represent is not a date",
        arguments: [
            "Mon, 01 Jan 0001 00:00:00 +0000", "0001-01-01T00:00:00Z", "Mon, 30 Nov -0001 00:00:00 +0000",
            "Wed, 30 Nov 0002 00:00:00 +0100", "0000-00-00 00:00:00",
        ])
    func placeholder(date: String) async throws {
        let report = try await library.add(
            "feed.xml",
            "<rss version=\"2.0\"><channel><item><title>T</title><pubDate>\(date)</pubDate></item></channel></rss>")
        #expect(report.assumedDates.map(\.written) == [date])
        #expect(try await library.article("T").published.timeIntervalSince1970 > 0)
    }

    @Test("The text of Atom is plain text: its tags are visible")
    func atomText() async throws {
        try await library.add(
            "feed.xml",
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>f</id><entry><id>1</id>
            <title type="text">Use &lt;em&gt;this&lt;/em&gt; tag</title><updated>2023-01-01T00:00:00Z</updated>
            <content type="text">A &lt;b&gt;tag&lt;/b&gt;</content></entry></feed>
            """)
        let article = try await library.article("Use <em>this</em> tag")
        #expect(article.format == .plain)
        #expect(article.body == "A <b>tag</b>")
    }

    @Test(
        "Bytes after the end of a feed are skipped",
        arguments: [
            "<script defer src=\"https://s.example/\">if (a < b && c) {}</script>",
            "<br />\n<b>Warning</b>: x in y<br />",
            "<!-- cached --><a href=\"https://s.example/\"></a>", "</html>", "<!-- x",
        ])
    func behindTheFeed(text: String) async throws {
        let report = try await library.add(
            "feed.xml",
            "<rss version=\"2.0\"><channel><item><title>T</title><guid>1</guid></item></channel></rss>\n\(text)")
        #expect(report.rejections == [])
        #expect(report.inserted == 1)
    }

    @Test("The attachments of an entry are in the feeds that are exported")
    func enclosures() async throws {
        try await library.add(
            "feed.xml",
            """
            <rss version="2.0"><channel><item><title>T</title><guid>1</guid><description>x</description>
            <enclosure url="https://e.example/a.mp3" type="audio/mpeg" length="1234"/></item></channel></rss>
            """)
        let file = try #require(try await library.article("T").attachments.first)
        #expect(file.address == "https://e.example/a.mp3")
        #expect(file.title == "a.mp3")
        func feed(_ format: FeedPage.Format) async throws -> String {
            let page = FeedPage(title: "F", format: format, count: 5, address: nil, home: nil, page: { _ in nil })
            return try await page.text(of: ArticleQuery(), in: library.repository)
        }
        #expect(
            try await feed(.atom).contains(
                #"<link rel="enclosure" href="https://e.example/a.mp3" type="audio/mpeg" length="1234"/>"#))
        #expect(
            try await feed(.jsonFeed).contains(
                #""attachments":[{"url":"https://e.example/a.mp3","mime_type":"audio/mpeg","size_in_bytes":1234}]"#))
    }
}

import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import Markup
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Importing feeds")
struct FeedTests {
    private let storage: TemporaryDatabase
    private let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    private func seed(
        _ feed: some Sequence<UInt8>, name: String = "feed.xml", _ options: ImportOptions = ImportOptions()
    ) async throws -> ToldReport {
        try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
            .path(try storage.folder.write(name, feed))
        ])
    }

    /// The articles of a feed, newest first.
    private func articles(_ feed: String) async throws -> [Article] {
        let report = try await seed(feed.utf8)
        #expect(report.rejections == [])
        var articles: [Article] = []
        for summary in try await repository.list(ArticleQuery(), after: nil, limit: 50).summaries {
            articles.append(try #require(try await repository.article(id: summary.id)))
        }
        return articles
    }

    private func only(_ feed: String) async throws -> Article {
        let articles = try await articles(feed)
        #expect(articles.count == 1)
        return try #require(articles.first)
    }

    private static func rss(_ item: String, channel: String = "") -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
          xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
        <channel><title>Channel</title><link>https://example.org/blog/</link>\(channel)
        <item>\(item)</item></channel></rss>
        """
    }

    /// A feed of entries that all have the same ID.
    private static func twins(_ titles: String, link: (Character) -> String?) -> String {
        rss(
            titles.map { title in
                let link = link(title).map { "<link>\($0)</link>" } ?? ""
                return "<guid isPermaLink='false'>x</guid><title>\(title)</title>\(link)<description>d</description>"
            }.joined(separator: "</item><item>"))
    }

    @Test(
        "Articles with a shared ID stay separate, whatever entries come, go, and change places",
        arguments: ["own", "shared", "none"])
    func sharedIDs(links: String) async throws {
        let link = { (title: Character) -> String? in
            links == "none" ? nil : links == "shared" ? "https://e.org/" : "https://e.org/\(title)"
        }
        var known: [String: Int64] = [:]
        // From one entry to several (before and between, in another order), back to one, and to several again.
        for titles in ["A", "BA", "CBA", "CDBA", "ABCD", "DB", "B", "EB", "ABCDE"] {
            let report = try await seed(Self.twins(titles, link: link).utf8)
            #expect(report.rejections == [])
            let list = try await repository.list(ArticleQuery(), after: nil, limit: 50).summaries
            let ids = Dictionary(list.map { ($0.title, $0.id) }) { _, _ in -1 }
            for (title, id) in known { #expect(ids[title] == id, "\(title) in \(titles)") }
            known = ids
            #expect(report.updated == 0, "\(titles)")
            #expect(try await seed(Self.twins(titles, link: link).utf8).unchanged == titles.count, "\(titles)")
        }
        #expect(known.keys.sorted() == ["A", "B", "C", "D", "E"])
    }

    @Test(
        "An entry that comes alone is recognized after it was among several with its ID", arguments: [true, false])
    func sharedIDsAlone(hasLinks: Bool) async throws {
        var known: [String: Int64] = [:]
        for titles in ["BC", "B", "C", "CB"] {
            let report = try await seed(Self.twins(titles) { hasLinks ? "https://e.org/\($0)" : nil }.utf8)
            #expect(report.rejections == [])
            let list = try await repository.list(ArticleQuery(), after: nil, limit: 50).summaries
            let ids = Dictionary(list.map { ($0.title, $0.id) }) { _, _ in -1 }
            #expect(known.isEmpty || ids == known, "\(titles)")
            known = ids
        }
        #expect(known.count == 2)
    }

    @Test(
        "Items are read wherever a format of RSS has them",
        arguments: [
            """
            <Channel xmlns="http://purl.org/net/rss1.1#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
              rdf:about="https://e.org/feed"><title>C</title><link>https://e.org/</link><items rdf:parseType="Collection">
            <item rdf:about="https://e.org/1"><title>One</title><link>https://e.org/1</link></item>
            <item rdf:about="https://e.org/2"><title>Two</title><link>https://e.org/2</link></item></items></Channel>
            """,
            """
            <rss version="2.0"><channel><title>C</title><items><item><title>One</title><link>https://e.org/1</link></item>
            <item><title>Two</title><link>https://e.org/2</link></item></items></channel></rss>
            """,
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel rdf:about="https://e.org/feed"><title>C</title><link>https://e.org/</link>
            <items><rdf:Seq><rdf:li rdf:resource="https://e.org/1"/><rdf:li rdf:resource="https://e.org/2"/></rdf:Seq></items>
            </channel><item rdf:about="https://e.org/1"><title>One</title><link>https://e.org/1</link></item>
            <item rdf:about="https://e.org/2"><title>Two</title><link>https://e.org/2</link></item></rdf:RDF>
            """,
        ])
    func itemsWithin(feed: String) async throws {
        let articles = try await articles(feed)
        #expect(articles.map(\.title).sorted() == ["One", "Two"])
        #expect(Set(articles.map(\.source.name)) == ["C"])
        #expect(Set(articles.map(\.webAddress)) == ["https://e.org/1", "https://e.org/2"])
    }

    @Test("The address and the language of a summary do not apply to the content")
    func summaryScope() async throws {
        let article = try await only(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>T</title><id>urn:f</id><entry><title>E</title>
            <id>urn:1</id><updated>2024-01-01T00:00:00Z</updated>
            <summary type="html" xml:base="https://wrong.example/s/" xml:lang="fr">short</summary>
            <content type="html" xml:base="https://right.example/c/">&lt;a href="page.html">page&lt;/a></content></entry></feed>
            """)
        #expect(article.language == "en")
        #expect(article.baseURL == "https://right.example/c/")
    }

    @Test("Entries with markup that browsers accept are read, and the others as well")
    func browserMarkup() async throws {
        let articles = try await articles(
            Self.rss(
                """
                <title>A</title><guid>1</guid><enclosure url="https://e.org/a.mp3" title="x <br> "y"" type="audio/mpeg"/>
                <description><p>one<p>two</description></item><item><title>B</title><guid>2</guid>
                <description a="1" a="2">if x < 3 &amp; <b>bold</description></item><item><title>C</title><guid>3</guid>
                """))
        #expect(articles.map(\.title).sorted() == ["A", "B", "C"])
        let texts = articles.map { $0.format.document(of: $0.body).blocks.text }
        #expect(texts.contains { $0.contains("one") && $0.contains("two") })
        #expect(texts.contains { $0.contains("if x < 3 & bold") })
    }

    @Test("An ID that is repeated much later is noticed")
    func sharedIDsAfterMany() async throws {
        let titles = (0..<1500).map { "T\($0)" } + ["T0, again"]
        let items = titles.map { "<guid>\($0.prefix { $0 != "," })</guid><title>\($0)</title>" }
        let report = try await seed(Self.rss(items.joined(separator: "</item><item>")).utf8)
        #expect(report.inserted == 1501)
    }

    private static func atom(_ entry: String, feed: String = "") -> String {
        """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/a/"><title>Feed</title>\(feed)
        <entry>\(entry)</entry></feed>
        """
    }

    @Test("RSS 2.0 has title, text, author, date, link, and tags, and other elements are kept")
    func rss2() async throws {
        let article = try await only(
            Self.rss(
                """
                <title>A &amp; B</title><link>https://example.org/a</link><guid isPermaLink="false">urn:1</guid>
                <author>ada@example.org (Ada Lovelace)</author><pubDate>Thu, 3 Dec 2015 12:01:01 GMT</pubDate>
                <category>One</category><category domain="d">Two</category>
                <description>&lt;p&gt;Words &lt;b&gt;here&lt;/b&gt;.&lt;/p&gt;</description>
                <comments>https://example.org/a#c</comments><slash:comments>3</slash:comments>
                """, channel: "<language>en-us</language>"))
        #expect(article.title == "A & B")
        #expect(article.sourceURL == "https://example.org/a")
        #expect(article.authors == ["Ada Lovelace"])
        #expect(RFC3339.string(from: article.published) == "2015-12-03T12:01:01Z")
        #expect(article.tags == ["One", "Two"])
        #expect(article.format == .html)
        #expect(article.body == "<p>Words <b>here</b>.</p>")
        #expect(article.summary == "Words here.")
        #expect(article.language == "en-US")
        let extra = try JSONParser.value(of: article.extra)
        #expect(extra["slash:comments"] == "3")
        #expect(extra["comments"] == "https://example.org/a#c")
        #expect(extra["category"] == ["domain": "d", "text": "Two"])
        #expect(article.baseURL == "https://example.org/blog/")
    }

    @Test("The full text wins over the description, which is then the summary")
    func contentEncoded() async throws {
        let article = try await only(
            Self.rss(
                """
                <title>T</title><description>Short &lt;i&gt;words&lt;/i&gt;</description>
                <content:encoded><![CDATA[<p>All of it & more</p>]]></content:encoded><dc:creator>Ada</dc:creator>
                <dc:date>2015-12-03T12:01:01Z</dc:date><dc:subject>s</dc:subject>
                """))
        #expect(article.body == "<p>All of it & more</p>")
        #expect(article.summary == "Short words")
        #expect(article.authors == ["Ada"])
        #expect(article.tags == ["s"])
        #expect(RFC3339.string(from: article.published) == "2015-12-03T12:01:01Z")
    }

    @Test("A description without markup is plain text and keeps its lines")
    func plainDescription() async throws {
        let article = try await only(Self.rss("<title>T</title><description>1 &lt; 2\nR&amp;D</description>"))
        #expect(article.format == .plain)
        #expect(article.body == "1 < 2\nR&D")
    }

    @Test(
        "Titles are plain text, escaped text, or HTML, and are read correctly",
        arguments: [
            ("<title>Q&amp;amp;A</title>", "Q&A"), ("<title>&lt;b&gt;Bold&lt;/b&gt; &lt;3</title>", "Bold <3"),
            ("<title>Use &lt;div&gt; here</title>", "Use <div> here"),
            ("<title>\n  Two\n  lines </title>", "Two lines"),
            ("<title><![CDATA[C & D]]></title>", "C & D"), ("<title>AT&T</title>", "AT&T"),
            ("<title/><dc:title>Of Dublin</dc:title>", "Of Dublin"), ("<media:title>Moving</media:title>", "Moving"),
            ("<itunes:title>Heard</itunes:title>", "Heard"),
            (
                "<description>&lt;h1&gt;No&lt;/h1&gt;&lt;p&gt;First words of it.&lt;/p&gt;</description>",
                "First words of it."
            ),
            ("<enclosure url='https://example.org/my%20talk-1.mp3' type='audio/mpeg'/>", "my talk-1"),
            ("<link>https://example.org/2015/swift-on-linux/?x#y</link>", "Swift on linux"),
            ("<description>&lt;h2&gt;A heading alone&lt;/h2&gt;</description>", "A heading alone"),
            ("<description>&lt;img src='x.png' alt='A cat'&gt;</description>", "A cat"),
            ("<description>&lt;img src='x.png'&gt;</description>", "Untitled"),
            ("<title>Untitled</title><description>Its first words.</description>", "Its first words."),
            ("<title>(No title)</title><description>Its first words.</description>", "Its first words."),
            ("<title>[untitled]</title><dc:title>Known</dc:title>", "Known"),
            ("<title>Untitled works</title><description>Other words.</description>", "Untitled works"),
            ("<geo:lat xmlns:geo='http://www.w3.org/2003/01/geo/wgs84_pos#'>52</geo:lat>", "Untitled"),
        ])
    func titles(_ item: String, _ title: String) async throws {
        #expect(try await only(Self.rss(item)).title == title)
    }

    @Test(
        "An entry without a title, a text, an address, and other data is rejected",
        arguments: [
            rss("<guid isPermaLink='false'>1</guid>"), rss("<description> </description>"),
            #"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1"}]}"#,
        ])
    func emptyEntries(feed: String) async throws {
        let report = try await seed(feed.utf8, name: feed.hasPrefix("{") ? "a.json" : "a.xml")
        #expect(report.inserted == 0)
        #expect(report.rejections.map { $0.reason.hasSuffix("neither a title nor a text") } == [true])
    }

    @Test("An entry keeps its first hundred files, each once")
    func manyFiles() async throws {
        let files = (1...300).map { "<enclosure url='https://example.org/\($0 / 2).mp3' type='audio/mpeg'/>" }
        let article = try await only(Self.rss("<title>T</title>" + files.joined()))
        #expect(article.attachments.map(\.address) == (0..<100).map { "https://example.org/\($0).mp3" })
    }

    @Test("A title made from the text ends at a word, and a title that is too long is cut and kept separately")
    func longTitles() async throws {
        let words = String(repeating: "words and ", count: 50)
        let made = try await only(Self.rss("<description>\(words)</description>")).title
        #expect(made.count <= 80)
        #expect(made.hasPrefix("words and words"))
        #expect(made.hasSuffix("…"))
        let long = String(repeating: "title ", count: 1000)
        let report = try await seed(Self.rss("<guid>2</guid><title>\(long)</title>").utf8, name: "b.xml")
        #expect(report.rejections == [])
        let cut = try #require(try await articleOf(report: "title"))
        #expect(cut.title.utf8.count <= 1010)
        #expect(try JSONParser.value(of: cut.extra)["title"] == .string(String(long.trimmed)))
    }

    private func articleOf(report start: String) async throws -> Article? {
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 50)
        guard let summary = page.summaries.first(where: { $0.title.hasPrefix(start) }) else { return nil }
        return try await repository.article(id: summary.id)
    }

    @Test(
        "Links are found in all their places in feeds",
        arguments: [
            ("<link>https://e.org/1</link><guid>https://e.org/2</guid>", "https://e.org/1"),
            ("<guid>https://e.org/2</guid>", "https://e.org/2"),
            ("<guid isPermaLink='true'>https://e.org/2</guid>", "https://e.org/2"),
            ("<guid isPermaLink='false'>https://e.org/2</guid>", nil), ("<guid>2</guid>", nil),
            ("<link>\n https://e.org/a b\n</link>", "https://e.org/a%20b"),
            ("<link>/rel?x=1&y=2</link>", "https://example.org/rel?x=1&y=2"),
            ("<link>/ü/%E4%BD%A0?q=a%26b&amp;n=ü</link>", "https://example.org/%C3%BC/%E4%BD%A0?q=a%26b&n=%C3%BC"),
            ("<link>//e.org/x</link>", "https://e.org/x"), ("<link>../up</link>", "https://example.org/up"),
            ("<link href='https://e.org/3'/>", "https://e.org/3"),
            (
                "<link>https://proxy.org/x</link><feedburner:origLink>https://e.org/own</feedburner:origLink>",
                "https://e.org/own"
            ),
            ("<atom:link rel='alternate' href='https://e.org/4'/>", "https://e.org/4"),
            ("<yt:videoId>abc</yt:videoId>", "https://www.youtube.com/watch?v=abc"),
        ] as [(String, String?)])
    func links(_ item: String, _ url: String?) async throws {
        #expect(try await only(Self.rss("<title>T</title>\(item)")).sourceURL == url)
    }

    @Test(
        "Authors of RSS are read in each of their forms",
        arguments: [
            ("<author>a@e.org (Ada)</author>", ["Ada"]), ("<author>Ada &lt;a@e.org&gt;</author>", ["Ada"]),
            ("<author>a@e.org</author>", ["a@e.org"]),
            ("<author>a@e.org</author><dc:creator>Ada</dc:creator>", ["Ada"]),
            ("<author>Ada</author><dc:creator>Bob</dc:creator>", ["Ada"]),
            ("<dc:creator>Ada</dc:creator><dc:creator>Bob &amp;amp; Co</dc:creator>", ["Ada", "Bob & Co"]),
            ("<itunes:author>Ada</itunes:author>", ["Ada"]), ("<author/>", ["Host"]),
            ("<author><name>Ada</name><uri>/ada</uri></author>", ["Ada"]),
        ])
    func authors(_ item: String, _ names: [String]) async throws {
        let feed = Self.rss("<title>T</title>\(item)", channel: "<itunes:author>Host</itunes:author>")
        #expect(try await only(feed).authors == names)
    }

    @Test("Elements of Media RSS and iTunes are used if they contain more")
    func media() async throws {
        let article = try await only(
            Self.rss(
                """
                <title>Episode 1</title><description>Short.</description><itunes:subtitle>A little longer.</itunes:subtitle>
                <itunes:summary>All that is said in this episode, at some length.</itunes:summary>
                <itunes:duration>1:02:03</itunes:duration><itunes:image href="art.jpg"/>
                <enclosure url="/1.mp3" type="audio/mpeg" length="1234"/>
                """))
        #expect(article.body == "All that is said in this episode, at some length.")
        #expect(article.summary == "Short.")
        let extra = try JSONParser.value(of: article.extra)
        #expect(
            extra["attachments"] == [
                [
                    "duration_in_seconds": 3723, "mime_type": "audio/mpeg", "size_in_bytes": 1234,
                    "url": "https://example.org/1.mp3",
                ]
            ])
        #expect(extra["image"] == "https://example.org/blog/art.jpg")
        #expect(extra["itunes:duration"] == "1:02:03")
    }

    @Test("A media group has text, image, and files")
    func mediaGroup() async throws {
        let article = try await only(
            Self.atom(
                """
                <id>yt:video:1</id><title>Video</title><link href="https://e.org/watch"/>
                <media:group><media:title>Video</media:title><media:content url="https://e.org/v" type="video/mp4" duration="10"/>
                <media:thumbnail url="https://e.org/t.jpg"/><media:description>Line one
                and two</media:description></media:group>
                """))
        #expect(article.body == "Line one\nand two")
        #expect(article.format == .plain)
        let extra = try JSONParser.value(of: article.extra)
        #expect(extra["image"] == "https://e.org/t.jpg")
        #expect(
            extra["attachments"] == [["duration_in_seconds": 10, "mime_type": "video/mp4", "url": "https://e.org/v"]])
        #expect(extra["media:group"]?["media:thumbnail"] == ["url": "https://e.org/t.jpg"])
    }

    @Test("An entry that is only an enclosure leads to it")
    func enclosureOnly() async throws {
        let article = try await only(Self.rss("<title>T</title><enclosure url='https://e.org/a&amp;b.mp3'/>"))
        #expect(article.format == .html)
        #expect(article.body == #"<p><a href="https://e.org/a&amp;b.mp3">a&amp;b.mp3</a></p>"#)
    }

    @Test("Atom 1.0 has all properties, and the text by its type")
    func atom() async throws {
        let article = try await only(
            Self.atom(
                """
                <id>tag:e.org,2005:1</id><title type="html">Less: &lt;em&gt; &amp;lt; &lt;/em&gt;</title>
                <link rel="self" href="https://e.org/self"/><link rel="alternate" type="application/json" href="https://e.org/json"/>
                <link rel="alternate" type="text/html" href="post"/><link rel="related" href="https://other.org/"/>
                <link rel="enclosure" type="audio/mpeg" length="9" href="a.mp3" title="Sound"/>
                <published>2005-07-31T12:29:29+02:00</published><updated>2005-08-01T00:00:00Z</updated>
                <author><name>Ada</name><uri>https://ada.org/</uri></author><author><email>bob@e.org</email></author>
                <category term="t1"/><category term="t2" label="Tag two"/><summary>In short</summary>
                <content type="xhtml" xml:base="b/" xml:lang="de"><div xmlns="http://www.w3.org/1999/xhtml">Es <b>ist</b><br/>so &lt;</div></content>
                """, feed: "<author><name>Whole</name></author>"))
        #expect(article.title == "Less: <")
        #expect(article.sourceURL == "https://example.org/a/post")
        #expect(RFC3339.string(from: article.published) == "2005-07-31T10:29:29Z")
        #expect(RFC3339.string(from: article.updated) == "2005-08-01T00:00:00Z")
        #expect(article.authors == ["Ada", "bob@e.org"])
        #expect(article.tags == ["t1", "Tag two"])
        #expect(article.summary == "In short")
        #expect(article.body == "Es <b>ist</b><br>so &lt;")
        #expect(article.format == .html)
        #expect(article.language == "de")
        let extra = try JSONParser.value(of: article.extra)
        #expect(article.baseURL == "https://example.org/a/b/")
        #expect(extra["external_url"] == "https://other.org/")
        #expect(
            extra["attachments"] == [
                ["mime_type": "audio/mpeg", "size_in_bytes": 9, "title": "Sound", "url": "https://example.org/a/a.mp3"]
            ])
    }

    @Test(
        "The text of Atom is read by its type, in both versions",
        arguments: [
            (
                "<content type='html'>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</content>", Article.Format.html,
                "<p>a &amp; b</p>"
            ),
            ("<content type='text'>a &amp; b &lt; c</content>", .plain, "a & b < c"),
            ("<content>&lt;p&gt;forgot the type&lt;/p&gt;</content>", .html, "<p>forgot the type</p>"),
            ("<content type='text/html' mode='escaped'>&lt;i&gt;x&lt;/i&gt;</content>", .html, "<i>x</i>"),
            ("<content type='text/html' mode='base64'>PGk+w6k8L2k+</content>", .html, "<i>é</i>"),
            (
                "<content type='application/xhtml+xml' mode='xml'><h:div xmlns:h='http://www.w3.org/1999/xhtml'><h:i>x</h:i></h:div></content>",
                .html, "<i>x</i>"
            ),
            ("<content type='text/markdown'># Head &amp; *x*</content>", .markdown, "# Head & *x*"),
            (
                "<content type='multipart/alternative'><content type='text/plain'>p</content><content type='text/html' mode='escaped'>&lt;b&gt;h&lt;/b&gt;</content></content>",
                .html, "<b>h</b>"
            ),
            ("<summary type='html'>&lt;b&gt;only&lt;/b&gt;</summary>", .html, "<b>only</b>"),
            (
                "<content type='audio/mpeg' src='https://e.org/a.mp3'/>", .html,
                #"<p><a href="https://e.org/a.mp3">a.mp3</a></p>"#
            ),
        ])
    func atomContent(_ content: String, _ format: Article.Format, _ body: String) async throws {
        let article = try await only(Self.atom("<title>T</title>\(content)"))
        #expect(article.format == format)
        #expect(article.body == body)
    }

    @Test("Atom 0.3 has other names for the same elements, and authors are inherited")
    func atom03() async throws {
        let article = try await only(
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#" xml:lang="fr"><title mode="escaped">F</title>
            <author><name>Whole</name></author>
            <entry><title>E</title><link rel="alternate" type="text/html" href="https://e.org/1"/><id>urn:1</id>
            <issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-14T00:00:00Z</modified><summary>S</summary></entry></feed>
            """)
        #expect(RFC3339.string(from: article.published) == "2003-12-13T12:29:29Z")
        #expect(RFC3339.string(from: article.updated) == "2003-12-14T00:00:00Z")
        #expect(article.authors == ["Whole"])
        #expect(article.language == "fr")
        #expect(article.sourceURL == "https://e.org/1")
    }

    @Test("A republished entry has the authors of its source")
    func aggregated() async throws {
        let article = try await only(
            Self.atom(
                "<title>T</title><source><title>Elsewhere</title><author><name>Ada</name></author></source>",
                feed: "<author><name>Whole</name></author>"))
        #expect(article.authors == ["Ada"])
        #expect(
            try JSONParser.value(of: article.extra)["source"] == ["author": ["name": "Ada"], "title": "Elsewhere"])
    }

    @Test(
        "Every version is recognized by its elements, whatever the file is called",
        arguments: [
            #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>C</title></channel><item><title>T</title><link>https://e.org/1</link></item></rdf:RDF>"#,
            #"<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><item><title>T</title><link>https://e.org/1</link></item></channel></rss>"#,
            #"<rss version="0.92"><channel><item><title>T</title><link>https://e.org/1</link></item></channel></rss>"#,
            #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><items><rdf:Seq><rdf:li resource="https://e.org/1"/></rdf:Seq></items></channel><image><title>No</title></image><item rdf:about="https://e.org/1"><title>T</title></item></rdf:RDF>"#,
            #"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://purl.org/rss/1.0/"><s:item r:about="urn:1"><s:title>T</s:title><s:link>https://e.org/1</s:link></s:item></r:RDF>"#,
            "<RSS><Channel><Item><Title>T</Title><LINK>https://e.org/1</LINK></Item></Channel></RSS>",
            #"<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>T</a:title><a:link href="https://e.org/1"/></a:entry></a:feed>"#,
            #"<feed><entry><title>T</title><link href="https://e.org/1"/></entry></feed>"#,
            "<!-- a --> <?x y?>\n<rss><channel><item><title>T</title><link>https://e.org/1</link></item></channel></rss>",
        ])
    func versions(_ feed: String) async throws {
        for name in ["feed.xml", "feed", "feed.html", "feed.txt"] {
            let report = try await seed(feed.utf8, name: name)
            #expect(report.rejections == [])
            #expect(report.inserted + report.unchanged == 1)
        }
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 5)
        for summary in page.summaries {
            let article = try #require(try await repository.article(id: summary.id))
            #expect(article.title == "T")
            #expect(article.sourceURL == "https://e.org/1")
        }
    }

    @Test("Items of JSON Feed need no title, address, or text")
    func jsonFeed() async throws {
        let feed = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "F", "home_page_url": "https://e.org/", "items": [
            {"id": "https://e.org/1", "content_html": "<p>First <b>words</b>.</p>", "date_published": "2020-01-03T00:00:00Z"},
            {"id": 2, "content_text": "Plain words\\nhere", "title": "", "date_published": "2020-01-02T00:00:00Z"},
            {"id": "3", "external_url": "https://x.org/", "attachments": [{"url": "https://e.org/a-talk.mp3", "title": "Talk"}],
              "date_published": "2020-01-01T00:00:00Z"}
            ]}
            """
        let articles = try await articles(feed)
        #expect(articles.map(\.title) == ["First words.", "Plain words here", "A talk"])
        #expect(articles.map(\.sourceURL) == ["https://e.org/1", nil, "https://x.org/"])
        #expect(articles.last?.body == #"<p><a href="https://e.org/a-talk.mp3">Talk</a></p>"#)
        #expect(articles.last?.baseURL == "https://e.org/")
    }

    @Test("Items of JSON Feed are read one by one, and properties of the feed may come after them")
    func jsonFeedPieces() async throws {
        let items = (1...300).map { #"{"id":"\#($0)","content_text":"\#(String(repeating: "word ", count: $0))"}"# }
        let feed = #"{"version":"https:\/\/jsonfeed.org\/version\/1.1","items":["# + items.joined(separator: ",\n")
        let options = ImportOptions(recordLimit: 1000)
        let end =
            #"],"language":"sv","authors":[{"name":"Ada"}],"_more":{"x":["# + String(repeating: "1,", count: 2000)
            + "1]}}"
        func seed(_ text: String) async throws -> ToldReport {
            try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
                .path(try storage.folder.write("feed.json", text))
            ])
        }
        let report = try await seed(feed + end)
        // An item of 195 words with its tags is over the limit.
        let fits = items.filter { $0.utf8.count <= 1000 }.count
        #expect(report.inserted == fits)
        #expect(report.rejections.count == 300 - fits)
        #expect(report.rejections.first?.line == fits + 1)
        let page = try await repository.list(ArticleQuery(author: "ada", language: "sv"), after: nil, limit: 300)
        #expect(page.summaries.count == fits)
        // A feed that is cut off yields the entries before that, and says so.
        let cut = try await seed(feed.split(separator: "\n").prefix(9).joined(separator: "\n") + "{")
        #expect(cut.updated + cut.unchanged == 9)
        #expect(cut.rejections.count == 1)
        let more = try await seed(feed + end + " x")
        #expect(more.rejections.count == 300 - fits + 1)
        #expect(try await seed(feed + end + feed + end).rejections.count == 2 * (300 - fits))
    }

    @Test("Categories may be in an element of their own")
    func categories() async throws {
        let feed = Self.rss(
            "<title>T</title><categories>\n<category>a</category> <category>b &amp; c</category>\n</categories>")
        let articles = try await articles(feed)
        #expect(articles.map(\.tags) == [["a", "b & c"]])
        #expect(articles.map(\.extra) == ["{}"])
    }

    @Test("The same feed again changes nothing, and a feed without entries is not an error")
    func again() async throws {
        let feed = Self.rss("<title>T</title><guid>1</guid><pubDate>Thu, 3 Dec 2015 12:01:01 GMT</pubDate>")
        #expect(try await seed(feed.utf8).inserted == 1)
        #expect(try await seed(feed.utf8).unchanged == 1)
        let empty = try await seed("<rss><channel><title>C</title></channel></rss>".utf8, name: "e.xml")
        #expect(empty.report == ImportReport())
        #expect(empty.rejections == [])
    }

    @Test("An invalid entry is reported with its line, and costs no other")
    func faults() async throws {
        let feed = """
            <rss><channel>
            <item><title>One</title></item>
            <item><title>Two</b></item>
            <item><title>Three ? bytes</title></item>
            <item><title>Four</title></item>
            """
        let bytes = feed.utf8.map { $0 == UInt8(ascii: "?") ? 0xE9 : $0 }
        let report = try await seed(bytes)
        #expect(report.inserted == 2)
        #expect(report.rejections.map(\.line) == [3, 4, 5])
        #expect(report.rejections[1].reason.contains("UTF-8"))
    }

    @Test("XML that is not a feed is refused if it is named, and skipped in a folder")
    func otherXML() async throws {
        let report = try await seed("<?xml version='1.0'?><svg><item><title>T</title></item></svg>".utf8)
        #expect(report.inserted == 0)
        #expect(report.rejections.map { $0.reason.contains("\"svg\"") } == [true])
        try storage.folder.write("in/sitemap.xml", "<?xml version='1.0'?><urlset/>")
        try storage.folder.write("in/template.xml", "---\nlayout: null\n---\n<rss></rss>")
        try storage.folder.write("in/list.opml", "<opml/>")
        try storage.folder.write("in/real.rss", Self.rss("<title>T</title>"))
        let folder = try await ArticleImporter(repository: repository).runKeepingRejections([
            .path(storage.folder.file("in"))
        ])
        #expect(folder.inserted == 1)
        #expect(folder.skippedFiles == 3)
        #expect(folder.rejections == [])
        let page = try await seed("<?xml version='1.0'?><html><head><title>Page</title></head></html>".utf8)
        #expect(page.inserted == 1)
    }

    @Test("A list makes each feed a source with the tags of its folders and categories, also when it is read again")
    func listFolders() async throws {
        let list = """
            <opml version="2.0"><body><outline text="News"><outline text="A" xmlUrl="https://a.org/a.xml"/>
            <outline text="Local, more"><outline title="B" xmlUrl="https://b.org/b.xml" htmlUrl="https://b.org/"/></outline>
            </outline><outline text="C" xmlUrl="https://c.org/c.xml" category="/Tech/Swift,misc"/>
            <outline text="Other"><outline text="A" xmlUrl="https://a.org/a.xml"/></outline>
            <outline text="D" xmlUrl="javascript:alert(1)"/></body></opml>
            """
        try storage.folder.write("in/a.xml", Self.rss("<title>T</title>"))
        for _ in 1...2 {
            #expect(try await seed(list.utf8, name: "in/list.opml").rejections.count == 1)
            let sources = try await storage.articles.sources()
            let tags = Dictionary(uniqueKeysWithValues: sources.map { ($0.facts.feedURL, $0.facts.tags.map(\.name)) })
            #expect(
                tags == [
                    "https://a.org/a.xml": ["News", "Other"], "https://b.org/b.xml": ["Local more", "News"],
                    "https://c.org/c.xml": ["misc", "Swift", "Tech"],
                ])
            #expect(sources.first { $0.name == "B" }?.facts.home == "https://b.org/")
        }
        // The file of a feed that a list named before fills its source.
        try storage.folder.write("other/b.xml", Self.rss("<title>T</title>"))
        let later = #"<opml><body><outline text="B" xmlUrl="https://b.org/b.xml"/></body></opml>"#
        #expect(try await seed(later.utf8, name: "other/list.opml").inserted == 1)
        #expect(try await storage.articles.sources().count == 3)
    }

    @Test("A list makes sources also if it comes through a stream")
    func streamedList() async throws {
        try storage.folder.write(
            "list",
            #"<opml><body><outline text="A" xmlUrl="https://a.org/a.xml"/><outline xmlUrl="b.xml"/></body></opml>"#)
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: storage.folder.file("list")))
        let report = try await ArticleImporter(repository: repository).runKeepingRejections([
            .descriptor(file.fileDescriptor, name: "-")
        ])
        #expect(try await storage.articles.sources().map(\.name) == ["A"])
        #expect(report.rejections.map { $0.reason.contains(/2.*1/) } == [true])
    }

    @Test("A list finds a feed in a folder beside it, if only one folder has it")
    func listBesideFolder() async throws {
        let list = """
            <opml><body><outline text="News"><outline text="A" xmlUrl="https://a.org/a.xml"/></outline>
            <outline text="B" xmlUrl="https://b.org/b.xml"/><outline text="C" xmlUrl="https://c.org/c.xml"/></body></opml>
            """
        for name in ["feeds/a.xml", "feeds/b.xml", "other/b.xml", "node_modules/c.xml"] {
            try storage.folder.write("in/" + name, Self.rss("<title>T</title>"))
        }
        let report = try await seed(list.utf8, name: "in/list.opml")
        #expect((report.inserted, report.rejections) == (1, []))
        // The folder takes over the sources in it, with the tags of the list.
        _ = try await ArticleImporter(repository: repository).run([.path(storage.folder.file("in/feeds"))])
        let sources = try await storage.articles.sources()
        #expect(sources.map(\.name) == ["B", "C", "feeds"])
        #expect(sources.last?.facts.tags.map(\.name) == ["News"])
    }

    @Test("A list of feeds imports those beside it, and reports the others")
    func lists() async throws {
        let list = """
            <opml version="2.0"><head><title>Mine</title></head><body><outline text="Group">
            <outline text="A" type="rss" xmlUrl="https://a.org/a.xml"/><outline text="B" xmlUrl="sub/b%20c.rss"/>
            <outline text="D" xmlUrl="https://d.org/d.xml"/><outline text="E" xmlUrl="https://a.org/index.xml"/>
            <outline text="F" xmlUrl="https://f.org/index.xml"/><outline text="G" xmlUrl="../secret.xml"/>
            <outline text="H" xmlUrl="/etc/passwd"/></outline></body></opml>
            """
        try storage.folder.write("in/a.xml", Self.rss("<title>A</title>"))
        try storage.folder.write("in/sub/b c.rss", Self.rss("<title>B</title>"))
        try storage.folder.write("in/index.xml", Self.rss("<title>No</title>"))
        try storage.folder.write("secret.xml", Self.rss("<title>No</title>"))
        let report = try await seed(list.utf8, name: "in/list.opml")
        #expect(report.inserted == 2)
        #expect(report.rejections.map { $0.reason.contains(/7.*2/) } == [true])
        #expect(report.notes.count == 1 && report.skippedFiles == 0)
        let alone = try await seed(
            #"<?xml version="1.0"?><opml><body><outline xmlUrl="https://z.org/z.xml"/></body></opml>"#.utf8, name: "x")
        #expect(alone.rejections.isEmpty && alone.notes.count == 1)
        let itself = try await seed(#"<opml><outline xmlUrl="i.opml"/></opml>"#.utf8, name: "i.opml")
        #expect(itself.rejections.count == 1)
    }
}

extension JSON {
    /// The value of a key, or nil.
    subscript(key: String) -> JSON? { members?.first { $0.key == key }?.value }
}

extension JSONParser {
    static func value(of text: String) throws -> JSON {
        var text = text
        return try text.withUTF8 { try value(of: $0) }
    }
}

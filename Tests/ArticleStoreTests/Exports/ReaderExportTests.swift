import ArticleImporting
import ArticleStore
import SQLiteStores
import TestSupport
import Testing
import Text

@Suite("Exports of Miniflux and FreshRSS")
struct ReaderExportTests {
    /// Entries as Miniflux 2.2 writes them.
    private static let miniflux = #"""
        {"total":3,"entries":[{"id":888,"user_id":123,"feed_id":42,"status":"read","hash":"0a1b","title":"The <i> tag & I",
        "url":"https://a.example/1","comments_url":"https://a.example/1#comments","language":"en","published_at":"2024-03-01T10:00:00+01:00",
        "created_at":"2024-03-01T10:05:00.123456Z","changed_at":"2024-03-02T08:00:00.5Z","content":"<p>Text.</p>","author":"Ada",
        "share_code":"","starred":true,"reading_time":1,"enclosures":[{"id":158,"user_id":123,"entry_id":888,
        "url":"https://a.example/1.mp3","mime_type":"audio/mpeg","size":4096,"media_progression":0}],"feed":{"id":42,"user_id":123,
        "feed_url":"https://a.example/feed.xml","site_url":"https://a.example/","title":"Engines","username":"ada","password":"secret",
        "cookie":"c=secret","disabled":false,"category":{"id":22,"title":"Machines","user_id":123,"hide_globally":false},
        "icon":{"feed_id":42,"icon_id":84}},"tags":["steam","brass"]},
        {"id":889,"user_id":123,"feed_id":42,"status":"unread","hash":"0a1c","title":"Second","url":"https://a.example/2",
        "comments_url":"","published_at":"2024-03-02T09:00:00Z","content":"","author":"","starred":false,"enclosures":[],"feed":
        {"id":42,"feed_url":"https://a.example/feed.xml","site_url":"https://a.example/","title":"Engines","category":{"id":22,"title":"Machines"}},"tags":[]},
        {"id":890,"user_id":123,"feed_id":43,"status":"removed","hash":"0a1d","title":"Gone","url":"https://b.example/1",
        "published_at":"2024-03-02T09:00:00Z","content":"x","author":"","starred":false,"feed":{"id":43,"feed_url":"https://b.example/feed"}}]}
        """#

    /// A list as FreshRSS 1.24 writes it: titles, authors, and names are in HTML.
    private static let freshRSS = #"""
        {
            "id": "user/ada/state/org.freshrss/starred",
            "title": "List of favourite articles",
            "author": "ada",
            "items": [
        {
            "id": "tag:google.com,2005:reader/item/0006187f3e1d2a31",
            "crawlTimeMsec": "1715000000123",
            "timestampUsec": "1715000000123456",
            "published": 1714990000,
            "title": "Caf&eacute; &amp; more",
            "canonical": [
                {
                    "href": "https://a.example/1?x=1&y=2"
                }
            ],
            "alternate": [
                {
                    "href": "https://a.example/1?x=1&y=2",
                    "type": "text/html"
                }
            ],
            "categories": [
                "user/-/state/com.google/reading-list",
                "user/-/state/com.google/read",
                "user/-/state/com.google/starred",
                "user/-/label/To cite",
                "steam",
                "Q & A"
            ],
            "origin": {
                "streamId": "feed/12",
                "htmlUrl": "https://a.example/",
                "title": "Engines &amp; more",
                "feedUrl": "https://a.example/feed.xml"
            },
            "content": {
                "content": "<p>Text.</p>"
            },
            "guid": "urn:a:1",
            "enclosure": [
                {
                    "href": "https://a.example/1.mp3",
                    "type": "audio/mpeg",
                    "length": 4096
                }
            ],
            "author": "Ada; Charles"
        },
        {
            "id": "tag:google.com,2005:reader/item/0006187f3e1d2a32",
            "published": 1714990001,
            "title": "Only a label",
            "alternate": [{"href": "https://b.example/1", "type": "text/html"}],
            "categories": ["user/-/state/com.google/reading-list", "user/-/state/com.google/unread", "user/-/label/Later"],
            "origin": {"streamId": "feed/13", "htmlUrl": "https://b.example/", "title": "B", "feedUrl": "https://b.example/feed"},
            "content": {"content": ""},
            "guid": "urn:b:1"
        }
        ]}
        """#

    @Test(
        "Entries of Miniflux arrive in the sources of their feeds, with their marks and without the feeds' secrets",
        arguments: ["entries.json", "entries", "entries.txt"])
    func miniflux(name: String) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(name, Self.miniflux)
        #expect(report.rejections == [] && report.inserted == 2 && report.skippedRecords == 1)
        let article = try await library.article("The <i> tag & I")
        #expect(article.key == "https://a.example/1" && article.body == "<p>Text.</p>" && article.format == .html)
        #expect(article.authors == ["Ada"] && article.tags == ["steam", "brass"] && article.language == "en")
        #expect(article.date == "2024-03-01T09:00:00Z" && article.sourceURL == "https://a.example/1")
        #expect(article.attachments.map(\.address) == ["https://a.example/1.mp3"])
        #expect(
            article.extra.contains(#""comments":"https://a.example/1#comments""#) && !article.extra.contains("secret"))
        let second = try await library.article("Second")
        #expect(second.body == #"<p><a href="https://a.example/2">https://a.example/2</a></p>"#)
        let sources = try await library.repository.sources()
        #expect(sources.map(\.name) == ["Engines"] && sources.map(\.kind) == [.feed])
        #expect(
            sources[0].facts.feedURL == "https://a.example/feed.xml" && sources[0].facts.home == "https://a.example/")
        #expect(sources[0].facts.tags.map(\.name) == ["Machines"])
        #expect(
            try await library.marks(path: library.folder.file(name))
                == ["The <i> tag & I": #"{"read":true,"starred":true}"#])
        #expect(try await library.add(name, Self.miniflux).outcomes == [0, 0, 0, 2])
    }

    @Test("A list of FreshRSS arrives with its sources, stars, read marks, and labels")
    func freshRSS() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add("starred_2024-05-06.json", Self.freshRSS)
        #expect(report.rejections == [] && report.inserted == 2)
        let article = try await library.article("Café & more")
        #expect(article.key == "urn:a:1" && article.sourceURL == "https://a.example/1?x=1&y=2")
        #expect(article.authors == ["Ada", "Charles"] && article.tags == ["steam", "Q & A"])
        #expect(article.date == "2024-05-06T10:06:40Z" && article.body == "<p>Text.</p>")
        #expect(article.attachments.map(\.size) == [4096])
        let sources = try await library.repository.sources()
        #expect(sources.map(\.name).sorted() == ["B", "Engines & more"])
        #expect(
            try await library.marks(path: library.folder.file("starred_2024-05-06.json")) == [
                "Café & more": #"{"read":true,"starred":true,"tags":["To cite"]}"#,
                "Only a label": #"{"tags":["Later"]}"#,
            ])
    }

    @Test("A list of Google Reader is read by the addresses of its streams, and all its articles are starred")
    func googleReader() async throws {
        let library = try ImportedLibrary()
        let list = #"""
            {"direction":"ltr","id":"user\/123\/state\/com.google\/starred","title":"Starred","items":[{"id":"tag:google.com,2005:reader/item/1",
            "title":"One","published":1371700000,"alternate":[{"href":"https://c.example/1"}],"summary":{"direction":"ltr","content":"S"},
            "author":"C","origin":{"streamId":"feed/https://c.example/feed","title":"C","htmlUrl":"https://c.example"}}]}
            """#
        #expect(try await library.add("starred.json", list).inserted == 1)
        #expect(try await library.repository.sources().first?.facts.feedURL == "https://c.example/feed")
        #expect(try await library.article("One").key == "https://c.example/1")
        #expect(try await library.marks(path: library.folder.file("starred.json")) == ["One": #"{"starred":true}"#])
    }

    @Test("An article that the library has is recognized by its ID or its address, and stays as it is")
    func recognized() async throws {
        let library = try ImportedLibrary()
        let feed = """
            <rss><channel><title>Engines</title><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" \
            href="https://a.example/feed.xml"/>
            <item><guid isPermaLink="false">urn:a:1</guid><title>New title</title><link>https://a.example/moved</link>\
            <pubDate>Mon, 06 May 2024 10:06:40 GMT</pubDate><description>Here</description></item>
            <item><guid isPermaLink="false">other</guid><title>Second</title><link>https://a.example/2</link>\
            <pubDate>Fri, 01 Mar 2024 09:00:00 GMT</pubDate><description>Here, too</description></item></channel></rss>
            """
        try await library.add("feed.xml", feed)
        // FreshRSS knows the ID of the first one, and Miniflux the address and the title of the second one.
        #expect(try await library.add("starred.json", Self.freshRSS).outcomes == [1, 0, 0, 1])
        #expect(try await library.add("entries.json", Self.miniflux).outcomes == [1, 0, 0, 1])
        #expect(try await library.articles.map(\.title) == ["New title", "Only a label", "Second", "The <i> tag & I"])
        #expect(try await library.article("New title").body == "Here")
    }

    @Test("Entries with the same address but different titles and dates are different articles, in any order")
    func sharedAddress() async throws {
        let library = try ImportedLibrary()
        func entry(_ number: Int) -> String {
            #"{"id":\#(number),"feed_id":1,"status":"unread","title":"Incident \#(number)","url":"https://s.example/","#
                + #""published_at":"2024-01-0\#(number)T00:00:00Z","content":"x","starred":false,"#
                + #""feed":{"id":1,"feed_url":"https://s.example/feed","title":"Status"}}"#
        }
        func list(_ numbers: [Int]) -> String {
            #"{"total":9,"entries":["# + numbers.map(entry).joined(separator: ",") + "]}"
        }
        #expect(try await library.add("1.json", list([1, 2])).inserted == 2)
        #expect(try await library.add("2.json", list([3, 2, 1])).outcomes == [1, 0, 0, 2])
        #expect(try await library.add("3.json", list([2, 3, 1])).outcomes == [0, 0, 0, 3])
    }

    @Test("An article that was deleted for good does not come back")
    func deleted() async throws {
        let library = try ImportedLibrary()
        try await library.add("entries.json", Self.miniflux)
        let id = try await library.article("Second").id
        _ = try await library.repository.write(needing: WriteNeeds()) { try $0.delete(id: id, forGood: true) }
        let report = try await library.add("entries.json", Self.miniflux)
        #expect(report.inserted == 0 && report.deleted == 1)
    }

    @Test("With a named source, all articles belong to it")
    func named() async throws {
        let library = try ImportedLibrary()
        try await library.add("starred.json", Self.freshRSS, ImportOptions(source: "Old"))
        #expect(try await library.repository.sources().map(\.name) == ["Old"])
        let again = try await library.add("starred.json", Self.freshRSS, ImportOptions(source: "Old", mirror: .all))
        #expect(again.outcomes == [0, 0, 0, 2] && again.removed == 0)
    }

    @Test("An entry that cannot be read is rejected with its line, and the others are imported")
    func invalid() async throws {
        let library = try ImportedLibrary()
        let text = Self.miniflux.replacing(#"{"id":889,"#, with: "7,\n{\"id\":889,")
        let report = try await library.add("entries.json", text)
        #expect(report.inserted == 2 && report.rejections.map(\.line) == [9])
        let cut = try await library.add("cut.json", String(Self.miniflux.prefix(1_000)))
        #expect(cut.rejections.count == 1 && cut.unchanged == 1)
    }

    @Test(
        "Other objects are not such exports",
        arguments: [
            #"{"total":1,"title":"T","body":"B"}"#, #"{"id":"user/1","title":"T","body":"B"}"#,
            #"{"entries":"none","title":"T","body":"B"}"#,
        ])
    func others(text: String) async throws {
        let library = try ImportedLibrary()
        #expect(try await library.add("a.json", text).inserted == 1)
        #expect(try await library.article("T").body == "B")
    }
}

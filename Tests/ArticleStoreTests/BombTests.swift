import ArticleImporting
import ArticleStore
import TestSupport
import Testing
import Text

/// Each document is small, or grows only if it leads a parser astray. The text around it must be read.
@Suite("Input that tries to exhaust its reader")
struct BombTests {
    /// A stack of 8 MiB holds fewer frames of a recursive function.
    private static let depth = 30_000

    private static func nested(_ start: String, _ end: String = "") -> String {
        String(repeating: start, count: depth) + String(repeating: end, count: depth)
    }

    /// Returns a feed of three entries, with this text in the second.
    private static func feed(_ inside: String, type: String = "", before: String = "") -> String {
        func entry(_ title: String, _ text: String) -> String {
            "<item><title>\(title)</title><description>\(text)</description></item>\n"
        }
        return before + "<rss><channel>\n" + entry("First", "x") + entry("Second", inside) + entry("Third", "x")
            + "</channel></rss>"
    }

    @Test("Entities expand to no more than the written text, and include nothing from outside")
    func entities() async throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret", "the secret")
        var declarations = "<!ENTITY l0 \"ha\">"
        for level in 1...9 {
            declarations += "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">\n"
        }
        declarations += "<!ENTITY long \"\(String(repeating: "x", count: 50_000))\">\n"
        let file = "file://\(secret)"
        for part in [
            "\(declarations)", "<!ENTITY f SYSTEM \"\(file)\">", "<!ENTITY h SYSTEM \"http://127.0.0.1:1/\">",
            "<!ENTITY % p SYSTEM \"\(file)\"> %p;", "<!ENTITY % p \"<!ENTITY f SYSTEM '\(file)'>\"> %p;",
            "<!ATTLIST item a CDATA \"&f;\">",
        ] {
            let references = "&l9; &f; &h; %p; " + String(repeating: "&long;", count: 10_000)
            for type in ["<!DOCTYPE rss [\n\(part)\n]>", "<!DOCTYPE rss SYSTEM \"\(file)\" [\(part)]>"] {
                let library = try ImportedLibrary()
                let text = Self.feed(references, before: "<?xml version=\"1.0\"?>" + type)
                #expect(try await library.add("a.xml", text).inserted == 3)
                let article = try await library.article("Second")
                // The ampersands became text.
                #expect(article.body.utf8.count < 6 * references.utf8.count)
                #expect(!article.body.contains("secret") && !article.body.contains("haha"))
            }
        }
    }

    /// A file, and the number of its records that are imported.
    struct Bomb: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let count: Int
        var testDescription: String { name }

        fileprivate init(_ name: String, _ text: String, _ count: Int) {
            (self.name, self.text, self.count) = (name, text, count)
        }
    }

    private static let depths = [
        Bomb("rss.xml", feed(nested("<b>", "</b>")), 2),
        Bomb("open.xml", feed(nested("<b>")), 2),
        Bomb("escaped.xml", feed(nested("&lt;b&gt;")), 3),
        Bomb(
            "atom.xml",
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>A</title><content type=\"xhtml\">"
                + nested("<div>", "</div>") + "</content></entry><entry><title>B</title></entry></feed>", 1
        ),
        Bomb("list.opml", "<opml><body>" + nested("<outline text='a'>", "</outline>") + "</body></opml>", 0),
        Bomb("page.html", "<html><body><h1>A</h1>" + nested("<div>", "</div>") + "</body></html>", 1),
        Bomb("table.html", "<h1>A</h1>" + nested("<table><tr><td>"), 1),
        Bomb("inline.html", "<h1>A</h1><p>" + nested("<b><i>"), 1),
        Bomb("quotes.md", "# A\n\n" + nested(">") + "x", 1),
        Bomb("lists.md", "# A\n\n" + nested("- ") + "x", 1),
        Bomb("emphasis.md", "# A\n\n" + nested("*a_ "), 1),
        Bomb("links.md", "# A\n\n" + nested("![", "](x)"), 1),
        Bomb("tags.md", "# A\n\n" + nested("<div>\n\n"), 1),
        Bomb("block.md", "---\ntitle: A\na:\n" + nested("- ") + "x\n---\nx", 0),
        Bomb("flow.md", "---\ntitle: A\na: " + nested("{a: ", "}") + "\n---\nx", 0),
        Bomb("table.md", "+++\ntitle = 'A'\na = " + nested("{a = ", "}") + "\n+++\nx", 0),
        Bomb(
            "feed.json",
            #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","content_text":"a"},{"a":"#
                + nested("[", "]") + #"},{"id":"3","content_text":"c"}]}"#, 2
        ),
        Bomb(
            "ghost.json",
            #"{"db":[{"meta":{},"data":{"x":"# + nested("[", "]")
                + #","posts":[{"id":"1","title":"A","html":"a","status":"published"}]}}]}"#, 1
        ),
        Bomb(
            "array.json",
            #"[{"title":"A","body":"a"},{"title":"B","body":"b","x":"# + nested("[", "]")
                + #"},{"title":"C","body":"c"}]"#, 2
        ),
        Bomb(
            "bookmarks.html",
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n" + nested("<DL><p><DT><H3>a</H3>\n")
                + "<DT><A HREF=\"https://a.example/\">A</A>", 1
        ),
        Bomb("quotes.csv", "title,body\nA,a\nB,\"" + nested("\"\"") + "\"\nC,c\n", 3),
    ]

    @Test("30,000 nested elements are read or refused", arguments: depths)
    func depth(bomb: Bomb) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(bomb.name, bomb.text)
        #expect(report.inserted == bomb.count, "\(report.rejections)")
        #expect(bomb.count > 0 || report.rejected == 1)
        for article in try await library.articles { _ = ArticleJSON.object(article) }
    }

    @Test(
        "An endless attribute is read or refused",
        arguments: [
            (
                "a.xml", "<rss><channel><item><title>A</title></item><item x='",
                "'/><item><title>C</title></item></channel></rss>", 2
            ),
            ("a.html", "<h1>A</h1><p title='", "'>x</p>", 1), ("b.html", "<h1>A</h1><p title=", "", 1),
            ("a.md", "# A\n\n<p title='", "'>x</p>", 1),
            ("c.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF='https://a.example/' ICON='", "'>A</A>", 1),
        ])
    func attribute(name: String, start: String, end: String, count: Int) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(name, start + String(repeating: "x", count: 4_000_000) + end)
        #expect(report.inserted == count, "\(report.rejections)")
    }
}

import Text
import ArticleExporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("Exporting pages for a browser")
struct SiteExportTests {
    private let storage: TemporaryDatabase

    init() throws { storage = try TemporaryDatabase() }

    private var folder: TemporaryFolder { storage.folder }

    /// Exports the library, and returns the files by path.
    private func export(
        _ options: ExportOptions = ExportOptions(), _ query: ArticleQuery = ArticleQuery()
    ) async throws -> [String: String] {
        let path = folder.file("out/site")
        try FileManager.default.createDirectory(
            atPath: folder.file("out"), withIntermediateDirectories: true)
        let report = try await ArticleExporter(repository: storage.articles, options: options).run(
            query, as: .html, to: .path(path, replaces: true))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")) == ["site"])
        var files: [String: String] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path + "/" + file, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            files[file] = try String(contentsOfFile: path + "/" + file, encoding: .utf8)
        }
        #expect(files.count == report.files)
        return files
    }

    @Test("The pictures of the library are files, and a single page contains them")
    func pictures() async throws {
        try await storage.articles.upsert([
            ArticleDraft(
                key: "a", slug: "a", title: "A",
                body: "![x](x.gif) ![y](https://example.org/y.gif) ![z](data:image/svg+xml;base64,AAAA)",
                sourceURL: "https://example.org/a")
        ])
        let article = try #require(try await storage.articles.article(slug: "a"))
        let pictures = SQLitePictureRepository(database: storage.database)
        let picture = try #require(Picture(Array("GIF89a".utf8) + [0, 1, 0xFF]))
        let address = "https://example.org/x.gif"
        let reference = try #require(try await pictures.store(picture, at: address, of: article.id))
        var exporter = ArticleExporter(repository: storage.articles)
        exporter.pictures = pictures
        let path = folder.file("site")
        _ = try await exporter.run(ArticleQuery(), as: .html, to: .path(path, replaces: false))
        let file = "pictures/\(reference.uid).gif"
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path + "/" + file))) == picture.bytes)
        let page = try String(contentsOfFile: path + "/articles/a.html", encoding: .utf8)
        #expect(page.contains("<img src=\"../\(file)\" alt=\"x\">"))
        #expect(page.contains("<img src=\"https://example.org/y.gif\""))
        #expect(page.contains("img-src http: https: 'self' file:"))

        let single = ArticleHTML.page(of: article, pictures: [address: picture])
        #expect(single.contains("<img src=\"data:image/gif;base64,R0lGODlhAAH/\" alt=\"x\">"))
        #expect(single.contains("<img src=\"https://example.org/y.gif\""))
        #expect(!single.contains("svg"))
        #expect(!ArticleHTML.page(of: article).contains("data:image"))

        // A text can mention a picture many times.
        var repeated = article
        repeated.body = (1...10).map { "<p>\($0) <img src='\(address)' alt='x'></p>" }.joined()
        let large = try #require(Picture(Array("GIF89a".utf8) + Array(repeating: 1, count: Picture.largest - 6)))
        let images = ArticleHTML.page(of: repeated, pictures: [address: large]).split(separator: "<img ").dropFirst()
        #expect(images.map { $0.hasPrefix("src=\"data:") } == (1...10).map { $0 <= 8 })
    }

    @Test("An interrupt is noticed up to the last page of the last tag")
    func interrupt() async throws {
        try await storage.articles.upsert(
            (0..<30).map { ArticleDraft(key: "\($0)", slug: "s\($0)", title: "T", body: "x", tags: ["a", "b"]) })
        func run(stopsAt limit: Int) async throws -> (ExportReport, calls: Int) {
            var calls = 0
            let report = try await ArticleExporter(repository: storage.articles).run(
                ArticleQuery(), as: .html, to: .path(folder.file("site"), replaces: true),
                isInterrupted: {
                    calls += 1
                    return calls > limit
                })
            return (report, calls)
        }
        // Two calls for each article, and then two for its place in the lists of its tags.
        let calls = try await run(stopsAt: .max).calls
        #expect(calls > 2 * 30 + 2 * 30)
        try FileManager.default.removeItem(atPath: folder.file("site"))
        let (report, _) = try await run(stopsAt: calls - 5)
        #expect(report.isInterrupted)
        #expect(!FileManager.default.fileExists(atPath: folder.file("site")))
    }

    @Test(
        "No page runs anything, and every link of a page leads to an existing file", arguments: [UInt64(1), 2])
    func hostile(seed: UInt64) async throws {
        var hostile = HostileArticles(seed: seed)
        try await hostile.fill(storage.articles, count: 150)
        try await storage.articles.upsert(HostilePages.drafts)
        let count = try await storage.articles.count(ArticleQuery())
        let files = try await export(ExportOptions(title: "</title><script>alert(1)</script>\""))
        #expect(files.keys.count { $0.hasPrefix("articles/") } == count)
        for (path, text) in files where path.hasSuffix(".html") {
            guard let page = PageTags(text) else {
                Issue.record("\(path) is not strict: \(text)")
                continue
            }
            #expect(page.mistakes == [], "\(path)")
            #expect(page.tags.contains { $0["http-equiv"] == "Content-Security-Policy" })
            for case let href? in page.tags.map({ $0["href"] })
            where !href.hasPrefix("http") && !href.hasPrefix("mailto:") && !href.hasPrefix("#") {
                let relative = try #require(href.prefix { $0 != "#" }.removingPercentEncoding)
                var parts = path.split(separator: "/").dropLast().map { String($0) }
                for part in relative.split(separator: "/") {
                    if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
                }
                #expect(files[parts.joined(separator: "/")] != nil, "\(href) in \(path)")
            }
        }
    }

    @Test("A single page runs nothing either")
    func single() async throws {
        try await storage.articles.upsert(HostilePages.drafts)
        for article in try await storage.articles.everything().articles {
            let text = ArticleHTML.page(of: article)
            let page = try #require(PageTags(text), "\(text)")
            #expect(page.mistakes == [])
        }
    }

    @Test("A page contains all properties of its article")
    func page() throws {
        let uid = try #require(SourceUID("0123456789abcdef0123456789abcdef"))
        let article = Article(
            id: 1, source: SourceReference(id: 1, uid: uid, name: "blog", home: "https://example.com/"), key: "a",
            slug: "a", title: "1 < 2",
            authors: ["Ada", "Åsa"], summary: "Short",
            body: "[a](b.html) ![c](d.png)[^1]\n\n```c\nint i;\n```\n\n[^1]: N",
            language: "sv", sourceURL: "https://example.org/x/y?a&b", published: Date(timeIntervalSince1970: 0),
            publishedOffset: -480, updated: Date(timeIntervalSince1970: 0), tags: ["t&u"], readingMinutes: 3)
        let page = ArticleHTML.page(of: article)
        for piece in [
            "<title>1 &lt; 2</title>", #"<article lang="sv">"#, #"<h1 dir="auto">1 &lt; 2</h1>"#,
            "<bdi class=\"author\">Åsa</bdi>",
            #"<time datetime="1969-12-31T16:00:00-08:00">1969-12-31</time> · 3 min"#, "<bdi>t&amp;u</bdi>",
            "<bdi>blog</bdi>",
            #"href="https://example.org/x/y?a&amp;b""#, #"href="https://example.org/x/b.html""#,
            #"src="https://example.org/x/d.png""#, #"<section class="footnotes">"#, #"<span class="k">int</span>"#,
            #"<meta name="description" content="Short"/>"#, "prefers-color-scheme: dark",
        ] {
            #expect(page.contains(piece), "\(piece) in \(page)")
        }
        var moved = article
        moved.sourceURL = nil
        #expect(ArticleHTML.page(of: moved).contains("https://example.com/b.html"))
        moved.baseURL = "https://example.net/z/"
        #expect(ArticleHTML.page(of: moved).contains("https://example.net/z/b.html"))
    }

    @Test("Exported articles link to each other by address or by file, and nothing else becomes a link")
    func links() async throws {
        let posts = SourceFacts(name: "posts", kind: .folder, location: "/srv/posts")
        try await storage.articles.upsert(
            [
                ArticleDraft(
                    key: "2024/one.md", slug: "one", title: "One",
                    body: """
                        [a](two.md#part) [b](../2023/three/) [c](/2023/three/index.md?x) [d](HTTP://Example.org/four/#top) \
                        [e](https://example.org/five) [f](missing.md) [g](../../../etc/passwd) [h](#here) ![i](two.md) \
                        [j](two%2Emd) [k](articles/two.html) [l](../two/) \
                        [q](../../../../2024/two) [r](../2023/three.html)
                        """),
                ArticleDraft(key: "2024/two.md", slug: "two", title: "Two", body: ""),
                ArticleDraft(key: "2023/three/index.md", slug: "three", title: "Three", body: ""),
            ], into: posts)
        try await storage.articles.upsert(
            [
                ArticleDraft(
                    key: "4", slug: "four", title: "Four", body: "[m](one.md)",
                    sourceURL: "https://example.org/four/index.html",
                    published: Date(timeIntervalSince1970: 1_710_000_000)),
                ArticleDraft(
                    key: "5", slug: "five", title: "Five",
                    body: "[n](/2024/four/) [o](https://example.net/four) [p](/one)",
                    baseURL: "https://example.org/"),
            ], into: SourceFacts(name: "feed", kind: .feed))
        let files = try await export()
        let page = try #require(files["articles/one.html"])
        func target(_ text: String, in page: String) -> String? {
            guard let end = page.range(of: ">\(text)</a>"),
                let start = page.range(of: "<a href=\"", options: .backwards, range: page.startIndex..<end.lowerBound)
            else { return nil }
            return page[start.upperBound...].split(separator: "\"", omittingEmptySubsequences: false).first.map {
                String($0)
            }
        }
        #expect(target("a", in: page) == "../articles/two.html#user-content-part")
        #expect(target("b", in: page) == "../articles/three.html")
        #expect(target("c", in: page) == "../articles/three.html")
        #expect(target("d", in: page) == "../articles/four.html#user-content-top")
        #expect(target("e", in: page) == "https://example.org/five")
        #expect(target("f", in: page) == nil && target("g", in: page) == nil)
        #expect(target("h", in: page) == "#user-content-here")
        #expect(target("j", in: page) == "../articles/two.html")
        #expect(target("l", in: page) == "../articles/two.html")
        #expect(target("k", in: page) == "../articles/two.html")
        // Not above the root, as in every URL.
        #expect(target("q", in: page) == "../articles/two.html")
        #expect(target("r", in: page) == "../articles/three.html")
        #expect(page.contains("<img alt=\"i\">"))
        // On its own site, the slug names an article; the slug of another source means nothing there.
        let five = try #require(files["articles/five.html"])
        #expect(target("n", in: five) == "../articles/four.html")
        #expect(target("o", in: five) == "https://example.net/four")
        #expect(target("p", in: five) == "https://example.org/one")
        // A feed is not accompanied by files.
        #expect(files["articles/four.html"]?.contains("https://example.org/four/one.md") == true)
    }

    @Test("List pages have 50 articles in the order of the query, grouped by day")
    func lists() async throws {
        let drafts = (0..<120).map { index in
            ArticleDraft(
                slug: "a\(index)", title: "Title \(index)", body: "",
                published: Date(timeIntervalSince1970: Double(index) * 43_200),
                tags: index < 51 ? ["Tag"] : index < 60 ? ["tag/é", "tag"] : [])
        }
        try await storage.articles.upsert(drafts)
        let files = try await export(ExportOptions(title: "Mine"), ArticleQuery(sort: .oldest))
        func titles(_ path: String) -> [Int] {
            (files[path] ?? "").matches(of: /Title ([0-9]+)<\/a>/).compactMap { Int($0.output.1) }
        }
        #expect(titles("index.html") == Array(0..<50))
        #expect(titles("page-2.html") == Array(50..<100))
        #expect(titles("page-3.html") == Array(100..<120))
        #expect(files["page-4.html"] == nil)
        #expect(files["index.html"]?.components(separatedBy: "<section").count == 26)
        #expect(files["index.html"]?.contains(#"<a rel="next" href="page-2.html" dir="auto">More</a>"#) == true)
        #expect(files["page-2.html"]?.contains(#"<a rel="prev" href="index.html" dir="auto">Back</a>"#) == true)
        #expect(files["page-3.html"]?.contains("rel=\"next\"") == false)
        #expect(titles("tags/Tag.html") == Array(0..<50))
        #expect(titles("tags/Tag-2.html") == Array(50..<60))
        #expect(titles("tags/tag_é.html") == Array(51..<60))
        #expect(files["tags.html"]?.contains(#"<a href="tags/Tag.html" dir="auto">Tag</a> <span>60</span>"#) == true)
        #expect(files["articles/a55.html"]?.contains(#"<a rel="tag" href="../tags/tag_%C3%A9.html""#) == true)
        #expect(files["articles/a55.html"]?.contains(#"<a rel="prev" href="../articles/a54.html""#) == true)
    }

    @Test("Feeds have the newest 50 articles, and link to the pages if the address of the site is known")
    func feeds() async throws {
        let drafts = (0..<60).map { index in
            ArticleDraft(
                slug: "a\(index)", title: "Title \(index)", body: "",
                sourceURL: "https://example.net/\(index)",
                published: Date(timeIntervalSince1970: Double(index) * 86_400))
        }
        try await storage.articles.upsert(drafts)
        let files = try await export(ExportOptions(url: "https://example.org/blog"), ArticleQuery(sort: .title))
        let atom = try #require(files["feed.atom"])
        #expect(atom.matches(of: /<title>Title ([0-9]+)</).compactMap { Int($0.output.1) } == (10..<60).reversed())
        #expect(
            atom.contains(#"<link rel="self" type="application/atom+xml" href="https://example.org/blog/feed.atom"/>"#))
        #expect(atom.contains(#"<link rel="alternate" href="https://example.org/blog/articles/a59.html"/>"#))
        #expect(atom.contains(#"<link rel="via" href="https://example.net/59"/>"#))
        let json = try #require(files["feed.json"])
        #expect(
            json.contains(
                #""url":"https://example.org/blog/articles/a59.html","external_url":"https://example.net/59""#))
        #expect(json.contains(#""home_page_url":"https://example.org/blog/""#))
        #expect(files["index.html"]?.contains(#"type="application/atom+xml" href="feed.atom"/>"#) == true)
        let local = try await export()
        #expect(local["feed.atom"]?.contains(#"<link rel="alternate" href="https://example.net/59"/>"#) == true)
    }

    @Test("An empty library is a page that says so")
    func empty() async throws {
        let files = try await export()
        #expect(files["index.html"]?.contains("<section") == false)
        #expect(
            Set(files.keys) == [
                "index.html", "tags.html", "style.css", "feed.atom", "feed.json", "articlesctl-pages.json",
            ])
    }
}

/// Articles with active content.
private enum HostilePages {
    static let pieces = [
        "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</style><script>x</script>", "<!--",
        "-->",
        "<script src=//evil.example>", "' onmouseover='x", "<svg/onload=alert(1)>", "<style>*{}</style>",
        "javascript:alert(1)",
        "<a href=\"java\tscript:x\">y</a>", "<iframe srcdoc=\"<script>\">", "<base href=//evil.example/>",
        "&lt;script&gt;",
        "<meta http-equiv=refresh content=0>", "[x](javascript:alert(1))", "![x](data:text/html,<script>)", "`</code>`",
        "\0", "]]>",
        "<form action=x><button>", "[r]: javascript:x\n\n[r]", "<x-y z=1>", "<math><mtext><script>", "\u{202E}",
    ]

    static var drafts: [ArticleDraft] {
        var random = SeededGenerator(seed: 5)
        func text() -> String {
            (0..<4).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(
                separator: random.next() % 2 == 0 ? "" : "\n")
        }
        return (0..<200).map { index in
            ArticleDraft(
                key: "../\(index)/\(text())", slug: "../../" + text(), title: text(), authors: [text()],
                summary: text(),
                body: text(), format: Article.Format.allCases[index % 3],
                language: index % 2 == 0 ? "\"><script>" : "en",
                sourceURL: ["javascript:alert(1)", "https://example.org/\"><script>", " https://example.org/", nil][
                    index % 4],
                baseURL: ["javascript:x/", "https://example.org/", nil][index % 3],
                published: Date(timeIntervalSince1970: 0), tags: [text(), "../../x", "/etc/passwd", "con", "."])
        }
    }
}

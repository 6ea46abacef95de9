import ArticleImporting
import Text
import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("Web pages in files")
struct WebPageTests {
    private static func page(_ body: String, head: String = "") -> String {
        "<!DOCTYPE html>\n<html lang=\"en-GB\"><head><meta charset=utf-8>\(head)</head>\n<body>\(body)</body></html>\n"
    }

    private func only(_ html: String, _ name: String = "page.html") async throws -> Article {
        let library = try ImportedLibrary()
        #expect(try await library.add(name, html).rejections == [])
        let articles = try await library.articles
        #expect(articles.count == 1)
        return try #require(articles.first)
    }

    @Test("The metadata of a page are around its text")
    func properties() async throws {
        let head = """
            <title>The engine | Notes</title>
            <meta property="og:title" content="The engine &amp; I"><meta name="author" content="Ada Lovelace">
            <meta name="Author" content="Charles Babbage"><meta property="article:author" content="https://e.org/ada">
            <meta property="article:published_time" content="2021-07-01T23:30:00+02:00">
            <meta property="article:modified_time" content="2021-07-03T00:00:00Z"><meta name="date" content="1999-01-01">
            <meta name="description" content="What it is about"><meta property="article:tag" content="sums">
            <meta property="article:tag" content="brass"><meta name="keywords" content="a, b">
            <meta property="og:url" content="https://e.org/?p=5"><link rel="shortlink canonical" href="/engine">
            <meta property="og:image" content="https://e.org/i.png"><meta property="og:site_name" content="Notes">
            <base href="https://e.org/blog/"><meta name="viewport" content="width=device-width">
            """
        let article = try await only(Self.page("<h1>Engine</h1><p>Text.</p>", head: head))
        #expect(article.title == "The engine & I")
        #expect(article.authors == ["Ada Lovelace", "Charles Babbage"])
        #expect(article.date == "2021-07-01T21:30:00Z")
        #expect(article.publishedOffset == 120)
        #expect(article.updated.timeIntervalSince(article.published) == 26.5 * 3600)
        #expect(article.summary == "What it is about")
        #expect(article.tags == ["sums", "brass"])
        #expect(article.sourceURL == "https://e.org/engine")
        #expect(article.baseURL == "https://e.org/blog/")
        #expect(article.language == "en-GB")
        #expect(article.format == .html)
        #expect(article.body == "<h1>Engine</h1><p>Text.</p>")
        #expect(article.key == "page.html")
        #expect(article.slug == "page")
        #expect(article.extra == #"{"image":"https://e.org/i.png","site_name":"Notes"}"#)
    }

    private static let titles: [(String, String, String)] = [
        ("<title> A\n b </title>", "<h1>C</h1>", "A b"), ("", "<p>x</p><h1>The <b>head</b></h1>", "The head"),
        ("<title></title>", "<svg><title>No</title></svg><p>x</p>", "Page"),
        ("<meta property='og:title' content=' '><title>T</title>", "<p>x</p>", "T"),
    ]

    @Test("A page has the first of its titles", arguments: titles)
    func title(head: String, body: String, title: String) async throws {
        #expect(try await only(Self.page(body, head: head)).title == title)
    }

    private static let dates: [(String, String)] = [
        ("<time datetime='2020-01-02'>", "2020-01-02"),
        ("<p><time>2019</time><time datetime='2020-01-02'></time><time datetime='2021-01-02'></time>", "2020-01-02"),
        ("<time datetime='2020-01-02'></time><time itemprop=datePublished datetime='2021-01-02'></time>", "2021-01-02"),
        (
            "<aside><time datetime='2020-01-02'></time></aside><article><time datetime='2021-01-02'></time>",
            "2021-01-02"
        ),
        (
            "<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"WebSite\"},{\"@type\":[\"BlogPosting\"],"
                + "\"datePublished\":\"2022-03-04\",\"author\":[{\"name\":\"Ada\"}]}]}</script><time datetime='2020-01-02'>",
            "2022-03-04"
        ),
        (
            "<script type='application/ld+json'>\n<![CDATA[\n{\"@type\":\"NewsArticle\",\"datePublished\":\"2022-03-04\"}\n"
                + "]]>\n</script>", "2022-03-04"
        ),
        ("<meta itemprop=datePublished content=2018-05-06><time datetime='2020-01-02'>", "2018-05-06"),
    ]

    @Test("A page has the date that is most clearly marked as its date", arguments: dates)
    func date(body: String, day: String) async throws {
        let article = try await only(Self.page(body + "<p>Text</p>"))
        #expect(article.date == day + "T00:00:00Z")
        #expect(article.authors == (body.contains("Ada") ? ["Ada"] : []))
    }

    private static let texts: [(String, String)] = [
        ("<nav>n</nav><article><h2>A</h2><nav>x</nav><p>b</p></article><footer>f</footer>", "<h2>A</h2><p>b</p>"),
        ("<article>a<article>comment</article></article>", "a<article>comment</article>"),
        ("<article>a</article><aside><article>b</article></aside>", "a"),
        ("<main><article>a</article><article>b</article></main>", "<article>a</article><article>b</article>"),
        ("<header>h</header><div role=main><p>a<form>f</form></div>", "<p>a"),
        ("<div class='x h-entry'><h1>T</h1><div class='e-content'>a</div></div>", "a"),
        ("<div class='e-content'>a</div><div>b</div>", "<div class='e-content'>a</div><div>b</div>"),
        (
            "<header>h</header><div>a<aside>s</aside><script>if (1 < 2) '</div>'</script></div><style>p{}</style><p>b",
            "<div>a</div><p>b"
        ),
        ("<article>a", "a"), ("<article><p>é 😀\r\n<nav>x</nav> b</article>", "<p>é 😀\r\n b"),
    ]

    @Test("A page has its main text", arguments: texts)
    func text(body: String, text: String) async throws {
        #expect(try await only(Self.page(body, head: "<title>T</title>")).body == text)
    }

    @Test("Optional tags of HTML may be missing, and a fragment of a page is not a page")
    func parts() async throws {
        let short = try await only("<!doctype html><title>T</title><link rel=canonical href=https://e.org/><p>Text</p>")
        #expect(short.title == "T" && short.sourceURL == "https://e.org/")
        #expect(short.body.hasSuffix("<p>Text</p>"))
        #expect(try await only("<h1>T</h1><nav>n</nav><p>x").body == "<h1>T</h1><nav>n</nav><p>x")
        let template = "---\ntitle: T\n---\n<html><body><nav>n</nav><p>x</p></body></html>"
        #expect(try await only(template).body == "<html><body><nav>n</nav><p>x</p></body></html>")
    }

    @Test("Files that a browser saved with a page are skipped")
    func saved() async throws {
        let library = try ImportedLibrary()
        try library.folder.write("in/A page.htm", Self.page("<p>a</p>", head: "<title>A</title>"))
        try library.folder.write("in/Seite.html", Self.page("<p>b</p>", head: "<title>B</title>"))
        for name in ["A page_files/frame.html", "Seite-Dateien/x/frame.html", "own_files/c.html", "Other_files/c.md"] {
            try library.folder.write("in/\(name)", Self.page("<p>x</p>", head: "<title>\(name)</title>"))
        }
        let report = try await library.add(path: library.folder.file("in"))
        #expect(report.inserted == 4)
        #expect(Set(report.notRead.map(\.reason)).count == 1)
        #expect(report.notRead.count == 2)
    }

    @Test("A page that is only nested or unclosed is read or reported")
    func hostile() async throws {
        for html in [
            String(repeating: "<article>", count: 100_000), String(repeating: "<nav><article>", count: 300) + "x",
            "<table><article><tr><td>x<main><p><table><nav></main>",
            "<body><article></body></html><article>b</article>",
        ] {
            let library = try ImportedLibrary()
            let report = try await library.add("a.html", "<!doctype html><html><title>T</title>" + html)
            #expect(report.inserted + report.rejected == 1)
        }
    }
}

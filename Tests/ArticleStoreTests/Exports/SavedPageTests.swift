import ArticleImporting
import ArticleStore
import Foundation
import Testing
import Text

@Suite("Pages of the web")
struct SavedPageTests {
    private let address = "https://example.org/2024/walk?from=feed"

    private static let text = String(
        repeating: "<p>A walk along the coast, in the rain, takes longer than a day, and is worth it.</p>", count: 10)

    private func page(_ head: String, _ body: String = "<article>\(Self.text)</article>") -> String {
        "<html lang=en-GB><head>\(head)</head><body><nav class=menu>Menu</nav>\(body)</body></html>"
    }

    private func save(_ html: String, encoding: String? = nil) throws -> ArticleDraft {
        try SavedPage(Array(html.utf8), encoding: encoding, from: address).draft
    }

    @Test("A page has the facts that it states about itself")
    func facts() throws {
        let draft = try save(
            page(
                """
                <title>A walk | Example</title><link rel=canonical href="/walk"><meta name=keywords content="a, b">
                <meta property="article:published_time" content="2024-05-06T07:08:09Z"><meta name=author content="Ada">
                <meta name=description content="Rain">
                """))
        #expect(draft.title == "A walk | Example")
        #expect(draft.authors == ["Ada"])
        #expect(draft.published.map { RFC3339.string(from: $0) } == "2024-05-06T07:08:09Z")
        #expect((draft.sourceURL, draft.key) == ("https://example.org/walk", "https://example.org/walk"))
        #expect(draft.baseURL == address)
        #expect(draft.language == "en-GB")
        #expect(draft.summary == "Rain")
        #expect(draft.tags == [])
        #expect(draft.format == .html)
        #expect(draft.body.contains("A walk along the coast") && !draft.body.contains("Menu"))
    }

    private static let titles: [(String, String)] = [
        ("<title>How we walked around the lake | Example</title>", "How we walked around the lake"),
        ("<title>Example - How we walked around the lake</title>", "How we walked around the lake"),
        ("<title>Example: How we walked around the lake</title>", "How we walked around the lake"),
        ("<title>Lakes » A walk around all of it</title>", "A walk around all of it"),
        ("<title>Two words</title>", "Two words"),
        ("<meta property='og:title' content='By Open  Graph'><title>Else</title>", "By Open Graph"),
        ("<meta property='og:title dc:title' content='Two names'><title>Else</title>", "Two names"),
        (
            "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"name\":\"Example\",\"headline\":\"The walk\"}"
                + "</script><title>The walk - News</title>", "The walk"
        ),
    ]

    @Test("The title does not contain the name of the site", arguments: titles)
    func siteName(head: String, title: String) throws {
        #expect(try save(page(head)).title == title)
    }

    private static let authors: [(String, String, [String])] = [
        (
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"author\":[{\"name\":\"Ada\"},{\"name\":\"Bo\"}]}</script>",
            "", ["Ada", "Bo"]
        ),
        ("<meta name='dc.creator' content='Ada'><meta name=author content='Site'>", "", ["Ada"]),
        ("", "<p class=byline>By Ada Lovelace · May 20, 2019</p>", ["Ada Lovelace"]),
        ("", "<p class=byline>Written by Ada May 20, 2019</p>", ["Ada"]),
        ("", "<p class=dateline>2019-05-20</p>", []), ("", "", []),
    ]

    @Test("The authors come from the metadata, else from the line above the text", arguments: authors)
    func names(head: String, line: String, authors: [String]) throws {
        #expect(try save(page(head, "<article>\(line)\(Self.text)</article>")).authors == authors)
    }

    private static let canonicals: [(String, String)] = [
        ("<link rel=canonical href='https://e.org/a'>", "https://e.org/a"),
        // Some sites give the address of their start page for each page.
        ("<link rel=canonical href='/'>", "https://example.org/2024/walk?from=feed"),
        ("<link rel=canonical href='javascript:x'>", "https://example.org/2024/walk?from=feed"),
        ("<link rel=canonical href='/'><meta property='og:url' content='https://e.org/b'>", "https://e.org/b"),
        ("<base href='https://e.org/c/'><link rel=canonical href='d'>", "https://e.org/c/d"),
    ]

    @Test("The address is the canonical one, unless that is not the address of the page", arguments: canonicals)
    func original(head: String, expected: String) throws {
        #expect(try save(page(head)).sourceURL == expected)
    }

    private static let encodings: [(String?, String, [UInt8])] = [
        // The server's statement wins over that of the page, and a byte order mark over both.
        ("windows-1251", "<meta charset=utf-8>", [0xE4, 0xE0]), (nil, "<meta charset=windows-1251>", [0xE4, 0xE0]),
        (nil, "<meta http-equiv=content-type content='text/html; charset=koi8-r'>", [0xC4, 0xC1]),
        ("nonsense", "<meta charset=windows-1251>", [0xE4, 0xE0]), ("utf-8", "", Array("да".utf8)),
        (nil, "", Array("да".utf8)), (nil, "<meta charset=nonsense>", Array("да".utf8)),
    ]

    @Test("The text is decoded as the server or the page states", arguments: encodings)
    func decoded(header: String?, head: String, word: [UInt8]) throws {
        let html =
            Array("<html><head>\(head)</head><body><p>".utf8) + word + Array("</p>\(Self.text)</body></html>".utf8)
        #expect(try SavedPage(html, encoding: header, from: address).draft.body.contains("<p>да</p>"))
        let marked = [0xEF, 0xBB, 0xBF] + Array("<html>\(head)<body><p>да</p>\(Self.text)".utf8)
        #expect(try SavedPage(marked, encoding: header, from: address).draft.body.contains("<p>да</p>"))
    }

    @Test("Bytes that are not UTF-8 are read as windows-1252")
    func undeclared() throws {
        let html = Array("<p>caf".utf8) + [0xE9, 0x20, 0x93] + Array("да</p>\(Self.text)".utf8)
        #expect(try SavedPage(html, encoding: nil, from: address).draft.body.contains("<p>café “да</p>"))
    }

    private static let failures: [(String, SavedPage.Failure)] = [
        ("", .noText), ("<div id=app></div><script>start()</script><noscript>Turn on JavaScript</noscript>", .noText),
        ("<h1>Log in</h1><form><p>Give your name and your password.</p><input type=password></form>", .needsLogin),
        ("<form><input type=Password></form>", .needsLogin), (String(repeating: "<div>", count: 5_000), .unreadable),
    ]

    @Test("A page without text, with only a login form, or nested too deeply is not an article", arguments: failures)
    func unreadable(body: String, failure: SavedPage.Failure) {
        #expect(throws: failure) { try save(page("", body)) }
    }

    @Test("A login form beside a text does not matter")
    func form() throws {
        let draft = try save(page("", "<form><input type=password></form><article>\(Self.text)</article>"))
        #expect(draft.body.contains("coast"))
    }
}

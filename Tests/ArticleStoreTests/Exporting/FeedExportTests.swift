import ArticleImporting
import ArticleExporting
import SQLiteStores
import ArticleStore
import CExpat
import Foundation
import Markup
import StoreEngines
import TestSupport
import Testing

@Suite("Exporting feeds")
struct FeedExportTests {
    private let storage: TemporaryDatabase

    init() throws { storage = try TemporaryDatabase() }

    private func export(
        _ format: ExportFormat, _ options: ExportOptions = ExportOptions(), _ query: ArticleQuery = ArticleQuery()
    ) async throws -> String {
        var text = ""
        _ = try await ArticleExporter(repository: storage.articles, options: options).run(
            query, as: format, to: .stream { text += String(decoding: $0, as: UTF8.self) })
        return text
    }

    /// Returns the titles that an import reads from a feed.
    private func imported(_ feed: String, _ format: ExportFormat) async throws -> [String: Article] {
        let fixture = try ImportFixture()
        try fixture.folder.write("feed.\(format == .atom ? "atom" : "json")", feed)
        let report = try await fixture.run("feed.\(format == .atom ? "atom" : "json")")
        #expect(report.rejections == [])
        let articles = try await fixture.repository.everything().articles
        #expect(report.inserted == articles.count)
        return Dictionary(articles.map { ($0.title, $0) }, uniquingKeysWith: { $1 })
    }

    @Test("An import reads back an exported feed", arguments: [ExportFormat.atom, .jsonfeed])
    func readsBack(format: ExportFormat) async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let drafts = [
            ArticleDraft(
                title: "C++ < Swift & <b>bold</b> &amp; ]]> \u{1F600}", authors: ["Doe, Jane", "日本語"],
                summary: "1 < 2 & <i>x</i>",
                body:
                    "# Head\n\nText <b>bold</b> [a](../a.html), [note](#n).[^1]\n\n```swift\nlet a = 1 < 2\n```\n\n[^1]: N",
                language: "pt-BR", sourceURL: "https://example.org/blog/1?a=b&c=\"d\"", published: date,
                publishedOffset: -480, updated: date.addingTimeInterval(3600), tags: ["c++", "Straße & <so>"]),
            ArticleDraft(
                title: "HTML", authors: ["Ada"],
                body: "<p>One<br>two <img src='p.png' alt='\"P\"'><script>x()</script>",
                format: .html, baseURL: "https://example.org/base/", published: date),
            ArticleDraft(
                title: "Plain", authors: ["Ada"], body: "a < b\n  & ]]> <p>", format: .plain, published: date),
            ArticleDraft(title: "No one", body: "Text", sourceURL: "javascript:alert(1)", published: date),
        ]
        try await storage.articles.upsert(
            drafts, into: SourceFacts(name: "blog", kind: .feed, home: "https://example.org/"))
        let articles = try await imported(try await export(format), format)
        #expect(articles.count == drafts.count)
        for draft in drafts {
            let article = try #require(articles[draft.title])
            // Atom requires an author for each entry.
            #expect(article.authors == (draft.authors.isEmpty && format == .atom ? ["blog"] : draft.authors))
            #expect(article.tags == draft.tags)
            #expect(article.summary == draft.summary)
            #expect(article.language == draft.language)
            #expect(article.sourceURL == (draft.title == "No one" ? nil : draft.sourceURL))
            #expect(article.published == date)
            #expect(article.publishedOffset == draft.publishedOffset)
            #expect(article.updated == draft.updated ?? date)
            let written =
                switch draft.format {
                case .markdown: MarkupDocument(markdown: draft.body)
                case .html: MarkupDocument(html: draft.body)
                case .plain: MarkupDocument(plain: draft.body)
                }
            let base = draft.baseURL ?? (draft.sourceURL?.hasPrefix("http") == true ? draft.sourceURL : nil)
            let whole = try #require(written).resolved(against: base ?? "https://example.org/")
            #expect(article.format == .html)
            #expect(MarkupDocument(html: article.body) == MarkupDocument(html: whole.html()))
        }
        #expect(articles["HTML"]?.body.contains("https://example.org/base/p.png") == true)
    }

    @Test(
        "An XML parser accepts hostile articles, and every entry has the elements that Atom requires",
        arguments: [UInt64(1), 2])
    func hostileAtom(seed: UInt64) async throws {
        var hostile = HostileArticles(seed: seed)
        try await hostile.fill(storage.articles, count: 200)
        let count = try await storage.articles.count(ArticleQuery())
        let feed = try await export(.atom, ExportOptions(title: "]]> & \u{FFFE}\0 \"<b>\""))
        let parser = XML_ParserCreate(nil)
        defer { XML_ParserFree(parser) }
        let status = XML_Parse(parser, feed, Int32(feed.utf8.count), 1)
        let place = "\(XML_GetCurrentLineNumber(parser)):\(XML_GetCurrentColumnNumber(parser))"
        #expect(status == XML_STATUS_OK, "\(String(cString: XML_ErrorString(XML_GetErrorCode(parser)))) at \(place)")
        for entry in feed.components(separatedBy: "<entry").dropFirst() {
            for name in ["id", "title", "updated", "published", "author", "name", "content"] {
                #expect(entry.contains("</\(name)>"))
            }
        }
        #expect(ids(feed, #"<id>([^<]*)</id>"#).count == count + 1)
    }

    @Test("JSON Feed has the members that version 1.1 requires, also for hostile articles", arguments: [UInt64(1), 2])
    func hostileJSON(seed: UInt64) async throws {
        var hostile = HostileArticles(seed: seed)
        try await hostile.fill(storage.articles, count: 200)
        let count = try await storage.articles.count(ArticleQuery())
        let feed = try await export(.jsonfeed, ExportOptions(title: "a\u{FFFE}\"", url: "https://example.org/f.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(feed.utf8)) as? [String: Any])
        #expect(object["version"] as? String == "https://jsonfeed.org/version/1.1")
        #expect(object["feed_url"] as? String == "https://example.org/f.json")
        let items = try #require(object["items"] as? [[String: Any]])
        #expect(items.count == count)
        for item in items {
            #expect((item["id"] as? String)?.hasPrefix("urn:uuid:") == true)
            #expect(item["content_html"] is String)
            #expect(!item.values.contains { $0 is NSNull })
            #expect(item["date_published"] is String && item["title"] is String)
        }
        #expect(Set(items.compactMap { $0["id"] as? String }).count == count)
        let atom = Set(ids(try await export(.atom), #"<id>([^<]*)</id>"#))
        #expect(atom.isSuperset(of: items.compactMap { $0["id"] as? String }))
    }

    @Test("An ID is a UUID that does not reveal the key, and the ID of a feed depends on its query")
    func ids() async throws {
        // The example of RFC 9562, appendix A.4.
        let fixture = try ImportFixture()
        try fixture.folder.write(
            "a.jsonl",
            #"{"title":"T","body":"B","source":"s","sourceID":"6ba7b8109dad11d180b400c04fd430c8","key":"www.example.com"}"#
        )
        try await #expect(fixture.run("a.jsonl").inserted == 1)
        func feed(_ query: ArticleQuery) async throws -> String {
            var text = ""
            _ = try await ArticleExporter(repository: fixture.repository).run(
                query, as: .atom, to: .stream { text += String(decoding: $0, as: UTF8.self) })
            return text
        }
        let all = try await feed(ArticleQuery())
        #expect(all.contains("<id>urn:uuid:2ed6657d-e927-568b-95e1-2665a8aea6a2</id>"))
        #expect(!all.contains("6ba7b810"))
        let found = ids(all, #"<id>([^<]*)</id>"#)
        #expect(Set(found).count == 2)
        #expect(try await ids(feed(ArticleQuery(sort: .title)), #"<id>([^<]*)</id>"#) == found)
        #expect(try await ids(feed(ArticleQuery(source: "s")), #"<id>([^<]*)</id>"#).first != found.first)
    }

    private func ids(_ text: String, _ pattern: String) -> [String] {
        let matches = (try? NSRegularExpression(pattern: pattern))?.matches(
            in: text, range: NSRange(text.startIndex..., in: text))
        return (matches ?? []).compactMap { Range($0.range(at: 1), in: text).map { String(text[$0]) } }
    }

    @Test("A feed contains its address and the time of its last change")
    func head() async throws {
        try await storage.articles.upsert([
            ArticleDraft(title: "A", body: "", updated: Date(timeIntervalSince1970: 86_400)),
            ArticleDraft(title: "B", body: "", updated: Date(timeIntervalSince1970: 172_800)),
        ])
        let feed = try await export(.atom, ExportOptions(title: "Mine & <yours>", url: "https://example.org/f?a&b"))
        let head = try #require(feed.components(separatedBy: "<entry").first)
        #expect(head.contains("<updated>1970-01-03T00:00:00Z</updated>"))
        #expect(head.contains(#"<title type="html">Mine &amp;amp; &amp;lt;yours&amp;gt;</title>"#))
        #expect(head.contains(#"<link rel="self" type="application/atom+xml" href="https://example.org/f?a&amp;b"/>"#))
        let none = try await export(.atom, ExportOptions(), ArticleQuery(tag: "none"))
        #expect(none.contains("<updated>1970-01-01T00:00:00Z</updated>") && !none.contains("<entry"))
        #expect(try await export(.jsonfeed, ExportOptions(), ArticleQuery(tag: "none")).hasSuffix("\"items\":[\n]}\n"))
    }
}

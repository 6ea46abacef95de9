import Text
import ArticleImporting
import ArticleStore
import Foundation
import Testing

@Suite("Exports of Ghost")
struct GhostTests {
    private static let tables = #"""
        "users":[{"id":"u1","name":"Ada Lovelace","email":"ada@example.org"},{"id":"u2","name":"Charles Babbage"}],
        "tags":[{"id":"t1","name":"Sums"},{"id":"t2","name":"#imported"},{"id":"t3","name":"Brass"}],
        "posts_authors":[{"post_id":"p1","author_id":"u2","sort_order":1},{"post_id":"p1","author_id":"u1","sort_order":0}],
        "posts_tags":[{"post_id":"p1","tag_id":"t3","sort_order":2},{"post_id":"p1","tag_id":"t1","sort_order":0},
            {"post_id":"p1","tag_id":"t2","sort_order":1}],
        "posts_meta":[{"id":"m","post_id":"p1","og_title":"The engine!","og_image":null}]
        """#

    private static func document(_ posts: String..., tables: String = tables) -> String {
        #"{"db":[{"meta":{"exported_on":1673670577626,"version":"5.2.0"},"data":{"settings":[{"x":[1]}],"posts":["#
            + posts.joined(separator: ",\n") + "],\n" + tables + "}}]}"
    }

    private static let post = #"""
        {"id":"p1","uuid":"x-y","title":"The engine","slug":"engine","html":"<p>A <a href=\"__GHOST_URL__/b/\">b</a>.</p>",
        "mobiledoc":null,"lexical":"{}","plaintext":"A b.","comment_id":"p1","feature_image":"__GHOST_URL__/c.png",
        "featured":1,"type":"post","status":"published","visibility":"members","locale":"fr",
        "created_at":"2023-01-14T04:24:27.000Z","updated_at":"2023-01-15 04:41:30","published_at":"2023-01-14 05:28:17",
        "custom_excerpt":"In short.","canonical_url":"https://engines.example/1"}
        """#

    @Test("A Ghost export has posts with authors and tags, which come after the posts")
    func fields() async throws {
        let library = try ImportedLibrary()
        #expect(try await library.add("ghost.json", Self.document(Self.post)).rejections == [])
        let article = try await library.article("The engine")
        #expect(article.key == "p1")
        #expect(article.slug == "engine")
        #expect(article.authors == ["Ada Lovelace", "Charles Babbage"])
        #expect(article.tags == ["Sums", "Brass"])
        #expect(article.body == "<p>A <a href=\"/b/\">b</a>.</p>")
        #expect(article.format == .html)
        #expect(article.summary == "In short.")
        #expect(article.sourceURL == "https://engines.example/1")
        #expect(article.language == "fr")
        #expect(article.date == "2023-01-14T05:28:17Z")
        #expect(article.updated.timeIntervalSince(article.published) == 83593)
        #expect(
            article.extra
                == ##"{"featured":1,"image":"__GHOST_URL__/c.png","internal_tags":["#imported"],"og_title":"The engine!","##
                + #""uuid":"x-y","visibility":"members"}"#)
    }

    @Test(
        "A Ghost export is recognized by its first keys, in each of its formats",
        arguments: ["a", "a.json", "a.jsonl", "a.txt"])
    func recognition(name: String) async throws {
        let data =
            #""data":{"posts":[{"id":1,"title":"T","markdown":"*a*","html":"<p>a</p>","author_id":2,"published_at":1426078349156}],"users":[{"id":2,"name":"B"}]}"#
        let shapes = [
            Self.document(Self.post), #"{ "meta" : { "exported_on" : 1, "version":"003"},\#n \#(data)}"#, "{\(data)}",
            "\u{FEFF} {\n\"db\": [ {\"meta\":{}, \(data)} ] }",
        ]
        for (index, shape) in shapes.enumerated() {
            let library = try ImportedLibrary()
            #expect(try await library.add(name, shape).inserted == 1, "\(index)")
            guard index > 0 else { continue }
            let article = try await library.article("T")
            #expect(article.authors == ["B"])
            #expect(article.date == "2015-03-11T12:52:29Z")
        }
    }

    @Test("Unpublished Ghost posts are drafts")
    func drafts() async throws {
        for status in ["draft", "scheduled"] {
            let library = try ImportedLibrary()
            let text = Self.document(
                Self.post.replacing("published\"", with: "\(status)\"").replacing(
                    "\"lexical\":\"{}\"", with: "\"lexical\":null"))
            #expect(try await library.add("a.json", text).skippedDrafts == 1)
            #expect(try await library.add("a.json", text, ImportOptions(includesDrafts: true)).inserted == 1)
        }
        let library = try ImportedLibrary()
        let sent = Self.document(Self.post.replacing("\"published\"", with: "\"sent\""))
        #expect(try await library.add("a.json", sent).inserted == 1)
    }

    private static let forms: [(String, String?)] = [
        (
            #""lexical":"{\"root\":{\"type\":\"root\",\"children\":[{\"type\":\"paragraph\",\"children\":[{\"type\":\"text\",\"text\":\"a\"}]}]}}""#,
            nil
        ),
        (#""lexical":"{\"root\":{\"type\":\"root\",\"children\":[{\"type\":\"paragraph\",\"children\":[]}]}}""#, ""),
        (#""lexical":"none""#, nil),
        (#""mobiledoc":"{\"cards\":[],\"sections\":[[1,\"p\",[[0,[],0,\"\"]]]]}""#, ""),
        (#""mobiledoc":"{\"cards\":[],\"sections\":[[1,\"p\",[[0,[],0,\"a\"]]]]}""#, nil),
        (
            #""mobiledoc":"{\"cards\":[[\"markdown\",{\"markdown\":\"*a*\"}],[\"html\",{\"html\":\"<b>c</b>\"}]],\"sections\":[[10,0],[10,1],[1,\"p\",[]]]}""#,
            "*a*\n\n<b>c</b>"
        ),
        (#""mobiledoc":"{\"cards\":[[\"image\",{\"src\":\"a\"}]],\"sections\":[[10,0]]}""#, nil),
        (#""mobiledoc":"{\"cards\":[[\"markdown\",{\"markdown\":\"a\"}]],\"sections\":[[10,4]]}""#, nil),
        (#""x":1"#, ""),
    ]

    @Test("A Ghost post without HTML is reported, unless it is empty or Markdown", arguments: forms)
    func withoutHTML(form: String, body: String?) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(
            "a.json", Self.document("{\"title\":\"A\",\"html\":null,\(form)}", Self.post))
        #expect(report.inserted == (body == nil ? 1 : 2))
        if let body {
            #expect(try await library.article("A").body == body)
        } else {
            #expect(report.rejections.map(\.line) == [1])
            #expect(report.rejections.first?.reason.hasPrefix("“A” ") == true)
        }
    }

    @Test("A Ghost export with wrong rows yields the other posts")
    func wrongRows() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(
            "a.json",
            Self.document(
                "1", "\n{\"title\":\"\u{1}\"}", "\"\(String(repeating: "x", count: 5000))\"", Self.post, "{}",
                tables: Self.tables.replacing(#"{"id":"t1","name":"Sums"}"#, with: #"{"id":01},[],{"id":"t1"}"#)),
            ImportOptions(recordLimit: 4096))
        #expect(try await library.articles.map(\.title) == ["The engine"])
        #expect(try await library.articles.first?.tags == ["Brass"])
        #expect(report.rejections.map(\.line) == [1, 3, 10, 4, 12])
    }

    @Test("A Ghost export that is cut off yields the posts before that, and says so")
    func truncated() async throws {
        let text = Array(Self.document(Self.post, Self.post.replacing("p1", with: "p2")).utf8)
        for cut in stride(from: text.count - 1, to: 100, by: -41) {
            let library = try ImportedLibrary()
            let report = try await library.add("a.json", text.prefix(cut))
            #expect(report.rejected == 1, "\(cut)")
            #expect(report.inserted == (cut > 1900 ? 2 : report.inserted))
        }
    }

    @Test("A Ghost export without tables is reported")
    func withoutData() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add("a.json", #"{"db":[{"meta":{}}]}"#)
        #expect(report.rejections.map { $0.reason.contains("Ghost") } == [true])
    }
}

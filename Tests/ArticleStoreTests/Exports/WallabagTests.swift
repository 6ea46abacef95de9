import ArticleImporting
import Text
import ArticleStore
import Testing

@Suite("Exports of wallabag")
struct WallabagTests {
    private static let entry = #"""
        {"is_archived":1,"is_starred":0,"id":23,"title":"The engine","url":"https://a.example/1","given_url":"https://t.example/x",
        "content":"<p>Text.</p>","created_at":"2016-09-08T11:55:58+0200","updated_at":"2016-09-09T11:57:16+0200",
        "published_at":"2015-01-02T03:04:05+0000","published_by":["Ada","Charles"],"mimetype":"text/html",
        "language":"en_GB","reading_time":3,"domain_name":"a.example","preview_picture":"https://a.example/p.png",
        "tags":[{"id":1,"label":"sums","slug":"sums"},"brass"],"annotations":[{"quote":"q","text":"n"}],"headers":[]}
        """#

    @Test("Wallabag entries have all their properties", arguments: ["[\(entry)]", entry.replacing("\n", with: "")])
    func fields(text: String) async throws {
        let library = try ImportedLibrary()
        #expect(try await library.add("All articles.json", text).inserted == 1)
        let article = try await library.article("The engine")
        #expect(article.key == "23")
        #expect(article.body == "<p>Text.</p>")
        #expect(article.format == .html)
        #expect(article.authors == ["Ada", "Charles"])
        #expect(article.tags == ["sums", "brass"])
        #expect(article.language == "en-GB")
        #expect(article.sourceURL == "https://a.example/1")
        #expect(article.date == "2015-01-02T03:04:05Z")
        #expect(
            article.extra
                == #"{"annotations":[{"quote":"q","text":"n"}],"created_at":"2016-09-08T11:55:58+0200","domain_name":"a.example","#
                + #""given_url":"https://t.example/x","is_archived":1,"is_starred":0,"mimetype":"text/html","#
                + #""preview_picture":"https://a.example/p.png","reading_time":3,"updated_at":"2016-09-09T11:57:16+0200"}"#
        )
    }

    @Test("Without a publication date the saving date counts, and without a text the link")
    func missing() async throws {
        let library = try ImportedLibrary()
        let text = Self.entry.replacing(#""2015-01-02T03:04:05+0000""#, with: "null").replacing(
            "<p>Text.</p>", with: " "
        )
        .replacing(#""The engine""#, with: "null").replacing(#"["Ada","Charles"]"#, with: #""Ada""#)
        try await library.add("a.json", "[\(text)]")
        let article = try await library.article("https://a.example/1")
        #expect(article.date == "2016-09-08T09:55:58Z")
        #expect(article.authors == ["Ada"])
        #expect(article.body == #"<p><a href="https://a.example/1">https://a.example/1</a></p>"#)
    }

    @Test("An export of wallabag's first version is read")
    func first() async throws {
        let library = try ImportedLibrary()
        let text =
            #"[{"0":"3","1":"T","2":"u","3":"0","4":"1","5":"x","6":"1","id":"3","title":"T","url":"https://a.example/","is_read":"0","is_fav":"1","content":"<p>Text.</p>","user_id":"1","tags":"sums,brass"}]"#
        try await library.add("a.json", text)
        let article = try await library.article("T")
        #expect(article.body == "<p>Text.</p>")
        #expect(article.tags == ["sums", "brass"])
        #expect(article.extra == #"{"is_fav":"1","is_read":"0"}"#)
    }
}

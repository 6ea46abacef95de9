import ArticleStore
import Testing

@Suite("The text of a query")
struct ArticleQueryTests {
    @Test("A query of white space is empty", arguments: ["", " ", "\t\n\u{A0}\u{3000}"])
    func empty(_ text: String) {
        #expect(ArticleQuery(text: text) == ArticleQuery())
        var query = ArticleQuery(text: "a")
        query.text = text
        #expect(query.text == nil)
    }

    @Test(
        "A query keeps its words, with one space between them",
        arguments: [("a", "a"), ("  Ä\u{A0}\n b ", "Ä b"), ("%_\"", "%_\""), ("🏳️‍🌈", "🏳️‍🌈")])
    func normal(_ text: String, _ expected: String) {
        #expect(ArticleQuery(text: text).text == expected)
        #expect(ArticleQuery(text: expected).text == expected)
    }

    @Test("A long query is cut once")
    func long() throws {
        for text in [
            String(repeating: "a", count: 1_000_000), String(repeating: "ab ", count: 100_000),
            String(repeating: " ", count: 1000) + String(repeating: "👩‍👩‍👧", count: 1000),
            "e" + String(repeating: "\u{301}", count: 1_000_000),
        ] {
            let kept = try #require(ArticleQuery(text: text).text)
            #expect((1...240).contains(kept.unicodeScalars.count))
            #expect(ArticleQuery(text: kept).text == kept)
        }
        #expect(ArticleQuery(text: String(repeating: "a", count: 300)).text?.count == 240)
    }
}

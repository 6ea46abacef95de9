import Text
import ArticleStore
import Foundation
import Testing

@Suite("Article drafts")
struct ArticleDraftTests {
    @Test(
        "A draft gets a readable slug",
        arguments: [
            ("The Swift Linux Port", "the-swift-linux-port"), ("What's new in Swift 5.9?", "whats-new-in-swift-5-9"),
            ("It’s  --  Coming:", "its-coming"), ("Ænima Étude Straße Łódź Øre", "aenima-etude-strasse-lodz-ore"),
            ("swift-CI", "swift-ci"), ("日本語のタイトル", "日本語のタイトル"), ("Привет, Ёлка", "привет-ёлка"), ("한국어", "한국어"),
            ("ﬁne ①", "fine-1"), ("a/b\\c", "a-b-c"), ("C++ & C#", "c-c"),
        ])
    func slugs(title: String, slug: String) {
        #expect(ArticleDraft(title: title, body: "").slug == slug)
        #expect(Slug.make(from: slug) == slug)
    }

    @Test("A draft has the tags that are different tags of a user")
    func tags() throws {
        let names = ["Résumé", "resume", "RESUME", "Ñandú", "nandu", "C", "C++", "か", "が"]
        let draft = ArticleDraft(title: "T", body: "", tags: names)
        #expect(draft.tags == ["Résumé", "Ñandú", "C", "C++", "か", "が"])
        #expect(draft.tags.count == Set(try names.map { try TagName($0) }).count)
    }

    @Test("A draft without a letter or digit gets a unique slug")
    func emptySlugs() {
        let slugs = ["!!!", "🎉", "🎊", ""].map { ArticleDraft(title: $0, body: "").slug }
        #expect(Set(slugs).count == 4)
        #expect(slugs.allSatisfy { $0.hasPrefix("article-") })
        #expect(slugs[0] == ArticleDraft(title: "!!!", body: "").slug)
    }

    @Test(
        "A draft takes its summary from the first paragraph, as plain text",
        arguments: [
            (
                "# Title\n\nThe *first* **paragraph** of `code`\ngoes on.\n\nThe second.",
                "The first paragraph of code goes on."
            ),
            ("Title\n=====\n\nText.", "Text."), ("---\n\nText.", "Text."),
            ("```swift\nlet a = 1\n```\n\nText.", "Text."),
            ("<!-- a\n > note -->\n\nText.", "Text."), ("![picture](a.png)\n\nText.", "Text."),
            (
                "See [the *site*](https://example.com/a_(b)) and [that][1], [x].\n\n[1]: http://a",
                "See the site and that, [x]."
            ),
            ("> Quoted *text*.", "Quoted text."), ("- one\n- two", "one two"),
            ("| a | b |\n|---|---|\n\nText.", "Text."),
            ("snake_case and 2 * 3 and a\\*b", "snake_case and 2 * 3 and a*b"),
            ("Tom &amp; Jerry&#39;s &nope; &", "Tom & Jerry's &nope; &"),
            ("{% include x %}\n\nText.", "Text."), ("A note.[^1]\n\n[^1]: Said below.", "A note."),
            ("<https://swift.org> is it.", "https://swift.org is it."),
            ("    let code = 1\n\nText.", "Text."), ("", ""), ("a < b and c > d", "a < b and c > d"), ("[[[[", "[[[["),
        ])
    func summaries(body: String, summary: String) {
        #expect(ArticleDraft(title: "T", body: body).summary == summary)
    }

    @Test("A draft takes the summary of HTML and of plain text from their text")
    func otherSummaries() {
        let html =
            "<head><title>No</title></head><style>p {}</style><h1>No</h1><p class=\"a\">Yes &lt;b&gt;<b>es</b></p><p>No"
        #expect(ArticleDraft(title: "T", body: html, format: .html).summary == "Yes <b>es")
        #expect(ArticleDraft(title: "T", body: "\n*as it*\nis\n\nno", format: .plain).summary == "*as it* is")
    }

    @Test("A long summary is cut after a word, and one without spaces after a character")
    func longSummaries() {
        let words = ArticleDraft(title: "T", body: Array(repeating: "word", count: 200).joined(separator: " ")).summary
        #expect((200...280).contains(words.unicodeScalars.count))
        #expect(words.hasSuffix("word…"))
        let flags = ArticleDraft(title: "T", body: String(repeating: "🏳️‍🌈", count: 200)).summary
        #expect(flags.dropLast().allSatisfy { $0 == "🏳️‍🌈" })
        #expect((200...280).contains(flags.unicodeScalars.count))
        let exact = String(repeating: "x", count: 280)
        #expect(ArticleDraft(title: "T", body: exact).summary == exact)
        #expect(ArticleDraft(title: "T", body: exact + "y").summary.unicodeScalars.count == 280)
        #expect(ArticleDraft(title: "T", summary: exact + exact, body: "").summary == exact + exact)
    }

    @Test("A draft computes its reading time")
    func readingTimes() {
        func minutes(_ body: String) -> Int { ArticleDraft(title: "T", body: body).readingMinutes }
        #expect(minutes("") == 1)
        #expect(minutes(String(repeating: "word ", count: 230)) == 1)
        #expect(minutes(String(repeating: "a\n\n", count: 2300)) == 10)
        #expect(minutes(String(repeating: "語", count: 4600)) == 10)
    }

    @Test("A draft names each author and tag once")
    func names() {
        let draft = ArticleDraft(
            title: "T", authors: ["Ada", "ADA", " ", "Grace"], body: "", language: "zh_hant-tw",
            tags: ["Swift", "swift", ""])
        #expect(draft.authors == ["Ada", "Grace"])
        #expect(draft.tags == ["Swift"])
        #expect(draft.language == "zh-Hant-TW")
    }

    @Test("Articles are written as JSON with stable keys")
    func json() throws {
        let uid = try #require(SourceUID("00112233445566778899aabbccddeeff"))
        let article = Article(
            id: 7, source: SourceReference(id: 3, uid: uid, name: "posts"), key: "a.md", slug: "a", title: "A \"b\"",
            authors: ["X", "Y"], summary: "S", body: "B\n",
            published: Date(timeIntervalSince1970: 1_449_144_061), publishedOffset: -90,
            updated: Date(timeIntervalSince1970: 1_449_144_061.9),
            tags: ["t"], readingMinutes: 2)
        let start = #"""
            {"id":7,"slug":"a","title":"A \"b\"","author":"X, Y","authors":["X","Y"],"published":"2015-12-03T10:31:01-01:30",\#
            "updated":"2015-12-03T12:01:01Z","tags":["t"],"summary":"S","language":null,"readingMinutes":2,\#
            "source":"posts"
            """#
        #expect(ArticleJSON.object(ArticleSummary(article)) == start + "}")
        #expect(
            ArticleJSON.object(article)
                == start + #"""
                    ,"sourceID":"00112233445566778899aabbccddeeff","key":"a.md","format":"markdown","url":null,"base":null,\#
                    "body":"B\n","extra":{},\#
                    "sources":[{"id":"00112233445566778899aabbccddeeff","name":"posts","address":null}]}
                    """#)
    }
}

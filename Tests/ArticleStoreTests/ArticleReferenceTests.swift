import Text
import ArticleStore
import FoundationEssentials
import Testing

@Suite("References to articles")
struct ArticleReferenceTests {
    @Test(
        "A reference is printed as it was written", arguments: ["welcome", "42", "007", "+7", "", "ünï çode/with?&#"])
    func roundTrip(text: String) {
        #expect(ArticleReference(text).description == text)
        #expect("\(ArticleReference(text))" == text)
    }

    @Test(
        "A reference is a number if its decimal digits can be the number of an article",
        arguments: [("42", 42), ("007", 7), ("4x", nil), ("", nil), ("99999999999999999999", nil)] as [(String, Int64?)]
    )
    func numbers(text: String, number: Int64?) {
        #expect(ArticleReference(text).number == number)
    }

    @Test(
        "The reference to an article is its slug, or its number if the slug could be another's number",
        arguments: [("welcome", "welcome"), ("42", "5"), ("0x2A", "0x2A")])
    func leadsBack(slug: String, reference: String) {
        let date = Date(timeIntervalSince1970: 0)
        let source = SourceReference(id: 1, uid: .random(), name: "s")
        let article = Article(
            id: 5, source: source, key: "k", slug: slug, title: "T", body: "B", published: date, updated: date)
        #expect(ArticleReference(to: ArticleSummary(article)).description == reference)
    }
}

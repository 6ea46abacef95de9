import Text
import ArticleExporting
import ArticleStore
import Foundation
import Testing

@Suite("Articles as files with front matter")
struct ArticleMarkdownTests {
    @Test("The front matter contains all properties, in YAML that has one meaning")
    func file() throws {
        let uid = try #require(SourceUID("0123456789abcdef0123456789abcdef"))
        let article = Article(
            id: 1, source: SourceReference(id: 1, uid: uid, name: "blog"), key: "a/b.md", slug: "a-2",
            title: "yes: \u{85}\u{202E}\"", authors: ["Doe, Jane", "Ada Lovelace"], summary: "Short", body: "\nText",
            language: "pt-BR", sourceURL: "https://example.org/", published: Date(timeIntervalSince1970: 0),
            publishedOffset: -480, updated: Date(timeIntervalSince1970: 86_400), tags: ["no", "Straße", "c++"],
            extra: #"{"image":{"alt":"a b","sizes":[1,2.50,{"x":null}]},"layout":"post","title":"mine"}"#)
        #expect(
            ArticleMarkdown.text(of: article) == #"""
                ---
                title: "yes: \x85\u202E\""
                slug: a-2
                authors: ["Doe, Jane", Ada Lovelace]
                published: 1969-12-31T16:00:00-08:00
                updated: 1970-01-02T00:00:00Z
                tags: ["no", Straße, c++]
                summary: Short
                language: pt-BR
                url: "https://example.org/"
                format: markdown
                source: blog
                key: a/b.md
                sourceID: "0123456789abcdef0123456789abcdef"
                image:
                  alt: a b
                  sizes:
                    - 1
                    - 2.50
                    - x: null
                layout: post
                extra:
                  title: mine
                ---


                Text
                """#)
    }
}

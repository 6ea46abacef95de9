import Markup
import Text

/// Articles as pages for a browser.
public enum ArticleHTML {
    /// The article as a page that stands by itself: its title, what is known of it, and its text. Nothing in it runs, whoever
    /// wrote the article, and nothing is loaded but the pictures that it shows.
    public static func page(of article: Article) -> String {
        var content = XMLWriter()
        content.raw("<main>\n")
        write(article, article.resolvedDocument.html(HTMLOptions(highlightsCode: true)), into: &content)
        content.raw("</main>\n")
        return frame(of: article).text(content.text)
    }

    /// What is around the article.
    static func frame(of article: Article) -> PageFrame {
        PageFrame(
            title: article.title, description: article.summary, authors: article.authors,
            published: RecordDate(article.published, offset: article.publishedOffset).text,
            original: article.webAddress)
    }

    /// Writes the article with its body, which is HTML already.
    /// - Parameter tagAddress: the page of a tag.
    static func write(
        _ article: Article, _ body: String, tagAddress: (String) -> String? = { _ in nil },
        into page: inout XMLWriter
    ) {
        // Nothing is known of the language where none is named; that of the page is English.
        page.open("article", [("lang", article.language ?? "")])
        page.raw("<header>\n")
        page.element("h1", [("dir", "auto")], article.title)
        page.raw("<p class=\"facts\" lang=\"en\">")
        for (index, author) in article.authors.enumerated() {
            let isLast = index == article.authors.count - 1
            page.element("bdi", [("class", "author")], author, end: isLast ? " · " : ", ")
        }
        let published = RecordDate(article.published, offset: article.publishedOffset).text
        page.element(
            "time", [("datetime", published)], "\(CivilDate(article.published, offset: article.publishedOffset))",
            end: "")
        page.raw(" · \(article.readingMinutes) min</p>\n")
        if !article.tags.isEmpty {
            page.raw("<ul class=\"tags\">\n")
            for tag in article.tags {
                page.open("li", end: "")
                if let address = tagAddress(tag) {
                    page.element("a", [("rel", "tag"), ("href", address), ("dir", "auto")], tag, end: "")
                } else {
                    page.element("bdi", [], tag, end: "")
                }
                page.close("li")
            }
            page.raw("</ul>\n")
        }
        page.raw("</header>\n<div class=\"body\" dir=\"auto\">\n\(body)</div>\n<footer lang=\"en\">\n<p>")
        page.element("bdi", [], article.source.name, end: "")
        if let original = article.webAddress {
            page.raw(" · ")
            page.element(
                "a", [("href", original), ("rel", "external nofollow noopener noreferrer")], "Original", end: "")
        }
        page.raw("</p>\n</footer>\n</article>\n")
    }
}

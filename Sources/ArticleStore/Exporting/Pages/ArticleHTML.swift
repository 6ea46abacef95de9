import Markup
import Text

/// Articles as web pages.
public enum ArticleHTML {
    /// Returns the article as a self-contained page with its title, metadata, and text. No part of the article can run
    /// as a script. The page loads only the article's images.
    public static func page(of article: Article) -> String {
        var content = XMLWriter()
        content.raw("<main>\n")
        write(article, article.resolvedDocument.html(HTMLOptions(highlightsCode: true)), into: &content)
        content.raw("</main>\n")
        return frame(of: article).text(content.text)
    }

    /// The frame of the article's page.
    static func frame(of article: Article) -> PageFrame {
        PageFrame(
            title: article.title, description: article.summary, authors: article.authors,
            published: RecordDate(article.published, offset: article.publishedOffset).text,
            original: article.webAddress)
    }

    /// Writes the article with a body that is already HTML.
    ///
    /// - Parameter tagAddress: returns the page of a tag.
    static func write(
        _ article: Article, _ body: String, tagAddress: (String) -> String? = { _ in nil },
        into page: inout XMLWriter
    ) {
        // Without a language, write an empty `lang`: the article must not inherit English from the page.
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

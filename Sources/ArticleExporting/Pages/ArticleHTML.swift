public import ArticleStore
import Markup
import Text

/// Articles as web pages.
public enum ArticleHTML {
    /// Returns the article as a self-contained page with its title, metadata, and text. No part of the article can run
    /// as a script. The page loads only the article's images.
    public static func page(of article: Article) -> String { page(of: article, pictures: [:]) }

    /// Returns the article as a self-contained page that also contains pictures.
    ///
    /// - Parameter pictures: the pictures by their absolute addresses in the text.
    package static func page(of article: Article, pictures: [String: Picture]) -> String {
        var options = HTMLOptions(highlightsCode: true)
        options.keepsEmbeddedPictures = true
        // A text can contain the same picture many times.
        var room = PictureLimits().articleBytes
        let document = article.resolvedDocument.mappingInlines { inline in
            guard case .image(let source, let alternative) = inline else { return inline }
            if let picture = pictures[source], picture.bytes.count <= room {
                room -= picture.bytes.count
                return .image(source: picture.dataAddress, alternative: alternative)
            }
            // Only the pictures of the library are embedded: those of the text may have any format.
            return URLReference(source).scheme?.lowercased() == "data"
                ? .image(source: "", alternative: alternative) : inline
        }
        var content = XMLWriter()
        content.raw("<main>\n")
        write(article, document.html(options), into: &content)
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
        for (index, source) in ([article.source] + article.appearances.map(\.source)).enumerated() {
            page.element("bdi", [], source.name, end: index < article.appearances.count ? ", " : "")
        }
        if let original = article.webAddress {
            page.raw(" · ")
            page.element(
                "a", [("href", original), ("rel", "external nofollow noopener noreferrer")], "Original", end: "")
        }
        page.raw("</p>\n</footer>\n</article>\n")
    }
}

extension Picture {
    /// The address that contains the picture itself.
    fileprivate var dataAddress: String { "data:\(type.rawValue);base64,\(Data(bytes).base64EncodedString())" }
}

/// The frame of a self-contained HTML page. The page runs no scripts, and loads only images and a style sheet.
struct PageFrame {
    /// The location of the style sheet.
    enum Style {
        /// In the page itself.
        case inside
        /// In a separate file.
        case file(String)
    }

    /// The title of the window.
    var title: String
    var style = Style.inside
    var description = ""
    var authors: [String] = []
    /// The publication date of the article in RFC 3339.
    var published: String?
    /// The address of the article's original.
    var original: String?
    /// The types and addresses of feeds.
    var feeds: [(type: String, address: String)] = []

    /// Returns the page with this content.
    func text(_ content: String) -> String {
        var page = XMLWriter()
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        // A page that is opened as a file does not belong to a host, so `self` would not match.
        let (styles, images) =
            switch style {
            case .inside: ("'unsafe-inline'", "data:")
            case .file: ("'self' file:", "'self' file:")
            }
        page.empty(
            "meta",
            [
                ("http-equiv", "Content-Security-Policy"),
                (
                    "content",
                    "default-src 'none'; style-src \(styles); img-src http: https: \(images); base-uri 'none'; form-action 'none'"
                ),
            ])
        func meta(_ name: String, _ content: String?) {
            if let content, !content.isEmpty { page.empty("meta", [("name", name), ("content", content)]) }
        }
        meta("viewport", "width=device-width, initial-scale=1")
        meta("color-scheme", "light dark")
        meta("referrer", "no-referrer")
        meta("generator", "articlesctl")
        page.element("title", title)
        meta("description", description)
        for author in authors { meta("author", author) }
        if let published {
            page.empty("meta", [("property", "article:published_time"), ("content", published)])
        }
        if let original { page.empty("link", [("rel", "canonical"), ("href", original)]) }
        for feed in feeds {
            page.empty("link", [("rel", "alternate"), ("type", feed.type), ("href", feed.address)])
        }
        switch style {
        case .inside: page.raw("<style>\n\(PageStyle.text)</style>\n")
        case .file(let address): page.empty("link", [("rel", "stylesheet"), ("href", address)])
        }
        page.raw("</head>\n<body>\n\(content)</body>\n</html>\n")
        return page.text
    }
}

extension XMLWriter {
    fileprivate mutating func element(_ name: StaticString, _ content: String) { element(name, [], content) }
}

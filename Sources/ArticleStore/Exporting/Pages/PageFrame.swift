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
        let styles =
            switch style {
            case .inside: "'unsafe-inline'"
            // A page that is opened as a file does not belong to a host, so `self` would not match.
            case .file: "'self' file:"
            }
        page.empty(
            "meta",
            [
                ("http-equiv", "Content-Security-Policy"),
                (
                    "content",
                    "default-src 'none'; style-src \(styles); img-src http: https:; base-uri 'none'; form-action 'none'"
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

/// What is around the content of a page of HTML that needs nothing else to be read: no script runs in it, and nothing is loaded
/// but pictures and a style.
struct PageFrame {
    /// Where the style is.
    enum Style {
        /// In the page.
        case inside
        /// In a file beside it.
        case file(String)
    }

    /// What the window is called.
    var title: String
    var style = Style.inside
    var description = ""
    var authors: [String] = []
    /// When the article in it was published, as RFC 3339 has it.
    var published: String?
    /// Where the original of the article in it is.
    var original: String?
    /// Feeds, each with its type and its address.
    var feeds: [(type: String, address: String)] = []

    /// The page with this content.
    func text(_ content: String) -> String {
        var page = XMLWriter()
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        let styles =
            switch style {
            case .inside: "'unsafe-inline'"
            // A page that is opened as a file has no host of its own.
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

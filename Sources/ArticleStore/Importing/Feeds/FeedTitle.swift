import Text

/// Titles for entries that may not have one.
enum FeedTitle {
    /// The maximum number of characters of a title that is made from a text.
    private static let length = 80
    /// The maximum number of bytes of any title.
    private static let limit = 4000

    /// Returns a text of a feed in one line, without markup if it looks like HTML.
    static func line(of text: String) -> String {
        FeedText(text, FeedText.looksLikeHTML(text, isTitle: true) ? .html : .plain).line
    }

    /// Returns the title, cut if it is too long.
    static func cut(_ title: String) -> String { title.utf8.count <= limit ? title : Excerpt.cut(title, to: 1000) }

    /// Returns the first words of a text or, if it is empty (such as a picture without a description), the last part of
    /// an address in readable form.
    static func made(of body: FeedText?, addresses: [String]) -> String {
        if let body {
            let start = Excerpt.make(from: body.text, body.format)
            if start.contains(where: { !$0.isWhitespace }) { return Excerpt.cut(start, to: length) }
            // An excerpt skips headings, tables, and picture descriptions, but these may be the only content.
            let line = body.line
            if line.contains(where: \.isLetter) { return Excerpt.cut(line, to: length) }
        }
        for address in addresses {
            let path = address.prefix { $0 != "?" && $0 != "#" }
            let parts = path.split(separator: "/")
            guard parts.count > 2, let last = parts.last else { continue }
            if let title = FileNameFacts(path: FeedLink.unescaped(last.prefix { $0 != "." })).title,
                title.contains(where: { $0.isLetter })
            {
                return title
            }
        }
        return "Untitled"
    }
}

import Text

/// Titles of what may have none.
enum FeedTitle {
    /// How many characters a title has that is made of a text.
    private static let length = 80
    /// How many bytes any title has.
    private static let limit = 4000

    /// A text of a feed in one line, without markup where it looks like HTML.
    static func line(of text: String) -> String {
        FeedText(text, FeedText.looksLikeHTML(text, isTitle: true) ? .html : .plain).line
    }

    /// A title that is not too long for one.
    static func cut(_ title: String) -> String { title.utf8.count <= limit ? title : Excerpt.cut(title, to: 1000) }

    /// The first words of a text; of one that has none, such as a picture of which nothing is said, the last part of an address made readable.
    static func made(of body: FeedText?, addresses: [String]) -> String {
        if let body {
            let start = Excerpt.make(from: body.text, body.format)
            if start.contains(where: { !$0.isWhitespace }) { return Excerpt.cut(start, to: length) }
            // What an excerpt passes over may be all there is: a heading, a table, what is said of a picture.
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

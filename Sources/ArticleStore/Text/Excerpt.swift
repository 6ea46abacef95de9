import Markup

/// The start of a body as plain text, for articles whose source gives no summary.
enum Excerpt {
    /// What the body says in a line: how it begins, unless that is not needed, and how long it is.
    static func digest(of body: String, _ format: Article.Format, needsParagraph: Bool) -> MarkupDigest {
        switch format {
        case .markdown:
            MarkupDigest(markdown: body, needsParagraph: needsParagraph) ?? MarkupDigest(MarkupDocument(plain: body))
        case .html, .plain: MarkupDigest(format.document(of: body))
        }
    }

    /// How a body begins, cut to 280 scalars.
    static func make(from body: String, _ format: Article.Format) -> String {
        cut(digest(of: body, format, needsParagraph: true).paragraph)
    }

    /// A text of so many scalars at most, cut after a word where one ends in the last third and ended by an ellipsis.
    static func cut(_ text: String, to limit: Int = 280) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > limit,
            let end = scalars.index(scalars.startIndex, offsetBy: limit - 1, limitedBy: scalars.endIndex),
            scalars.index(end, offsetBy: 1, limitedBy: scalars.endIndex) ?? scalars.endIndex < scalars.endIndex
        else { return text }
        let earliest = scalars.index(scalars.startIndex, offsetBy: limit * 5 / 7)
        if let space = text.utf8[earliest..<end].lastIndex(of: 0x20) { return text[..<space] + "…" }
        // Never inside what a reader sees as one character.
        return text[..<scalars.index(after: end)].dropLast() + "…"
    }
}

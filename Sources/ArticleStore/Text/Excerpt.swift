package import Markup

/// The start of a body as plain text, for articles whose source does not give a summary.
package enum Excerpt {
    /// Returns the first paragraph (only if `needsParagraph`) and the number of words of a body.
    package static func digest(of body: String, _ format: Article.Format, needsParagraph: Bool) -> MarkupDigest {
        switch format {
        case .markdown:
            MarkupDigest(markdown: body, needsParagraph: needsParagraph) ?? MarkupDigest(MarkupDocument(plain: body))
        case .html, .plain: MarkupDigest(format.document(of: body))
        }
    }

    /// Returns the first paragraph of a body, cut to 280 scalars.
    package static func make(from body: String, _ format: Article.Format) -> String {
        cut(digest(of: body, format, needsParagraph: true).paragraph)
    }

    /// Cuts a text to at most `limit` scalars. It is cut after a word if a word ends in the last third, and an ellipsis
    /// is added.
    package static func cut(_ text: String, to limit: Int = 280) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > limit,
            let end = scalars.index(scalars.startIndex, offsetBy: limit - 1, limitedBy: scalars.endIndex),
            scalars.index(end, offsetBy: 1, limitedBy: scalars.endIndex) ?? scalars.endIndex < scalars.endIndex
        else { return text }
        let earliest = scalars.index(scalars.startIndex, offsetBy: limit * 5 / 7)
        if let space = text.utf8[earliest..<end].lastIndex(of: 0x20) { return String(text[..<space]) + "…" }
        // Never cut inside a visible character that consists of several scalars.
        return String(text[..<scalars.index(after: end)].dropLast()) + "…"
    }
}

/// The time that reading a text takes.
enum ReadingTime {
    /// The words per minute in silent reading. Brysbaert ("How many words do we read per minute?", 2019) found 238 for
    /// English.
    private static let wordsAMinute = 230

    /// Returns the whole minutes for a number of words, at least 1.
    static func minutes(ofWords words: Int) -> Int { max(1, (words + wordsAMinute / 2) / wordsAMinute) }

    /// Returns the approximate number of words for a number of minutes.
    static func words(ofMinutes minutes: Int) -> Int { minutes * wordsAMinute }
}

extension StringProtocol {
    /// The text with each run of white space replaced by a single space, and without white space at both ends.
    package var oneLine: String { split { $0.isWhitespace }.joined(separator: " ") }
}

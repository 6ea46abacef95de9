package import Text

/// Articles as JSON: each article is an object on one line, with its keys always in the same order. An import of the
/// object of an ``Article`` gives the same article.
public enum ArticleJSON {
    /// Returns the article with its body. The keys are `id`, `slug`, `title`, `author` (all authors on one line),
    /// `authors`, `published` and `updated` (RFC 3339 in UTC), `tags`, `summary`, `language` (null if unknown),
    /// `readingMinutes`, `source` (its name), `sourceID`, `key`, `format`, `url` and `base` (null if unknown), `body`,
    /// `extra`, and `sources`. The date of publication has the offset of the publisher's clock.
    ///
    /// `sources` begins with the source of the article: `id`, `name`, and `address` (null if unknown). Each appearance follows
    /// with the same members, its `title`, and its `key`; and with `format` and `body`, if it has a text of its own.
    ///
    /// If that clock shows a year that RFC 3339 does not support, the date is in UTC, and `publishedOffset` gives the
    /// minutes by which the clock was ahead. ``Article/extra`` is an object if reading it back gives the same text;
    /// otherwise it is a string.
    public static func object(_ article: Article) -> String { String(decoding: utf8(article), as: UTF8.self) }

    /// Returns the article with its body, and a user's marks as `marks`.
    package static func utf8(_ article: Article, marks: JSON? = nil) -> [UInt8] {
        var writer = JSONWriter()
        write(ArticleSummary(article), into: &writer)
        writer.raw(#","sourceID":"#)
        writer.string(article.source.uid.description)
        writer.raw(#","key":"#)
        writer.string(article.key.text)
        if let offset = RecordDate(article.published, offset: article.publishedOffset).offset {
            writer.raw(#","publishedOffset":"#)
            writer.raw(String(offset))
        }
        writer.raw(#","format":"#)
        writer.string(article.format.rawValue)
        writer.raw(#","url":"#)
        write(article.sourceURL, into: &writer)
        writer.raw(#","base":"#)
        write(article.baseURL, into: &writer)
        writer.raw(#","body":"#)
        writer.string(article.body)
        writer.raw(#","extra":"#)
        switch article.writtenExtra {
        case nil: writer.raw("{}")
        case .object: writer.raw(article.extra)
        case .some(let text): writer.value(text)
        }
        writer.raw(#","sources":"#)
        writer.value(sources(of: article))
        if let marks {
            writer.raw(#","marks":"#)
            writer.value(marks)
        }
        writer.raw("}")
        return writer.bytes
    }

    /// Returns the sources of an article, its own source first.
    package static func sources(of article: Article) -> JSON {
        func members(_ source: SourceReference, _ address: String?) -> [JSON.Member] {
            [
                .init("id", .string(source.uid.description)), .init("name", .string(source.name)),
                .init("address", JSON(address)),
            ]
        }
        return .array(
            [.object(members(article.source, article.sourceURL))]
                + article.appearances.map { appearance in
                    let text = appearance.text.map { text -> [JSON.Member] in
                        [.init("format", .string(text.format.rawValue)), .init("body", .string(text.body))]
                    }
                    return .object(
                        members(appearance.source, appearance.address) + [
                            .init("title", .string(appearance.title)), .init("key", .string(appearance.key.text)),
                        ] + (text ?? []))
                })
    }

    /// Returns an article of a list, with the keys of ``object(_:)-(Article)`` up to `source`. After a search, `found`
    /// explains the match: `score` (null if the list has another order), and `title` and `excerpt` as arrays of pieces
    /// with `text` and `marked` (null without a match in the text).
    public static func object(_ summary: ArticleSummary) -> String { String(decoding: utf8(summary), as: UTF8.self) }

    /// Returns an article of a list with other members at its end, such as the marks of a user.
    package static func utf8(_ summary: ArticleSummary, adding members: [JSON.Member] = []) -> [UInt8] {
        var writer = JSONWriter()
        write(summary, into: &writer)
        for member in members {
            writer.raw(",")
            writer.string(member.key)
            writer.raw(":")
            writer.value(member.value)
        }
        writer.raw("}")
        return writer.bytes
    }

    private static func write(_ summary: ArticleSummary, into writer: inout JSONWriter) {
        writer.raw(#"{"id":"#)
        writer.raw(String(summary.id))
        writer.raw(#","slug":"#)
        writer.string(summary.slug)
        writer.raw(#","title":"#)
        writer.string(summary.title)
        writer.raw(#","author":"#)
        writer.string(summary.author)
        writer.raw(#","authors":"#)
        writer.strings(summary.authors)
        writer.raw(#","published":"#)
        writer.string(RecordDate(summary.published, offset: summary.publishedOffset).text)
        writer.raw(#","updated":"#)
        writer.string(RFC3339.string(from: summary.updated))
        writer.raw(#","tags":"#)
        writer.strings(summary.tags)
        writer.raw(#","summary":"#)
        writer.string(summary.summary)
        writer.raw(#","language":"#)
        write(summary.language, into: &writer)
        writer.raw(#","readingMinutes":"#)
        writer.raw(String(summary.readingMinutes))
        writer.raw(#","source":"#)
        writer.string(summary.source)
        if let found = summary.found { write(found, into: &writer) }
    }

    private static func write(_ found: SearchHit, into writer: inout JSONWriter) {
        writer.raw(#","found":{"score":"#)
        writer.raw(found.score.map { String($0) } ?? "null")
        for (name, text) in [("title", found.title), ("excerpt", found.excerpt)] {
            writer.raw(#",""# + name + #"":"#)
            guard let text else {
                writer.raw("null")
                continue
            }
            writer.raw("[")
            for (index, piece) in text.pieces.enumerated() {
                writer.raw(index == 0 ? #"{"text":"# : #",{"text":"#)
                writer.string(piece.text)
                writer.raw(piece.isMarked ? #","marked":true}"# : #","marked":false}"#)
            }
            writer.raw("]")
        }
        writer.raw("}")
    }

    private static func write(_ text: String?, into writer: inout JSONWriter) {
        if let text { writer.string(text) } else { writer.raw("null") }
    }
}

/// The names of an article's properties in JSON and in front matter.
package enum LibraryKey: String, CaseIterable {
    case id, slug, title, author, authors, published, publishedOffset, updated, tags, summary, language, readingMinutes
    case source, sourceID, key, format, url, base, body, extra, sources, marks, pictures

    /// Whether a key is one of these names, without regard to case.
    package static func isTaken(_ key: String) -> Bool { folded.contains(key.lowercased()) }

    private static let folded = Set(allCases.map { $0.rawValue.lowercased() })
}

/// A date in a record, by the publisher's clock if RFC 3339 can express that.
package struct RecordDate {
    /// The date in the form of RFC 3339.
    package let text: String
    /// The minutes by which the publisher's clock was ahead of UTC, if the text does not contain them. That happens
    /// near the ends of the years 1 to 9999, when the clock shows a year outside that range.
    package let offset: Int?

    package init(_ date: Date, offset: Int) {
        let local = date.wholeSeconds + Int64(offset) * 60
        let isSaid = DateParser.seconds.contains(local)
        text = RFC3339.string(from: date, offset: isSaid ? offset : 0)
        self.offset = isSaid ? nil : offset
    }
}

import Database
import Text

/// How articles lie in rows.
enum ArticleRow {
    static let summaryColumns = """
        a.id, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.updated_at, a.tags, a.reading_minutes
        """

    static let selectByID = """
        SELECT \(summaryColumns), b.body, b.format, b.source_url, b.extra
        FROM article AS a JOIN article_body AS b ON b.article_id = a.id WHERE a.id = ?
        """

    static let selectBySlug = """
        SELECT \(summaryColumns), b.body, b.format, b.source_url, b.extra
        FROM article AS a JOIN article_body AS b ON b.article_id = a.id WHERE a.slug = ?
        """

    static func summary(_ row: Row) throws -> ArticleSummary {
        ArticleSummary(
            id: try row.value(0), slug: try row.value(1), title: try row.value(2), authors: try names(row, 3),
            summary: try row.value(4), language: try row.value(5), published: try row.value(6),
            updated: try row.value(7), tags: try names(row, 8), readingMinutes: try row.value(9)
        )
    }

    static func article(_ row: Row) throws -> Article {
        let format: String = try row.value(11)
        return Article(
            id: try row.value(0), slug: try row.value(1), title: try row.value(2), authors: try names(row, 3),
            summary: try row.value(4), body: try row.value(10),
            // The schema allows no other.
            format: Article.Format(rawValue: format) ?? .plain,
            language: try row.value(5), sourceURL: try row.value(12), published: try row.value(6),
            updated: try row.value(7), tags: try names(row, 8), readingMinutes: try row.value(9),
            extra: try row.value(13)
        )
    }

    /// Names as they are stored.
    static func text(of names: [String]) -> String {
        if names.isEmpty { return "[]" }
        var writer = JSONWriter()
        writer.strings(names)
        return writer.text
    }

    private static func names(_ row: Row, _ column: Int) throws -> [String] {
        var text: String = try row.value(column)
        return text.withUTF8 { names($0) }
    }

    /// The names of a text that ``text(of:)`` made.
    static func names(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        // Without a backslash, every other quotation mark ends a name.
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            guard case .array(let names)? = try? JSONParser.value(of: bytes) else { return [] }
            return names.compactMap(\.text)
        }
        var names: [String] = []
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "\"")) {
            let inside = rest[(open + 1)...]
            guard let close = inside.firstIndex(of: UInt8(ascii: "\"")) else { break }
            names.append(String(decoding: UnsafeBufferPointer(rebasing: inside[..<close]), as: UTF8.self))
            rest = inside[(close + 1)...]
        }
        return names
    }
}

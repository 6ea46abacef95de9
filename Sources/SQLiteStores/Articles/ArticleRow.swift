import ArticleStore
import Database
import Text

/// The statements and columns for articles, and how a row becomes an article.
package enum ArticleRow {
    static let summaryColumns = """
        a.id, s.name, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.published_offset, \
        a.updated_at, a.tags, a.reading_minutes
        """

    /// The join for the columns of the source. CROSS JOIN keeps it after the table that finds the article, so the order
    /// of the list stays.
    static let source = "CROSS JOIN source AS s ON s.id = a.source_id"

    private static let columns = """
        \(summaryColumns), a.source_id, s.uid, a.key, b.format, b.source_url, b.base_url, b.extra, b.body, s.home, (
            SELECT json_group_array(json_array(p.source_id, o.uid, o.name, o.home, p.key, p.content_hash, p.title,
                p.address, p.format, p.body, p.appeared_at))
            FROM article_appearance AS p CROSS JOIN source AS o ON o.id = p.source_id WHERE p.article_id = a.id)
        """

    /// The first column after those of an article.
    static let nextColumn = 22

    private static let table = "FROM article AS a CROSS JOIN article_body AS b ON b.article_id = a.id \(source)"

    private static let select = "SELECT \(columns) \(table)"

    /// Selects all articles, ordered by number. After the columns of the article come the checksum and the sort key of
    /// the title.
    static let selectAllWithChecksums = "SELECT \(columns), b.checksum, a.title_key \(table) ORDER BY a.id"

    /// Selects an article with the text of another number, and the checksum of that text.
    static let selectWithTextOf = """
        SELECT \(columns), b.checksum FROM article AS a CROSS JOIN article_body AS b \(source)
        WHERE a.id = ? AND b.article_id = ?
        """

    /// Selects the articles of a JSON array of numbers, in its order. After the columns of the article comes the time of
    /// its arrival.
    package static let selectArrived = """
        SELECT \(columns), (SELECT arrived_at + a.id - first_id FROM arrival WHERE first_id <= a.id
            ORDER BY first_id DESC LIMIT 1)
        FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value
        CROSS JOIN article_body AS b ON b.article_id = a.id \(source)
        """

    /// The column of ``selectArrived`` with the time.
    static let arrivalColumn = nextColumn

    /// Selects the summaries of a JSON array of numbers, in its order.
    package static let selectSummaries = """
        SELECT \(summaryColumns) FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value \(source)
        """

    /// Selects the summaries of the articles that a JSON array of pairs names: a number or null, and a slug. After the
    /// columns of the summary comes the index of the pair. The number takes precedence.
    package static let selectNamed = """
        SELECT \(summaryColumns), j.key FROM json_each(?) AS j CROSS JOIN article AS a
            ON a.id = ifnull((SELECT id FROM article WHERE id = j.value ->> 0),
                (SELECT id FROM article WHERE slug = j.value ->> 1))
        \(source)
        """

    /// Selects the summaries of the articles of a source with the keys of a JSON array. After the columns of the summary
    /// comes the index of the key.
    package static let selectByKeys = """
        SELECT \(summaryColumns), j.key FROM json_each(?) AS j
        CROSS JOIN article AS a ON a.source_id = ? AND a.key = j.value \(source)
        """

    /// The column of ``selectNamed`` and ``selectByKeys`` with the index.
    static let indexColumn = 12

    static let selectByID = select + " WHERE a.id = ?"

    static let selectBySlug = select + " WHERE a.slug = ?"

    private static let selectCandidates = """
        SELECT a.id, a.source_id, a.key, a.slug, a.language, a.published_at, a.published_offset, b.source_url
        FROM article AS a CROSS JOIN article_body AS b ON b.article_id = a.id
        """

    static let selectCandidatesBySlug = selectCandidates + " WHERE a.slug = ?"

    static let selectCandidatesByKey =
        selectCandidates + " WHERE a.source_id = ? AND instr(lower(a.key), ?) > 0 LIMIT 1000"

    /// Returns the statement that selects the languages of articles, in alphabetical order. It jumps from one language to
    /// the next in the index instead of reading the articles.
    ///
    /// - Parameter limit: the maximum number of languages; all if negative.
    static func languages(limit: Int = -1) -> String {
        """
        WITH RECURSIVE found (language) AS (
            SELECT min(language) FROM article WHERE language IS NOT NULL
            UNION ALL
            SELECT (SELECT min(a.language) FROM article AS a WHERE a.language > found.language) FROM found
            WHERE found.language IS NOT NULL
        )
        SELECT language FROM found WHERE language IS NOT NULL LIMIT \(limit)
        """
    }

    static func candidate(_ row: Row) throws -> LinkCandidate {
        LinkCandidate(
            id: try row.value(0), source: try row.value(1), key: ExactText(try row.value(2) as String),
            slug: try row.value(3), language: try row.value(4),
            day: CivilDate(try row.value(5) as Date, offset: try row.value(6)), address: try row.value(7))
    }

    static func summary(_ row: Row) throws -> ArticleSummary {
        ArticleSummary(
            id: try row.value(0), source: try row.value(1), slug: try row.value(2), title: try row.value(3),
            authors: try names(row, 4), summary: try row.value(5), language: try row.value(6),
            published: try row.value(7), publishedOffset: try row.value(8), updated: try row.value(9),
            tags: try names(row, 10), readingMinutes: try row.value(11)
        )
    }

    static func article(_ row: Row) throws -> Article {
        let source = SourceReference(
            id: try row.value(12), uid: try row.value(13) { SourceUID($0) }, name: try row.value(1),
            home: try row.value(20))
        return Article(
            id: try row.value(0), source: source, key: ExactText(try row.value(14) as String), slug: try row.value(2),
            title: try row.value(3), authors: try names(row, 4),
            summary: try row.value(5), body: try row.value(19),
            format: try row.value(15) { Article.Format(rawValue: $0) },
            language: try row.value(6), sourceURL: try row.value(16), baseURL: try row.value(17),
            published: try row.value(7), publishedOffset: try row.value(8), updated: try row.value(9),
            tags: try names(row, 10), readingMinutes: try row.value(11), extra: try row.value(18),
            appearances: try appearances(row.utf8(21))
        )
    }

    private static func appearances(_ json: UnsafeBufferPointer<UInt8>) throws -> [ArticleAppearance] {
        // Most articles have only one source, and "[]".
        guard json.count > 2, case .array(let rows)? = try? JSONParser.value(of: json) else { return [] }
        let appearances = rows.compactMap { row -> (time: Int64, appearance: ArticleAppearance)? in
            guard case .array(let values) = row, values.count == 11, let id = values[0].text.flatMap({ Int64($0) }),
                let uid = values[1].text.flatMap(SourceUID.init), let name = values[2].text,
                let key = values[4].text, let title = values[6].text,
                let time = values[10].text.flatMap({ Int64($0) })
            else { return nil }
            let format = values[8].text.flatMap(Article.Format.init)
            let appearance = ArticleAppearance(
                source: SourceReference(id: id, uid: uid, name: name, home: values[3].text), key: ExactText(key),
                content: values[5].text.flatMap { Int64($0) }.map { UInt64(bitPattern: $0) }, title: title,
                address: values[7].text,
                text: format.flatMap { format in values[9].text.map { ArticleAppearance.OwnText($0, format: format) } })
            return (time, appearance)
        }
        return appearances.sorted { ($0.time, $0.appearance.source.id) < ($1.time, $1.appearance.source.id) }
            .map(\.appearance)
    }

    /// Returns names in the form in which they are stored.
    static func text(of names: [String]) -> String {
        if names.isEmpty { return "[]" }
        var writer = JSONWriter()
        writer.strings(names)
        return writer.text
    }

    private static func names(_ row: Row, _ column: Int) throws -> [String] { names(try row.utf8(column)) }

    /// Returns the names from a text that ``text(of:)`` made.
    static func names(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        var quotes = 0
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { quotes += 1 }
            // Without a backslash, every second quotation mark ends a name.
            guard byte != UInt8(ascii: "\\") else {
                guard case .array(let names)? = try? JSONParser.value(of: bytes) else { return [] }
                return names.compactMap(\.text)
            }
        }
        guard quotes > 1 else { return [] }
        var names: [String] = []
        names.reserveCapacity(quotes / 2)
        var start: Int?
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\"") {
            if let begin = start {
                names.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[begin..<index]), as: UTF8.self))
                start = nil
            } else {
                start = index + 1
            }
        }
        return names
    }
}

/// The hash of an article as it is stored, without its number and its source.
struct ArticleChecksum: Equatable {
    let value: Int64

    init(value: Int64) { self.value = value }

    init(_ article: Article) {
        var hash: UInt64 = 0
        func add(_ text: String?) {
            // A missing text must differ from an empty one, and each hash continues the previous one.
            hash = text.map { RecordHash($0, seed: hash).value } ?? ~hash
        }
        add(article.key.text)
        add(article.slug)
        add(article.title)
        add(ArticleRow.text(of: article.authors))
        add(ArticleRow.text(of: article.tags))
        add(article.summary)
        add(article.language)
        add(
            "\(article.published.timeIntervalSince1970.rounded(.down)) \(article.publishedOffset) "
                + "\(article.updated.timeIntervalSince1970.rounded(.down)) \(article.readingMinutes)")
        add(article.format.rawValue)
        add(article.sourceURL)
        add(article.baseURL)
        add(article.extra)
        add(article.body)
        value = Int64(bitPattern: hash)
    }
}

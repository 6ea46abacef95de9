internal import ArticleStore
internal import PostgreSQL
internal import Text

/// The columns of articles, and how a row becomes an article.
enum ArticleRow {
    static let summaryColumns = """
        a.id, s.name, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.published_offset, \
        a.updated_at, a.tags, a.reading_minutes
        """

    static let source = "JOIN source AS s ON s.id = a.source_id"

    /// The first column of marks after the columns of a summary and the sort key.
    static let marksOfSummary = 13

    private static let columns = """
        \(summaryColumns), a.source_id, s.uid, a.key, b.format, b.source_url, b.base_url, b.extra, b.body, s.home, (
            SELECT json_agg(ARRAY[p.source_id::text, o.uid, o.name, coalesce(o.home, ''), p.key,
                coalesce(p.content_hash::text, ''), p.title, coalesce(p.address, ''), coalesce(p.format, ''),
                coalesce(p.body, '')] ORDER BY p.appeared_at, p.source_id)::text
            FROM article_appearance AS p JOIN source AS o ON o.id = p.source_id WHERE p.article_id = a.id)
        """

    /// The first column after those of an article.
    private static let nextColumn = 22

    private static let tables = "FROM article AS a JOIN article_body AS b ON b.article_id = a.id \(source)"

    static let select = "SELECT \(columns) \(tables)"

    /// Selects an article by number or slug with the marks of a user, in this order. A number takes precedence. The marks come
    /// after the columns of the article.
    static let selectMarked = """
        SELECT \(columns), \(MarkRow.columns("a.id", user: "$3")) \(tables) \(MarkRow.joins("a.id", user: "$3"))
        WHERE a.id = coalesce((SELECT id FROM article WHERE id = $1), (SELECT id FROM article WHERE slug = $2))
        """

    /// The first column of ``selectMarked`` with marks.
    static let marksOfArticle = nextColumn

    static let selectByIDs = select + " WHERE a.id = ANY ($1)"

    /// Selects articles by number. After the columns of the article comes the time of its arrival.
    static let selectArrived = """
        SELECT \(columns), (SELECT r.arrived_at + a.id - r.first_id FROM arrival AS r WHERE r.first_id <= a.id
            ORDER BY r.first_id DESC LIMIT 1)
        \(tables) WHERE a.id = ANY ($1)
        """

    /// The column of ``selectArrived`` with the time.
    static let arrivalColumn = nextColumn

    /// Selects the summaries of the articles that arrays of numbers and of slugs name. A number that is not wanted is 0,
    /// and a number takes precedence. After the columns of the summary comes the index in the arrays, from 1.
    static let selectNamed = """
        SELECT \(summaryColumns), n.place FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS n (number, slug, place)
        JOIN article AS a ON a.id = coalesce(
            (SELECT id FROM article WHERE id = n.number), (SELECT id FROM article WHERE slug = n.slug))
        \(source)
        """

    /// Selects the summaries of the articles of a source with the keys of an array. After the columns of the summary comes
    /// the index of the key, from 1.
    static let selectByKeys = """
        SELECT \(summaryColumns), n.place FROM unnest($1::text[]) WITH ORDINALITY AS n (key, place)
        JOIN article AS a ON a.source_id = $2 AND md5(a.key) = md5(n.key) AND a.key = n.key \(source)
        """

    /// The column of ``selectNamed`` and ``selectByKeys`` with the index.
    static let indexColumn = 12

    static func candidate(_ row: Row) throws -> LinkCandidate {
        LinkCandidate(
            id: try row.value(0), source: try row.value(1), key: ExactText(try row.anyText(2)),
            slug: try row.anyText(3), language: try row.optionalText(4),
            day: CivilDate(try row.value(5) as Date, offset: try row.value(6)), address: try row.optionalText(7))
    }

    static func summary(_ row: Row) throws -> ArticleSummary {
        ArticleSummary(
            id: try row.value(0), source: try row.anyText(1), slug: try row.anyText(2), title: try row.anyText(3),
            authors: try row.names(4), summary: try row.anyText(5), language: try row.optionalText(6),
            published: try row.value(7), publishedOffset: try row.value(8), updated: try row.value(9),
            tags: try row.names(10), readingMinutes: try row.value(11))
    }

    static func article(_ row: Row) throws -> Article {
        let source = SourceReference(
            id: try row.value(12), uid: try row.value(13) { SourceUID($0) }, name: try row.anyText(1),
            home: try row.optionalText(20))
        return Article(
            id: try row.value(0), source: source, key: ExactText(try row.anyText(14)), slug: try row.anyText(2),
            title: try row.anyText(3), authors: try row.names(4), summary: try row.anyText(5),
            body: try row.anyText(19), format: try row.value(15) { Article.Format(rawValue: $0) },
            language: try row.optionalText(6), sourceURL: try row.optionalText(16), baseURL: try row.optionalText(17),
            published: try row.value(7), publishedOffset: try row.value(8), updated: try row.value(9),
            tags: try row.names(10), readingMinutes: try row.value(11), extra: try row.anyText(18),
            appearances: try row.arrays(21).compactMap(appearance))
    }

    private static func appearance(_ values: [String]) -> ArticleAppearance? {
        guard values.count == 10, let id = Int64(values[0]), let uid = SourceUID(values[1]) else { return nil }
        func optional(_ index: Int) -> String? { values[index].isEmpty ? nil : values[index] }
        return ArticleAppearance(
            source: SourceReference(id: id, uid: uid, name: values[2], home: optional(3)), key: ExactText(values[4]),
            content: Int64(values[5]).map { UInt64(bitPattern: $0) }, title: values[6], address: optional(7),
            text: Article.Format(rawValue: values[8]).map { ArticleAppearance.OwnText(values[9], format: $0) })
    }
}

/// The columns of sources, and how a row becomes a source.
enum SourceRow {
    static let select: Statement = """
        SELECT id, uid, name, kind, location, home, feed_url, imported_at, problem_count, problems,
            coalesce((SELECT json_agg(t.name ORDER BY t.key)::text FROM source_tag AS t WHERE t.source_id = source.id), '[]'),
            coalesce((SELECT json_agg(f.address ORDER BY f.address)::text FROM former_address AS f
                WHERE f.source_id = source.id), '[]')
        FROM source ORDER BY id
        """

    static func source(_ row: Row) throws -> Source {
        var facts = SourceFacts(
            name: try row.anyText(2), kind: try row.value(3) { Source.Kind(rawValue: $0) },
            location: try row.optionalText(4).map { ExactText($0) }, home: try row.optionalText(5),
            feedURL: try row.optionalText(6))
        facts.tags = try row.aggregatedTexts(10).map { TagName(stored: $0) }
        facts.formerAddresses = try row.aggregatedTexts(11)
        let imported: Date? = try row.value(7)
        let (count, problems): (Int, [String]) = (try row.value(8), try row.names(9))
        return Source(
            id: try row.value(0), uid: try row.value(1) { SourceUID($0) }, facts: facts,
            lastImport: imported.map { Source.LastImport(date: $0, problemCount: count, problems: problems) })
    }

    /// The values of all columns except the number and the identifier, in order. The name comes also in its folded form.
    static func values(_ facts: SourceFacts, _ lastImport: Source.LastImport?) -> [Value] {
        [
            Value(anyText: facts.name), Value(anyText: FoldedKey.fold(facts.name)), .text(facts.kind.rawValue),
            Value(anyText: facts.location?.text), Value(anyText: facts.home), Value(anyText: facts.feedURL),
            Value(lastImport?.date), Value(lastImport?.problemCount ?? 0), Value(names: lastImport?.problems ?? []),
        ]
    }
}

extension Row {
    /// Returns a text that may contain U+0000, or nil for NULL.
    func optionalText(_ column: Int) throws -> String? {
        guard try value(column) as String? != nil else { return nil }
        return try anyText(column)
    }

    /// Returns the arrays of texts of several rows, which `json_agg` has put into a JSON array; none for NULL.
    func arrays(_ column: Int) throws -> [[String]] {
        guard var json = try value(column) as String? else { return [] }
        return try json.withUTF8 { bytes in
            guard case .array(let rows) = try JSONParser.value(of: bytes) else { return [] }
            return rows.map { row in
                guard case .array(let texts) = row else { return [] }
                return texts.compactMap { $0.text.flatMap(AnyText.text) }
            }
        }
    }

    /// Returns names that are stored as a JSON array.
    func names(_ column: Int) throws -> [String] { try Self.names(anyText(column)) }

    /// Returns the texts of several rows, which `json_agg` has put into a JSON array.
    func aggregatedTexts(_ column: Int) throws -> [String] {
        // The escapes of U+0000 are inside the strings of the array.
        try Self.names(value(column)).compactMap(AnyText.text)
    }

    private static func names(_ json: String) throws -> [String] {
        var json = json
        return try json.withUTF8 { bytes in
            guard case .array(let names) = try JSONParser.value(of: bytes) else { return [] }
            return names.compactMap(\.text)
        }
    }
}

extension Value {
    /// Creates `text` with names as a JSON array.
    init(names: [String]) {
        var writer = JSONWriter()
        writer.strings(names)
        self.init(anyText: writer.text)
    }
}

import ArticleStore
import Database
import Text

/// The statements for sources, and how a row becomes a source.
package enum SourceRow {
    static let select = columns + " ORDER BY id"
    static let selectOne = columns + " WHERE id = ?"
    static let selectEarlier = columns + " WHERE kind = 'earlier' ORDER BY id LIMIT 1"

    private static let columns = """
        SELECT id, uid, name, kind, location, home, feed_url, imported_at, problem_count, problems,
            (SELECT json_group_array(name) FROM (SELECT name FROM source_tag WHERE source_id = source.id ORDER BY key)),
            (SELECT json_group_array(address) FROM (
                SELECT address FROM former_address WHERE source_id = source.id ORDER BY address))
        FROM source
        """

    /// The subquery for the numbers of the sources with a tag. Its value is the key of the tag.
    static let tagged = "(SELECT source_id FROM source_tag WHERE key = ?)"

    /// The subquery for whether an article also appears in the source with a number or, with `IN`, in several. The article is
    /// `a`.
    static func isAppearance(in sources: String) -> String {
        "EXISTS (SELECT 1 FROM article_appearance AS p WHERE p.article_id = a.id AND p.source_id \(sources))"
    }

    /// Selects the number of each source with articles, and the number of the articles that it contains.
    package static let counts = "SELECT source_id, articles + appearances FROM source_size"

    /// Selects the number of each source with articles, and the lowest and the highest number of these. A source that also has
    /// appearances has a second row for them.
    package static let ranges = """
        SELECT source_id, min(id), max(id) FROM article INDEXED BY article_by_source_and_date
        GROUP BY source_id
        UNION ALL
        SELECT source_id, min(article_id), max(article_id)
        FROM article_appearance INDEXED BY article_appearance_by_date GROUP BY source_id
        """

    static func count(_ row: Row) throws -> (Source.ID, Int) { (try row.value(0), try row.value(1)) }

    static func source(_ row: Row) throws -> Source {
        var facts = SourceFacts(
            name: try row.value(2),
            kind: try row.value(3) { Source.Kind(rawValue: $0) },
            location: (try row.value(4) as String?).map { ExactText($0) }, home: try row.value(5),
            feedURL: try row.value(6))
        var tags: String = try row.value(10)
        facts.tags = tags.withUTF8 { ArticleRow.names($0) }.map { TagName(stored: $0) }
        var addresses: String = try row.value(11)
        facts.formerAddresses = addresses.withUTF8 { ArticleRow.names($0) }
        let imported: Date? = try row.value(7)
        let problemCount: Int = try row.value(8)
        var problems: String = try row.value(9)
        return Source(
            id: try row.value(0), uid: try row.value(1) { SourceUID($0) }, facts: facts,
            lastImport: imported.map { date in
                Source.LastImport(
                    date: date, problemCount: problemCount, problems: problems.withUTF8 { ArticleRow.names($0) })
            })
    }

    /// Returns the values of all columns except the number and the identifier, in order. The name comes also in its
    /// folded form.
    static func values(_ facts: SourceFacts, _ lastImport: Source.LastImport?) -> [Value] {
        [
            Value(facts.name), Value(FoldedKey.fold(facts.name)),
            Value(facts.kind.rawValue), Value(facts.location?.text), Value(facts.home), Value(facts.feedURL),
            Value(lastImport?.date), Value(lastImport?.problemCount ?? 0),
            Value(ArticleRow.text(of: lastImport?.problems ?? [])),
        ]
    }
}

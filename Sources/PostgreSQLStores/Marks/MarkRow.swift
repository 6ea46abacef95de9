internal import ArticleStore
internal import PostgreSQL
internal import Text

/// The statements for marks, and how rows become marks.
enum MarkRow {
    /// Counts the unread articles of a user. Only the marks of the user and the articles after the last mark on all
    /// articles are read.
    static let unread = """
        SELECT CASE WHEN r.read_up_to > 0 THEN (SELECT count(*) FROM article WHERE id > r.read_up_to)
                ELSE (SELECT coalesce(sum(articles), 0)::bigint FROM source_size) END
            - (SELECT count(*) FROM article_read WHERE user_id = $1 AND is_set AND article_id > r.read_up_to)
            + (SELECT count(*) FROM article_read WHERE user_id = $1 AND NOT is_set AND article_id <= r.read_up_to)
        FROM (SELECT coalesce((SELECT read_up_to FROM reader WHERE user_id = $1), 0) AS read_up_to) AS r
        """

    /// The articles that a user has read.
    static let readArticles = """
        SELECT article_id FROM article_read WHERE user_id = $1 AND is_set
        UNION ALL
        SELECT a.id FROM article AS a JOIN reader AS r ON r.user_id = $1 AND a.id <= r.read_up_to
        WHERE NOT EXISTS (SELECT FROM article_read AS m WHERE m.user_id = $1 AND m.article_id = a.id)
        """

    /// The columns of the marks of a user, for a statement that joins ``joins(_:user:)``.
    ///
    /// - Parameters:
    ///   - article: the column with the number of the article.
    ///   - user: the SQL of the user's number.
    static func columns(_ article: String, user: String) -> String {
        """
        coalesce(mr.is_set, \(article) <= coalesce(r.read_up_to, 0)),
        CASE WHEN mr.article_id IS NOT NULL THEN mr.changed_at WHEN \(article) <= r.read_up_to THEN r.all_read_at END,
        coalesce(ms.is_set, false), ms.changed_at, coalesce(ml.is_set, false), ml.changed_at,
        mp.place, mp.changed_at, mn.note, mn.changed_at,
        (SELECT json_agg(ARRAY[o.name, t.changed_at::text, t.is_set::text] ORDER BY o.key)::text
            FROM article_own_tag AS t JOIN own_tag AS o ON o.user_id = t.user_id AND o.key = t.key
            WHERE t.user_id = \(user) AND t.article_id = \(article))
        """
    }

    /// The joins of the tables with the marks of a user. The limit makes the server look up each article: otherwise it would
    /// read all marks of the user for a page.
    static func joins(_ article: String, user: String) -> String {
        let tables = [("mr", "read"), ("ms", "star"), ("ml", "later"), ("mp", "place"), ("mn", "note")]
        return "LEFT JOIN reader AS r ON r.user_id = \(user)"
            + tables.map { name, table in
                """
                 LEFT JOIN LATERAL (
                    SELECT * FROM article_\(table) WHERE user_id = \(user) AND article_id = \(article) LIMIT 1
                ) AS \(name) ON true
                """
            }.joined()
    }

    /// The statement for the marks of articles. The first column is the number of the article.
    static func statement(of articles: [Int64], by user: Int64) -> Statement {
        Statement(
            "SELECT a.id, \(columns("a.id", user: "$1")) FROM article AS a \(joins("a.id", user: "$1")) WHERE a.id = ANY ($2)",
            [.integer(user), .integers(articles)])
    }

    /// Returns the marks by article from rows that begin with the number of the article.
    ///
    /// - Parameter start: the first column of marks. It is 1 in the result of ``statement(of:by:)``.
    static func marks(_ rows: some Collection<Row>, from start: Int = 1) throws -> [Int64: ArticleMarks] {
        var all: [Int64: ArticleMarks] = Dictionary(minimumCapacity: rows.count)
        for row in rows { all[try row.value(0)] = try marks(row, from: start) }
        return all
    }

    /// Returns the marks of a row whose columns of marks begin at an index.
    static func marks(_ row: Row, from start: Int) throws -> ArticleMarks {
        var marks = ArticleMarks()
        marks.read = .init(try row.value(start), changed: try row.value(start + 1))
        marks.starred = .init(try row.value(start + 2), changed: try row.value(start + 3))
        marks.later = .init(try row.value(start + 4), changed: try row.value(start + 5))
        marks.readingPosition = .init(try row.value(start + 6), changed: try row.value(start + 7))
        marks.note = .init(try row.optionalText(start + 8), changed: try row.value(start + 9))
        for values in try row.arrays(start + 10) {
            let mark = ArticleMarks.Mark(
                TagName(stored: values[0]), changed: Int64(values[1]).map { Date(timeIntervalSince1970: Double($0)) })
            if values[2] == "true" { marks.tags.append(mark) } else { marks.removedTags.append(mark) }
        }
        return marks
    }
}

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

    /// The statements for the marks of articles and for their tags.
    static func statements(of articles: [Int64], by user: Int64) -> [Statement] {
        let values: [Value] = [.integer(user), .integers(articles)]
        return [
            Statement(
                """
                SELECT a.id, coalesce(m.is_set, a.id <= coalesce(r.read_up_to, 0)),
                    CASE WHEN m.article_id IS NOT NULL THEN m.changed_at
                        WHEN a.id <= r.read_up_to THEN r.all_read_at END,
                    coalesce(s.is_set, false), s.changed_at, coalesce(l.is_set, false), l.changed_at,
                    p.place, p.changed_at, n.note, n.changed_at
                FROM article AS a
                LEFT JOIN reader AS r ON r.user_id = $1
                LEFT JOIN article_read AS m ON m.user_id = $1 AND m.article_id = a.id
                LEFT JOIN article_star AS s ON s.user_id = $1 AND s.article_id = a.id
                LEFT JOIN article_later AS l ON l.user_id = $1 AND l.article_id = a.id
                LEFT JOIN article_place AS p ON p.user_id = $1 AND p.article_id = a.id
                LEFT JOIN article_note AS n ON n.user_id = $1 AND n.article_id = a.id
                WHERE a.id = ANY ($2)
                """, values),
            Statement(
                """
                SELECT t.article_id, o.name, t.changed_at, t.is_set
                FROM article_own_tag AS t JOIN own_tag AS o ON o.user_id = t.user_id AND o.key = t.key
                WHERE t.user_id = $1 AND t.article_id = ANY ($2) ORDER BY o.key
                """, values),
        ]
    }

    /// Returns the marks by article from the results of the two statements.
    static func marks(_ rows: Rows, tags: Rows) throws -> [Int64: ArticleMarks] {
        var all: [Int64: ArticleMarks] = Dictionary(minimumCapacity: rows.count)
        for row in rows {
            var marks = ArticleMarks()
            marks.read = .init(try row.value(1), changed: try row.value(2))
            marks.starred = .init(try row.value(3), changed: try row.value(4))
            marks.later = .init(try row.value(5), changed: try row.value(6))
            marks.readingPosition = .init(try row.value(7), changed: try row.value(8))
            marks.note = .init(try row.optionalText(9), changed: try row.value(10))
            all[try row.value(0)] = marks
        }
        for row in tags {
            let mark = ArticleMarks.Mark(TagName(stored: try row.anyText(1)), changed: try row.value(2))
            if try row.value(3) {
                all[try row.value(0)]?.tags.append(mark)
            } else {
                all[try row.value(0)]?.removedTags.append(mark)
            }
        }
        return all
    }
}

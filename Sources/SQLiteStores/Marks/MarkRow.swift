import ArticleStore
import Database
import Text

/// The statements for marks, and how a row becomes marks.
package enum MarkRow {
    /// Selects the marks of a user on articles, whose numbers are a JSON array.
    package static let select = """
        SELECT a.id, ifnull(m.is_read, a.id <= ifnull(r.up_to, 0)),
            iif(m.is_read IS NOT NULL, m.read_at, iif(a.id <= r.up_to, r.changed_at, NULL)),
            ifnull(m.is_starred, 0), m.starred_at, ifnull(m.is_later, 0), m.later_at,
            ifnull(m.is_hidden, 0), m.hidden_at, m.place, m.placed_at, n.note, n.changed_at
        FROM (SELECT 1) LEFT JOIN all_read AS r ON r.user_id = ?1
        CROSS JOIN json_each(?2) AS j CROSS JOIN article AS a ON a.id = j.value
        LEFT JOIN article_mark AS m ON m.user_id = ?1 AND m.article_id = a.id
        LEFT JOIN article_note AS n ON n.user_id = ?1 AND n.article_id = a.id
        """

    package static let selectTags = """
        SELECT t.article_id, o.name, t.changed_at, t.is_set FROM json_each(?2) AS j
        CROSS JOIN article_own_tag AS t INDEXED BY article_own_tag_by_article ON t.article_id = j.value
        CROSS JOIN own_tag AS o ON o.id = t.tag_id WHERE o.user_id = ?1 ORDER BY o.key
        """

    package static let selectMarked = """
        SELECT * FROM (SELECT article_id FROM article_mark WHERE user_id = ?1 AND article_id > ?2
            AND coalesce(read_at, starred_at, later_at, hidden_at, placed_at) IS NOT NULL ORDER BY article_id LIMIT ?3)
        UNION SELECT * FROM (SELECT article_id FROM article_note WHERE user_id = ?1 AND article_id > ?2
            ORDER BY article_id LIMIT ?3)
        UNION SELECT t.article_id FROM own_tag AS o CROSS JOIN article_own_tag AS t ON t.tag_id = o.id
            WHERE o.user_id = ?1 AND t.article_id > ?2
        ORDER BY 1 LIMIT ?3
        """

    /// The number of unread articles of the user ?1.
    private static let unread = """
        ifnull((SELECT sum(articles) FROM source_size), 0)
            - ifnull((SELECT sum(articles) FROM source_read WHERE user_id = ?1), 0)
        """

    /// Selects the number of unread articles.
    static let unreadCount = "SELECT \(unread)"

    package static let counts = """
        SELECT \(unread),
            (SELECT count(*) FROM article_mark INDEXED BY article_mark_starred WHERE user_id = ?1 AND is_starred = 1),
            (SELECT count(*) FROM article_mark INDEXED BY article_mark_later WHERE user_id = ?1 AND is_later = 1),
            (SELECT count(*) FROM article_note WHERE user_id = ?1 AND note IS NOT NULL),
            (SELECT count(*) FROM article_mark INDEXED BY article_mark_hidden WHERE user_id = ?1 AND is_hidden = 1)
        """

    /// Selects the numbers of unread articles, and of those with a star.
    static let unreadCounts = """
        SELECT \(unread),
            (SELECT count(*) FROM article_mark AS m INDEXED BY article_mark_starred
                LEFT JOIN all_read AS r ON r.user_id = m.user_id
                WHERE m.user_id = ?1 AND m.is_starred = 1 AND NOT ifnull(m.is_read, m.article_id <= ifnull(r.up_to, 0)))
        """

    package static let tagCounts = """
        SELECT o.name, (SELECT count(*) FROM article_own_tag AS t WHERE t.tag_id = o.id AND t.is_set = 1)
        FROM own_tag AS o WHERE o.user_id = ? ORDER BY o.key
        """

    static let tagProgress = """
        SELECT o.name, sum(NOT ifnull(m.is_read, t.article_id <= ifnull(r.up_to, 0))), max(t.article_id)
        FROM own_tag AS o CROSS JOIN article_own_tag AS t ON t.tag_id = o.id AND t.is_set = 1
        LEFT JOIN article_mark AS m ON m.user_id = o.user_id AND m.article_id = t.article_id
        LEFT JOIN all_read AS r ON r.user_id = o.user_id
        WHERE o.user_id = ? GROUP BY o.key
        """

    static let ownTags = """
        SELECT name FROM own_tag AS t WHERE user_id = ?
        AND EXISTS (SELECT 1 FROM article_own_tag WHERE tag_id = t.id AND is_set = 1)
        """

    package static let sourcesRead = """
        SELECT source_id, articles + appearances FROM source_read WHERE user_id = ? AND articles + appearances > 0
        """

    /// Selects the first sources by name, and the number of unread articles of each.
    static let sourceProgress = """
        SELECT s.name, ifnull(z.articles + z.appearances, 0) - ifnull(r.articles + r.appearances, 0)
        FROM source AS s LEFT JOIN source_size AS z ON z.source_id = s.id
        LEFT JOIN source_read AS r ON r.user_id = ?1 AND r.source_id = s.id
        ORDER BY s.name_key LIMIT ?2
        """

    package static let labelsRead = """
        SELECT l.kind, l.key, r.articles FROM label_read AS r CROSS JOIN label AS l ON l.id = r.label_id
        WHERE r.user_id = ? AND r.articles > 0
        """

    static let days = """
        SELECT read_at / 86400, count(*) FROM article_mark
        WHERE user_id = ? AND is_read = 1 AND read_at IS NOT NULL GROUP BY 1
        """

    /// Returns the marks in a row, without the tags.
    static func marks(_ row: Row) throws -> ArticleMarks {
        var marks = ArticleMarks()
        marks.read = .init(try row.value(1), changed: try row.value(2))
        marks.starred = .init(try row.value(3), changed: try row.value(4))
        marks.later = .init(try row.value(5), changed: try row.value(6))
        marks.hidden = .init(try row.value(7), changed: try row.value(8))
        marks.readingPosition = .init(try row.value(9), changed: try row.value(10))
        marks.note = .init(try row.value(11), changed: try row.value(12))
        return marks
    }

    /// Returns the marks of articles, by article number.
    static func marks(of articles: [Int64], by user: Int64, in connection: some Queryable) throws -> [Int64:
        ArticleMarks]
    {
        let values = [Value(user), Value(list: articles)]
        var marks: [Int64: ArticleMarks] = Dictionary(minimumCapacity: articles.count)
        try connection.forEach(select, values) { marks[try $0.value(0)] = try self.marks($0) }
        try connection.forEach(selectTags, values) { row in
            let tag = TagName(stored: try row.value(1))
            let mark = ArticleMarks.Mark(tag, changed: try row.value(2))
            if try row.value(3) {
                marks[try row.value(0)]?.tags.append(mark)
            } else {
                marks[try row.value(0)]?.removedTags.append(mark)
            }
        }
        return marks
    }

    /// Returns the user's own tags that at least one article has.
    static func ownTags(of user: Int64, in connection: some Queryable) throws -> Set<TagName> {
        Set(try connection.query(ownTags, [Value(user)]) { TagName(stored: try $0.value(0)) })
    }
}

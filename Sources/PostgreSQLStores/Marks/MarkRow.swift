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

    /// The columns of the marks of a user, for a statement that returns one article and joins ``joins(_:user:)``.
    ///
    /// - Parameters:
    ///   - article: the column with the number of the article.
    ///   - user: the SQL of the user's number.
    static func columns(_ article: String, user: String) -> String {
        """
        coalesce(mr.is_set, \(article) <= coalesce(r.read_up_to, 0)),
        CASE WHEN mr.article_id IS NOT NULL THEN mr.changed_at WHEN \(article) <= r.read_up_to THEN r.all_read_at END,
        coalesce(ms.is_set, false), ms.changed_at, coalesce(ml.is_set, false), ml.changed_at,
        coalesce(mh.is_set, false), mh.changed_at,
        mp.place, mp.changed_at, mn.note, mn.changed_at,
        (SELECT json_agg(ARRAY[o.name, t.changed_at::text, t.is_set::text] ORDER BY o.key)::text
            FROM article_own_tag AS t JOIN own_tag AS o ON o.user_id = t.user_id AND o.key = t.key
            WHERE t.user_id = \(user) AND t.article_id = \(article))
        """
    }

    /// The joins of the tables with the marks of a user. The limit makes the server look up the article: otherwise it may
    /// read all marks of the user.
    static func joins(_ article: String, user: String) -> String {
        let tables = [
            ("mr", "read"), ("ms", "star"), ("ml", "later"), ("mh", "hidden"), ("mp", "place"), ("mn", "note"),
        ]
        return "LEFT JOIN reader AS r ON r.user_id = \(user)"
            + tables.map { name, table in
                """
                 LEFT JOIN LATERAL (
                    SELECT * FROM article_\(table) WHERE user_id = \(user) AND article_id = \(article) LIMIT 1
                ) AS \(name) ON true
                """
            }.joined()
    }

    /// The kinds of rows that ``select(_:columns:user:order:)`` returns, in this order.
    private enum Kind: Int {
        case article, reader, read, starred, later, hidden, place, note, tags
    }

    /// Composes a statement that returns the rows of `page`, and then a row for each mark of a user on its articles.
    ///
    /// A row for each mark costs less than columns for all marks, because most articles have few marks. Three details of the
    /// text decide the plan:
    ///
    /// - All users share a plan. The subquery hides the user's number from the planner: with the number, the server would plan
    ///   the statement for each request of a user with few marks, which takes longer than the execution.
    /// - The server looks up the articles in the index of articles and users, and does not read all marks of the user. The
    ///   planner expects an average user, so with `user_id = $1` it may read all 30,000 marks of another one. It expects a range
    ///   of users to contain many rows. The range of the condition has one user. Its lower end is a row comparison because
    ///   the planner combines two plain comparisons.
    /// - The array makes one scan of the index for all articles. A join starts a scan for each article.
    ///
    /// - Parameters:
    ///   - page: a statement whose first column is the number of an article, `id`.
    ///   - columns: the number of columns of `page`. The columns of marks come after them.
    ///   - user: the SQL of the user's number.
    ///   - order: the order of the articles, after the kind of a row.
    static func select(_ page: String, columns: Int, user: String, order: String = "") -> String {
        let user = "(SELECT \(user))"
        let nulls = String(repeating: "NULL, ", count: columns - 1)
        let condition = """
            (m.user_id, m.article_id) >= (\(user), 0) AND m.user_id <= \(user)
            AND m.article_id = ANY ((SELECT ids FROM numbers)::bigint[])
            """
        // The columns after the kind are is_set, changed_at, place, and text.
        let tables: [(kind: Kind, name: String, values: String)] = [
            (.read, "article_read", "m.is_set, m.changed_at, NULL, NULL"),
            (.starred, "article_star", "m.is_set, m.changed_at, NULL, NULL"),
            (.later, "article_later", "m.is_set, m.changed_at, NULL, NULL"),
            (.hidden, "article_hidden", "m.is_set, m.changed_at, NULL, NULL"),
            (.place, "article_place", "NULL, m.changed_at, m.place, NULL"),
            (.note, "article_note", "NULL, m.changed_at, NULL, m.note"),
        ]
        let marks = tables.map { table in
            """
            UNION ALL SELECT m.article_id, \(nulls)\(table.kind.rawValue), \(table.values)
            FROM \(table.name) AS m WHERE \(condition)
            """
        }
        return """
            WITH page AS MATERIALIZED (\(page)), numbers AS MATERIALIZED (SELECT array_agg(id) AS ids FROM page)
            SELECT page.*, \(Kind.article.rawValue) AS kind, NULL::boolean, NULL::bigint, NULL::bigint, NULL::text FROM page
            UNION ALL SELECT read_up_to, \(nulls)\(Kind.reader.rawValue), NULL, all_read_at, NULL, NULL
            FROM reader WHERE user_id = \(user)
            \(marks.joined(separator: "\n"))
            UNION ALL SELECT m.article_id, \(nulls)\(Kind.tags.rawValue), NULL, NULL, NULL, json_agg(ARRAY[
                (SELECT o.name FROM own_tag AS o WHERE o.user_id = m.user_id AND o.key = m.key),
                m.changed_at::text, m.is_set::text] ORDER BY m.key)::text
            FROM article_own_tag AS m WHERE \(condition) GROUP BY m.article_id
            ORDER BY kind\(order)
            """
    }

    /// The statement for the marks of articles.
    static func statement(of articles: [Int64], by user: Int64) -> Statement {
        Statement(
            select("SELECT id FROM article WHERE id = ANY ($2)", columns: 1, user: "$1"),
            [.integer(user), .integers(articles)])
    }

    /// Returns the rows of articles from the result of ``select(_:columns:user:order:)``.
    ///
    /// - Parameter start: the first column of marks.
    static func articles(_ rows: Rows, from start: Int) throws -> Slice<Rows> {
        try rows.prefix { try $0.value(start) as Int == Kind.article.rawValue }
    }

    /// Returns the marks by article from the result of ``select(_:columns:user:order:)``.
    ///
    /// - Parameters:
    ///   - start: the first column of marks. It is 1 in the result of ``statement(of:by:)``.
    ///   - limit: the maximum number of articles.
    static func marks(_ rows: Rows, from start: Int = 1, limit: Int = .max) throws -> [Int64: ArticleMarks] {
        var all: [Int64: ArticleMarks] = Dictionary(minimumCapacity: min(rows.count, limit))
        for row in rows {
            let article: Int64 = try row.value(0)
            let kind = try row.value(start) { Kind(rawValue: $0) }
            guard kind != .article else {
                if all.count < limit { all[article] = ArticleMarks() }
                continue
            }
            let changed: Date? = try row.value(start + 2)
            switch kind {
            case .article: break
            case .reader where article > 0:
                for id in Array(all.keys) where id <= article { all[id]?.read = .init(true, changed: changed) }
            case .reader: break
            case .read: all[article]?.read = .init(try row.value(start + 1), changed: changed)
            case .starred: all[article]?.starred = .init(try row.value(start + 1), changed: changed)
            case .later: all[article]?.later = .init(try row.value(start + 1), changed: changed)
            case .hidden: all[article]?.hidden = .init(try row.value(start + 1), changed: changed)
            case .place: all[article]?.readingPosition = .init(try row.value(start + 3), changed: changed)
            case .note: all[article]?.note = .init(try row.optionalText(start + 4), changed: changed)
            case .tags: try all[article]?.addTags(row, at: start + 4)
            }
        }
        return all
    }

    /// Returns the marks of a row whose columns of marks begin at an index.
    static func marks(_ row: Row, from start: Int) throws -> ArticleMarks {
        var marks = ArticleMarks()
        marks.read = .init(try row.value(start), changed: try row.value(start + 1))
        marks.starred = .init(try row.value(start + 2), changed: try row.value(start + 3))
        marks.later = .init(try row.value(start + 4), changed: try row.value(start + 5))
        marks.hidden = .init(try row.value(start + 6), changed: try row.value(start + 7))
        marks.readingPosition = .init(try row.value(start + 8), changed: try row.value(start + 9))
        marks.note = .init(try row.optionalText(start + 10), changed: try row.value(start + 11))
        try marks.addTags(row, at: start + 12)
        return marks
    }
}

extension ArticleMarks {
    /// Adds the tags of a column that `MarkRow` selects.
    fileprivate mutating func addTags(_ row: Row, at column: Int) throws {
        for values in try row.arrays(column) {
            let mark = Mark(
                TagName(stored: values[0]), changed: Int64(values[1]).map { Date(timeIntervalSince1970: Double($0)) })
            if values[2] == "true" { tags.append(mark) } else { removedTags.append(mark) }
        }
    }
}

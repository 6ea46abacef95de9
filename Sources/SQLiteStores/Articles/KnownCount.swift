package import ArticleStore
package import Database
import Text

/// A statement that gets the number of articles of a list from stored counts. It exists only for lists of all or of the
/// unread articles, optionally of a single source, author, or tag.
package struct KnownCount {
    package let sql: String
    package let values: [Value]

    /// Creates the statement; nil for any other list.
    package init?(_ query: ArticleQuery) {
        var rest = query
        rest.sort = .newest
        rest.marks.userID = nil
        if rest.marks.isRead == false { rest.marks.isRead = nil }
        (rest.source, rest.author, rest.tag) = (nil, nil, nil)
        guard rest == ArticleQuery() else { return nil }
        // Subtract the read articles from a list of unread articles, and the hidden articles from any other. A null user has
        // neither.
        let isOfUnread = query.marks.isRead == false
        let userID = isOfUnread ? query.marks.userID : nil
        let hider = isOfUnread ? nil : query.marks.userID
        switch (query.source, query.author, query.tag) {
        case (nil, nil, nil):
            sql = """
                SELECT ifnull((SELECT sum(articles) FROM source_size), 0)
                - ifnull((SELECT sum(articles) FROM source_read WHERE user_id = ?), 0) - \(Self.hidden())
                """
            values = [Value(userID), Value(hider)]
        case (let source?, nil, nil):
            sql = """
                SELECT z.articles + z.appearances - ifnull(r.articles + r.appearances, 0)
                    - \(Self.hidden("article AS a ON a.source_id = z.source_id AND a.id"))
                    - \(Self.hidden("article_appearance AS a ON a.source_id = z.source_id AND a.article_id"))
                FROM source_size AS z
                LEFT JOIN source_read AS r ON r.user_id = ? AND r.source_id = z.source_id
                WHERE z.source_id = (SELECT id FROM source WHERE name_key = ?)
                """
            values = [Value(hider), Value(hider), Value(userID), Value(FoldedKey.fold(source))]
        case (nil, let author?, nil):
            (sql, values) = Self.ofLabel(.author, author, userID, hider)
        case (nil, nil, let tag?):
            (sql, values) = Self.ofLabel(.tag, tag, userID, hider)
        default: return nil
        }
    }

    private static func ofLabel(
        _ kind: ArticleLabel.Kind, _ name: String, _ userID: Int64?, _ hider: Int64?
    ) -> (String, [Value]) {
        let sql = """
            SELECT l.articles - ifnull(r.articles, 0) - \(hidden("article_label AS k ON k.label_id = l.id AND k.article_id"))
            FROM label AS l
            LEFT JOIN label_read AS r ON r.user_id = ? AND r.label_id = l.id WHERE l.kind = ? AND l.key = ?
            """
        return (sql, [Value(hider), Value(userID), Value(kind.rawValue), Value(SearchText.fold(name))])
    }

    /// The subquery for the number of articles that a user has hidden.
    ///
    /// - Parameter table: the table with the other condition, up to the column with the number of the article.
    private static func hidden(_ table: String? = nil) -> String {
        let join = table.map { " CROSS JOIN \($0) = h.article_id" } ?? ""
        return """
            (SELECT count(*) FROM article_mark AS h INDEXED BY article_mark_hidden\(join)
            WHERE h.user_id = ? AND h.is_hidden = 1)
            """
    }
}

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
        // For lists of all articles, subtract nothing: a null user has not read anything.
        let userID = query.marks.isRead == false ? query.marks.userID : nil
        switch (query.source, query.author, query.tag) {
        case (nil, nil, nil):
            sql = """
                SELECT ifnull((SELECT sum(articles) FROM source_size), 0)
                - ifnull((SELECT sum(articles) FROM source_read WHERE user_id = ?), 0)
                """
            values = [Value(userID)]
        case (let source?, nil, nil):
            sql = """
                SELECT z.articles - ifnull(r.articles, 0) FROM source_size AS z
                LEFT JOIN source_read AS r ON r.user_id = ? AND r.source_id = z.source_id
                WHERE z.source_id = (SELECT id FROM source WHERE name_key = ?)
                """
            values = [Value(userID), Value(FoldedKey.fold(source))]
        case (nil, let author?, nil):
            (sql, values) = Self.ofLabel(.author, author, userID)
        case (nil, nil, let tag?):
            (sql, values) = Self.ofLabel(.tag, tag, userID)
        default: return nil
        }
    }

    private static func ofLabel(_ kind: ArticleLabel.Kind, _ name: String, _ userID: Int64?) -> (String, [Value]) {
        let sql = """
            SELECT l.articles - ifnull(r.articles, 0) FROM label AS l
            LEFT JOIN label_read AS r ON r.user_id = ? AND r.label_id = l.id WHERE l.kind = ? AND l.key = ?
            """
        return (sql, [Value(userID), Value(kind.rawValue), Value(SearchText.fold(name))])
    }
}

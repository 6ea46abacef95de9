package import ArticleStore
package import Database
package import Text

/// The statement that selects the articles that a source does not keep and that no user needs. See
/// `ArticleWriter.expiredArticles(of:keeping:limit:)`.
package struct ExpiredArticles {
    /// The statement.
    package let sql: String
    /// The values of its parameters.
    package let values: [Value]

    /// Creates a statement. Returns nil if the source keeps all articles.
    package init?(of source: Source.ID, keeping retention: Retention, limit: Int, at now: Date) {
        let condition: String
        switch retention {
        case .all: return nil
        case .newest(let count):
            values = [Value(source), Value(count - 1)]
            condition = """
                (a.published_at, a.number) < (
                    SELECT n.published_at, n.number FROM article AS n WHERE n.source_id = ?1
                    ORDER BY n.published_at DESC, n.number DESC LIMIT 1 OFFSET ?2)
                """
        case .days(let count):
            values = [Value(source), Value(now.addingTimeInterval(-86_400 * Double(count)))]
            condition = "a.published_at < ?2"
        }
        sql = """
            SELECT a.id FROM article AS a WHERE a.source_id = ?1 AND \(condition) AND a.is_edited = 0
            AND NOT EXISTS (
                SELECT 1 FROM article_mark AS m WHERE m.article_id = a.id AND (m.is_starred = 1 OR m.is_later = 1))
            AND NOT EXISTS (SELECT 1 FROM article_note AS n WHERE n.article_id = a.id AND n.note IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM article_own_tag AS t WHERE t.article_id = a.id AND t.is_set = 1)
            AND EXISTS (SELECT 1 FROM user)
            AND NOT EXISTS (
                SELECT 1 FROM user AS u LEFT JOIN all_read AS r ON r.user_id = u.id
                LEFT JOIN article_mark AS m ON m.user_id = u.id AND m.article_id = a.id
                WHERE NOT ifnull(m.is_read, a.id <= ifnull(r.up_to, 0)))
            ORDER BY a.published_at, a.number LIMIT \(limit)
            """
    }
}

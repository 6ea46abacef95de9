package import ArticleStore
import Database
import Text

/// A condition on the marks of a user in SQL, from the settings of a list or from its search.
///
/// If few articles meet it, a list is read from the marks and sorted. Otherwise the list is read in its own order and
/// finds enough articles soon: if they are spread evenly, a list of fifty looks at a few thousand articles at most.
extension SingleMarkCondition {
    /// The number of the last article up to which the user has marked everything as read.
    static let end = "ifnull((SELECT up_to FROM all_read WHERE user_id = ?), 0)"

    private static let tagID = "(SELECT id FROM own_tag WHERE user_id = ? AND key = ?)"

    /// Returns the condition as SQL.
    ///
    /// - Parameter id: an SQL expression for the number of the article.
    func condition(of id: String) -> ListCondition {
        let userID = Value(userID)
        let exists = isSet ? "EXISTS" : "NOT EXISTS"
        switch mark {
        case .read:
            let said = "SELECT m.is_read FROM article_mark AS m WHERE m.user_id = ? AND m.article_id = \(id)"
            return ListCondition("ifnull((\(said)), \(id) <= \(Self.end)) = \(isSet ? 1 : 0)", userID, userID)
        case .starred, .later, .hidden:
            let column =
                switch mark {
                case .starred: "is_starred"
                case .later: "is_later"
                default: "is_hidden"
                }
            let row = "article_mark AS m WHERE m.user_id = ? AND m.article_id = \(id) AND m.\(column) = 1"
            return ListCondition("\(exists) (SELECT 1 FROM \(row))", userID)
        case .noted:
            let row = "article_note AS m WHERE m.user_id = ? AND m.article_id = \(id) AND m.note IS NOT NULL"
            return ListCondition("\(exists) (SELECT 1 FROM \(row))", userID)
        case .tag(let name):
            let row = "article_own_tag AS m WHERE m.tag_id = \(Self.tagID) AND m.article_id = \(id) AND m.is_set = 1"
            return ListCondition("\(exists) (SELECT 1 FROM \(row))", userID, Value(SearchText.fold(name)))
        }
    }

    /// The articles that can meet the condition; nil if only a scan of all articles finds them.
    package var candidates: Candidates? {
        let userID = Value(userID)
        func rows(_ table: String, _ condition: String, _ values: [Value]) -> Candidates {
            let source = "FROM \(table) WHERE \(condition)"
            return Candidates(
                sql: "SELECT article_id \(source)", values: values,
                count: "SELECT count(*) FROM (SELECT 1 \(source) LIMIT \(Candidates.few + 1))", countValues: values)
        }
        switch (mark, isSet) {
        case (.read, false):
            // The articles that were marked as unread, and those that arrived after everything was marked as read.
            let unread = "article_mark INDEXED BY article_mark_unread WHERE user_id = ? AND is_read = 0"
            return Candidates(
                sql: """
                    SELECT article_id FROM \(unread) AND article_id <= \(Self.end)
                    UNION ALL SELECT id FROM article WHERE id > \(Self.end)
                    """, values: [userID, userID, userID],
                count: """
                    SELECT (SELECT count(*) FROM (SELECT 1 FROM \(unread) LIMIT \(Candidates.few + 1)))
                    + ifnull((SELECT max(id) FROM article), 0) - \(Self.end)
                    """, countValues: [userID, userID])
        case (.starred, true):
            return rows("article_mark INDEXED BY article_mark_starred", "user_id = ? AND is_starred = 1", [userID])
        case (.later, true):
            return rows("article_mark INDEXED BY article_mark_later", "user_id = ? AND is_later = 1", [userID])
        case (.hidden, true):
            return rows("article_mark INDEXED BY article_mark_hidden", "user_id = ? AND is_hidden = 1", [userID])
        case (.noted, true): return rows("article_note", "user_id = ?", [userID])
        case (.tag(let name), true):
            return rows("article_own_tag", "tag_id = \(Self.tagID)", [userID, Value(SearchText.fold(name))])
        case (.read, true), (.starred, false), (.later, false), (.hidden, false), (.noted, false), (.tag, false):
            return nil
        }
    }
}

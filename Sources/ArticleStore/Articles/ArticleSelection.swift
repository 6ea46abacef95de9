/// A set of articles for a change of their marks: given by their IDs, or by a query that the store runs with the change.
public enum ArticleSelection: Sendable {
    /// The articles with these IDs. Unknown IDs are ignored.
    case ids([Int64])
    /// The articles that a query finds. Its order is ignored.
    case query(ArticleQuery)
    /// All articles.
    case all

    /// Whether it contains every article.
    package var isOfAll: Bool { endOfAll == .max }

    /// The end of the numbers of which it contains every article; nil if it has another condition.
    package var endOfAll: Int64? {
        switch self {
        case .all: .max
        case .query(let query): query.endOfAll
        case .ids: nil
        }
    }
}

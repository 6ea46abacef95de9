/// A set of articles for a change of their marks: given by their IDs, or by a query that the store runs with the change.
public enum ArticleSelection: Sendable {
    /// The articles with these IDs. Unknown IDs are ignored.
    case ids([Int64])
    /// The articles that a query finds. Its order is ignored.
    case query(ArticleQuery)
    /// All articles.
    case all

    /// Whether it contains every article.
    package var isOfAll: Bool {
        switch self {
        case .all: true
        case .query(let query): query.isOfAll
        case .ids: false
        }
    }
}

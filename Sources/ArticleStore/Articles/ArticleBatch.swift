/// Several whole articles of a list, and the start of the next batch.
public struct ArticleBatch: Sendable, Hashable {
    /// The articles, in the order of the query.
    public var articles: [Article]
    /// The start of the next batch; nil in the last batch.
    public var next: Cursor?

    /// Creates a batch.
    public init(articles: [Article], next: Cursor?) {
        self.articles = articles
        self.next = next
    }
}

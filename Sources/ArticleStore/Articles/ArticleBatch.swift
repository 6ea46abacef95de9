/// Some whole articles of a list, and where it goes on.
public struct ArticleBatch: Sendable, Hashable {
    /// The articles, in the order of the query.
    public var articles: [Article]
    /// The start of the next batch; nil in the last.
    public var next: Cursor?

    /// A batch of known parts.
    public init(articles: [Article], next: Cursor?) {
        self.articles = articles
        self.next = next
    }
}

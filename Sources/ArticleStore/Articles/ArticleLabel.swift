/// An author or a tag, and the number of its articles.
public struct ArticleLabel: Sendable, Hashable {
    /// The kinds of labels.
    public enum Kind: String, Sendable, Hashable {
        /// An author.
        case author
        /// A tag.
        case tag
    }

    /// Whether it is an author or a tag.
    public let kind: Kind
    /// The folded name, with which the label is found.
    public let key: String
    /// The name, in the spelling of the latest article.
    public let name: String
    /// The number of articles with the label.
    public let articles: Int

    /// Creates a label.
    public init(kind: Kind, key: String, name: String, articles: Int) {
        self.kind = kind
        self.key = key
        self.name = name
        self.articles = articles
    }
}

/// An author or a tag, and how many articles have it.
public struct ArticleLabel: Sendable, Hashable {
    /// Which of the two.
    public enum Kind: String, Sendable, Hashable {
        /// An author.
        case author
        /// A tag.
        case tag
    }

    /// Which of the two.
    public let kind: Kind
    /// The name folded: what it is found by.
    public let key: String
    /// The name as the latest article spells it.
    public let name: String
    /// How many articles have it.
    public let articles: Int

    /// A label.
    public init(kind: Kind, key: String, name: String, articles: Int) {
        self.kind = kind
        self.key = key
        self.name = name
        self.articles = articles
    }
}

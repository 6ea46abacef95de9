public import ArticleStore

/// Text to read.
public struct Document: Hashable, Sendable {
    /// A fact about the text, such as who wrote it.
    public struct Fact: Sendable, Hashable {
        /// What the fact is about.
        public let label: String
        /// The fact.
        public let value: String

        /// A fact.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// What to know about the text before reading it.
    public let facts: [Fact]
    /// The text.
    public let body: String
    /// How the text is to be read.
    public let format: Article.Format
    /// The address that links in the text are relative to; nil where it is not known.
    public let base: String?
    /// Where the text itself is on the web; nil where it is not known to be there.
    public let address: String?

    /// A document.
    public init(
        facts: [Fact], body: String = "", format: Article.Format = .plain, base: String? = nil, address: String? = nil
    ) {
        self.base = base
        self.address = address
        self.facts = facts
        self.body = body
        self.format = format
    }
}

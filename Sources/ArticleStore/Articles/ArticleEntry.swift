/// The facts that an import needs about an article of the library. No more is read of an article that has not changed.
public struct ArticleEntry: Sendable, Hashable {
    /// The number of the article.
    public var id: Int64
    /// The origin of the article.
    public var origin: ArticleOrigin

    /// An entry for an article.
    public init(id: Int64, origin: ArticleOrigin) {
        self.id = id
        self.origin = origin
    }
}

/// The origin of an article.
public struct ArticleOrigin: Sendable, Hashable {
    /// A hash of the record as its source had it; nil where it is not known.
    public var content: UInt64?
    /// Whether the article was changed here since.
    public var isEdited: Bool

    /// An origin.
    public init(content: UInt64? = nil, isEdited: Bool = false) {
        self.content = content
        self.isEdited = isEdited
    }
}

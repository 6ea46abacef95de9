/// The facts that an import needs about an article of the library. For an unchanged article, the import does not read
/// more.
public struct ArticleEntry: Sendable, Hashable {
    /// The number of the article.
    public var id: Int64
    /// The origin of the article.
    public var origin: ArticleOrigin

    /// Creates an entry.
    public init(id: Int64, origin: ArticleOrigin) {
        self.id = id
        self.origin = origin
    }
}

/// The origin of an article.
public struct ArticleOrigin: Sendable, Hashable {
    /// A hash of the source's record of the article; nil if unknown.
    public var content: UInt64?
    /// Whether the article was changed in the library after its import.
    public var isEdited: Bool

    /// Creates an origin.
    public init(content: UInt64? = nil, isEdited: Bool = false) {
        self.content = content
        self.isEdited = isEdited
    }
}

/// The name of an article for people: its number or its slug.
///
/// A text that is a number means the article with that number. If that does not exist, it means the article with that
/// slug.
public struct ArticleReference: Hashable, Sendable {
    /// The reference as it is written in a path or on a command line.
    public let description: String

    /// The number; nil if the text is not a number.
    public var number: Int64? { Int64(description) }

    /// Creates the reference that leads to an article: its slug, or its number if the slug could be read as a number.
    public init(to article: ArticleSummary) { self.init(id: article.id, slug: article.slug) }

    /// Creates the reference to an article: its slug, or its number if the slug looks like a number, because a number is looked up
    /// first.
    package init(id: Int64, slug: String) { description = Int64(slug) == nil ? slug : String(id) }
}

extension ArticleReference: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// Creates a reference from its text. Only a repository can tell whether the article exists.
    public init(_ text: String) { description = text }

    /// Creates a reference from its text.
    public init(stringLiteral text: String) { self.init(text) }
}

extension ArticleRepository {
    /// Returns the article that a reference names; nil if it does not exist.
    public func article(_ reference: ArticleReference) async throws -> Article? {
        if let number = reference.number, let article = try await article(id: number) { return article }
        return try await article(slug: reference.description)
    }
}

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

/// The name of an article for people: its number or its slug.
///
/// A text that reads as a number means the article of that number and, where there is none, the article that has it for
/// its slug.
public struct ArticleReference: Hashable, Sendable {
    /// The reference as it is written in a path or on a command line.
    public let description: String

    /// The number, where it reads as one.
    public var number: Int64? { Int64(description) }

    /// The reference that leads to an article: its slug, or its number where the slug could be taken for another's.
    public init(to article: ArticleSummary) {
        description = Int64(article.slug) == nil ? article.slug : String(article.id)
    }
}

extension ArticleReference: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// The reference that is written so. Whether an article answers to it, a repository knows.
    public init(_ text: String) { description = text }

    /// The reference that is written so.
    public init(stringLiteral text: String) { self.init(text) }
}

extension ArticleRepository {
    /// The article that a reference names; nil where it names none.
    public func article(_ reference: ArticleReference) async throws -> Article? {
        if let number = reference.number, let article = try await article(id: number) { return article }
        return try await article(slug: reference.description)
    }
}

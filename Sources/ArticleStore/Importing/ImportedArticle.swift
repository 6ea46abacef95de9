import Text

/// The result of an import, or of a dry run, for an article.
public struct ImportedArticle: Sendable, Hashable, CustomStringConvertible {
    /// The change to the article.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The article is new.
        case inserted
        /// The article has changed.
        case updated
        /// The article has a new key, but is otherwise unchanged.
        case renamed
        /// The article was changed both in its source and in the library, and was left unchanged.
        case kept
        /// The article was permanently deleted in the library, and was not imported again.
        case leftOut = "left out"
        /// The article has left its source and was removed.
        case removed
    }

    /// The change to the article.
    public var outcome: Outcome
    /// Its slug.
    public var slug: String
    /// The file of the article. For an article that has left its source, it is the name of the source and the key,
    /// separated by a colon.
    public var place: String
    /// The line on which it begins, from 1; nil if it is a whole file or was removed.
    public var line: Int?

    /// Creates the result for an article.
    public init(outcome: Outcome, slug: String, place: String, line: Int? = nil) {
        self.outcome = outcome
        self.slug = slug
        self.place = place
        self.line = line
    }

    /// A single line: `inserted  my-post  posts/my-post.md`.
    public var description: String {
        "\(outcome.rawValue)  \(slug)  \(place)\(line.map { ":\($0)" } ?? "")".sanitized()
    }
}

extension ImportedArticle {
    /// Nil if the article is unchanged.
    init?(_ article: IncomingArticle, _ upsert: Upsert, by writer: some ArticleWriter) throws {
        let outcome: Outcome
        switch upsert.outcome {
        case .inserted: outcome = .inserted
        case .updated: outcome = .updated
        case .renamed: outcome = .renamed
        case .kept: outcome = .kept
        case .deleted: outcome = .leftOut
        case .unchanged: return nil
        }
        let slug = try writer.article(id: upsert.id)?.slug ?? article.draft.slug
        self.init(outcome: outcome, slug: slug, place: article.file, line: article.line)
    }

    /// Reports articles that have left their source.
    static func removed(_ departure: Departure, by writer: some ArticleWriter, _ tell: (ImportedArticle) -> Void) throws
    {
        for (id, key) in zip(departure.articles, departure.keys) {
            guard let slug = try writer.article(id: id)?.slug else { continue }
            tell(ImportedArticle(outcome: .removed, slug: slug, place: "\(departure.source.name): \(key)"))
        }
    }
}

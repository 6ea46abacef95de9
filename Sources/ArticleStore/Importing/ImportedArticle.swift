import Text

/// An article that an import has put in, changed, left as it is or removed, or, as a dry run, would.
public struct ImportedArticle: Sendable, Hashable, CustomStringConvertible {
    /// What became of it.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It is new.
        case inserted
        /// It changed.
        case updated
        /// It has another key, and is the same else.
        case renamed
        /// It has changed in its source and was changed in the library too: it is left as it is.
        case kept
        /// It was deleted in the library for good, and is not brought back.
        case leftOut = "left out"
        /// It has left its source, and the library.
        case removed
    }

    /// What became of it.
    public var outcome: Outcome
    /// Its slug.
    public var slug: String
    /// The file that it is in; of one that has left its source the name of that and the key there, divided by a colon.
    public var place: String
    /// The line that it begins in, from 1; nil where it is the file as a whole, and where it is gone.
    public var line: Int?

    /// What became of an article.
    public init(outcome: Outcome, slug: String, place: String, line: Int? = nil) {
        self.outcome = outcome
        self.slug = slug
        self.place = place
        self.line = line
    }

    /// One line: `inserted  my-post  posts/my-post.md`.
    public var description: String {
        "\(outcome.rawValue)  \(slug)  \(place)\(line.map { ":\($0)" } ?? "")".sanitized()
    }
}

extension ImportedArticle {
    /// Nil where there is nothing to tell: it is the same as before.
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

    /// Articles that have left their source.
    static func removed(_ departure: Departure, by writer: some ArticleWriter, _ tell: (ImportedArticle) -> Void) throws
    {
        for (id, key) in zip(departure.articles, departure.keys) {
            guard let slug = try writer.article(id: id)?.slug else { continue }
            tell(ImportedArticle(outcome: .removed, slug: slug, place: "\(departure.source.name): \(key)"))
        }
    }
}

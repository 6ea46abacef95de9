public import ArticleStore
import Text

/// An event of a running import.
public enum ImportEvent: Sendable {
    /// A record was rejected.
    case rejected(Rejection)
    /// A file, folder, or link in a folder was skipped.
    case skipped(SkippedFile)
    /// A sentence about a file that was read, for the user.
    case note(String)
    /// The date of an article was assumed.
    case assumedDate(AssumedDate)
    /// An article was changed or skipped.
    case article(ImportedArticle)
    /// The progress so far. It is reported from time to time.
    case progress(ImportReport)
}

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

    /// Returns the results for articles that have left their source.
    static func removed(_ missing: MissingArticles, by writer: some ArticleWriter) throws -> [ImportedArticle] {
        try zip(missing.articles, missing.keys).compactMap { id, key in
            guard let slug = try writer.article(id: id)?.slug else { return nil }
            return ImportedArticle(outcome: .removed, slug: slug, place: "\(missing.source.name): \(key)")
        }
    }
}

/// A record that was not imported.
public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var source: String
    /// The line of the error, from 1; nil if it is the whole file.
    public var line: Int?
    /// The reason, in words for the user.
    public var reason: String

    /// Creates a rejection.
    public init(source: String, line: Int?, reason: String) {
        self.source = source
        self.line = line
        self.reason = reason
    }

    /// The line and the reason, for a user who knows the file: `line 12: what is wrong`.
    package var words: String { ((line.map { "line \($0): " } ?? "") + reason).sanitized() }

    /// A single line: `posts.jsonl:12: what is wrong`.
    public var description: String { "\(source):\(line.map { "\($0):" } ?? "") \(reason)".sanitized() }
}

/// A file, folder, or link that an import has skipped.
public struct SkippedFile: Sendable, Hashable, CustomStringConvertible {
    /// The path.
    public var source: String
    /// The reason, in words for the user.
    public var reason: String

    /// Whether you may have expected articles: it is a text in a notation that is not read, or a list of feeds without
    /// files.
    public var isDocument: Bool

    /// Creates an entry for a skipped path.
    public init(source: String, reason: String, isDocument: Bool = false) {
        self.source = source
        self.reason = reason
        self.isDocument = isDocument
    }

    /// A single line: `posts/node_modules: what it is`.
    public var description: String { "\(source): \(reason)".sanitized() }
}

public import Text

/// An article in a list, without the long parts. The properties have the same meaning as in ``Article``.
public struct ArticleSummary: Sendable, Hashable, Identifiable {
    /// The number of the article.
    public var id: Int64
    /// The name of its source.
    public var source: String
    /// The name in paths.
    public var slug: String
    /// The title.
    public var title: String
    /// The names of the authors.
    public var authors: [String]
    /// A short summary in plain text.
    public var summary: String
    /// The language as a BCP 47 tag, if known.
    public var language: String?
    /// The time of publication.
    public var published: Date
    /// The minutes by which the publisher's clock was ahead of UTC.
    public var publishedOffset: Int
    /// The time of the last change.
    public var updated: Date
    /// Tags and categories.
    public var tags: [String]
    /// The reading time in minutes.
    public var readingMinutes: Int
    /// The reason why a search found the article; nil without a search.
    public var found: SearchHit?

    /// Creates a summary.
    public init(
        id: Int64, source: String, slug: String, title: String, authors: [String], summary: String,
        language: String?, published: Date, publishedOffset: Int, updated: Date, tags: [String], readingMinutes: Int
    ) {
        self.id = id
        self.source = source
        self.slug = slug
        self.title = title
        self.authors = authors
        self.summary = summary
        self.language = language
        self.published = published
        self.publishedOffset = publishedOffset
        self.updated = updated
        self.tags = tags
        self.readingMinutes = readingMinutes
    }

    /// Creates the summary of an article.
    public init(_ article: Article) {
        self.init(
            id: article.id, source: article.source.name, slug: article.slug, title: article.title,
            authors: article.authors, summary: article.summary, language: article.language,
            published: article.published, publishedOffset: article.publishedOffset, updated: article.updated,
            tags: article.tags, readingMinutes: article.readingMinutes
        )
    }

    /// ``authors`` on one line, separated by commas; empty without authors.
    public var author: String { authors.joined(separator: ", ") }
}

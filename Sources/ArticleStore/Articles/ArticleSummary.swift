public import Essentials

/// An article as lists show it, without the long parts. The properties have the same meaning as in ``Article``.
public struct ArticleSummary: Sendable, Hashable, Identifiable {
    /// The number of the article.
    public var id: Int64
    /// The name of the source that it comes from.
    public var source: String
    /// Its name in a path.
    public var slug: String
    /// Its title.
    public var title: String
    /// The names of the authors.
    public var authors: [String]
    /// A few words on what it says, as plain text.
    public var summary: String
    /// Its language as a BCP 47 tag, where known.
    public var language: String?
    /// When it was published.
    public var published: Date
    /// How many minutes the clock of who published it was ahead of UTC.
    public var publishedOffset: Int
    /// When it last changed.
    public var updated: Date
    /// Tags and categories.
    public var tags: [String]
    /// How long it takes to read, in minutes.
    public var readingMinutes: Int
    /// Why a search found it; nil where nothing was searched for.
    public var found: SearchHit?

    /// A summary of known parts.
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

    /// The summary of an article at hand.
    public init(_ article: Article) {
        self.init(
            id: article.id, source: article.source.name, slug: article.slug, title: article.title,
            authors: article.authors, summary: article.summary, language: article.language,
            published: article.published, publishedOffset: article.publishedOffset, updated: article.updated,
            tags: article.tags, readingMinutes: article.readingMinutes
        )
    }

    /// ``authors`` as one line to show, joined by commas; empty where there is none.
    public var author: String { authors.joined(separator: ", ") }
}

public import Essentials

/// An article of the library with its body. Lists use ``ArticleSummary``, which lacks the body.
public struct Article: Sendable, Hashable, Identifiable {
    /// How the text of a body is to be read.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Markdown, CommonMark with the usual extensions.
        case markdown
        /// HTML, a fragment or a whole document.
        case html
        /// Text to be shown as it stands.
        case plain
    }

    /// The number that the library gave it, which an update keeps.
    public var id: Int64
    /// The source of the article.
    public var source: SourceReference
    /// The key of the article in its source. It is unique there, and imports recognize the article by it.
    public var key: ExactText
    /// The name it has in a path and in a link: unique in the library, and given once.
    public var slug: String
    /// The title, exactly as it was written.
    public var title: String
    /// The names of the authors, in the order of the source.
    public var authors: [String]
    /// A few words on what it says, as plain text: those of the source, else the start of the body.
    public var summary: String
    /// The text, in ``format``.
    public var body: String
    /// How ``body`` is to be read.
    public var format: Format
    /// The language as a BCP 47 tag, such as `en` or `pt-BR`, where the source named one.
    public var language: String?
    /// The address of the original, an `http` or `https` URL, if the source gave one.
    public var sourceURL: String?
    /// The address that relative links in ``body`` are relative to, where the source said one that is not ``sourceURL``.
    public var baseURL: String?
    /// When it was published, in whole seconds.
    public var published: Date
    /// How many minutes the clock of who published it was ahead of UTC, so that the day is shown that was written.
    public var publishedOffset: Int
    /// When it last changed, in whole seconds.
    public var updated: Date
    /// Tags and categories, in the order of the source.
    public var tags: [String]
    /// How long it takes to read, in minutes, at least 1.
    public var readingMinutes: Int
    /// The fields of the source that no property holds, as the text of a JSON object; `{}` for nothing.
    public var extra: String

    /// An article of known parts.
    public init(
        id: Int64, source: SourceReference, key: ExactText, slug: String, title: String, authors: [String] = [],
        summary: String = "", body: String,
        format: Format = .markdown, language: String? = nil, sourceURL: String? = nil, baseURL: String? = nil,
        published: Date, publishedOffset: Int = 0, updated: Date, tags: [String] = [], readingMinutes: Int = 1,
        extra: String = "{}"
    ) {
        self.id = id
        self.source = source
        self.key = key
        self.slug = slug
        self.title = title
        self.authors = authors
        self.summary = summary
        self.body = body
        self.format = format
        self.language = language
        self.sourceURL = sourceURL
        self.baseURL = baseURL
        self.published = published
        self.publishedOffset = publishedOffset
        self.updated = updated
        self.tags = tags
        self.readingMinutes = readingMinutes
        self.extra = extra
    }

    /// ``authors`` as one line to show, joined by commas; empty where there is none.
    public var author: String { authors.joined(separator: ", ") }

    /// The address that relative links in ``body`` are relative to: its own, else that of its original, else that of its source.
    /// Nil where none of them is known.
    public var address: String? { baseURL ?? sourceURL ?? source.home }
}

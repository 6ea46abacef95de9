public import Essentials
import Markup
import Text

/// An article as a source brings it: without a number, and with whatever it says of its dates.
public struct ArticleDraft: Sendable, Hashable {
    /// The key of the article in its source. Drafts with the same key are versions of one article.
    public package(set) var key: ExactText
    /// The slug that the article should get if no other article has it.
    public let slug: String
    /// The title.
    public let title: String
    /// The names of the authors. Names that differ only in case count once.
    public let authors: [String]
    /// A few words on what it says; those of the source, else the start of the body.
    public let summary: String
    /// The text, in ``format``.
    public let body: String
    /// How ``body`` is to be read.
    public let format: Article.Format
    /// The language as a BCP 47 tag in its customary case.
    public let language: String?
    /// The address of the original.
    public let sourceURL: String?
    /// The address that relative links in ``body`` are relative to, where it is not ``sourceURL``.
    public let baseURL: String?
    /// When it was published, where the source says so.
    public let published: Date?
    /// How many minutes the clock of who published it was ahead of UTC; within a day, and 0 without a date.
    public let publishedOffset: Int
    /// When it last changed, where the source says so.
    public package(set) var updated: Date?
    /// Tags and categories. Those that differ only in case count once.
    public let tags: [String]
    /// How long it takes to read, in minutes.
    public let readingMinutes: Int
    /// The fields of the source that no property holds, as the text of a JSON object.
    public let extra: String
    /// The date that an import assumes for one that it cannot read; nil if it could read it.
    var unread: UnreadDate?
    /// The marks of a reader as an export wrote them; nil if it wrote none. They are not part of an article.
    var marks: JSON?

    /// A draft, of whatever the source says; the rest follows from it.
    ///
    /// The slug is put into the form of ``Slug/make(from:)``; without one, it is made from the title. Without a key, the slug is
    /// one. The summary is cut
    /// at a word to 1,000 scalars; without one, it is the first paragraph of the body as plain text, cut to 280. Dates are
    /// kept to whole seconds within the years 1 to 9999. `extra` is the text of a JSON object.
    public init(
        key: ExactText? = nil, slug: String? = nil, title: String, authors: [String] = [], summary: String? = nil,
        body: String, format: Article.Format = .markdown, language: String? = nil, sourceURL: String? = nil,
        baseURL: String? = nil, published: Date? = nil, publishedOffset: Int = 0, updated: Date? = nil,
        tags: [String] = [], extra: String = "{}"
    ) {
        self.slug = Slug.make(from: slug ?? title)
        self.key = key ?? ExactText(self.slug)
        self.title = title
        self.authors = Self.distinct(authors)
        let digest = Excerpt.digest(of: body, format, needsParagraph: summary == nil)
        self.summary = Excerpt.cut(
            summary.map { String($0.trimmed) } ?? digest.paragraph, to: summary == nil ? 280 : 1000)
        self.body = body
        self.format = format
        self.language = language.map(LanguageTag.canonical).flatMap { $0.isEmpty ? nil : $0 }
        self.sourceURL = sourceURL
        self.baseURL = baseURL == sourceURL ? nil : baseURL
        self.published = published?.whole
        self.publishedOffset = published != nil && abs(publishedOffset) < 1440 ? publishedOffset : 0
        self.updated = updated?.whole
        self.tags = Self.distinct(tags)
        self.readingMinutes = ReadingTime.minutes(ofWords: digest.words)
        self.extra = extra
    }

    /// A draft of what a library says of an article of its own: nothing is put into another form, and only what is nil follows
    /// from the rest.
    ///
    /// Only harmful values are replaced: an invalid slug, names without text or given twice, a summary or a reading time
    /// that no article can have.
    init(
        exactly key: ExactText, slug: String?, title: String, authors: [String], summary: String?, body: String,
        format: Article.Format, language: String?, sourceURL: String?, baseURL: String?, published: Date?,
        publishedOffset: Int, updated: Date?, tags: [String], readingMinutes: Int?, extra: String
    ) {
        self.key = key
        self.slug = slug.flatMap { Slug.isSlug($0) ? $0 : nil } ?? Slug.make(from: slug ?? title)
        self.title = title
        self.authors = Self.distinct(authors)
        self.summary = summary.map { Excerpt.cut($0, to: 1000) } ?? Excerpt.make(from: body, format)
        self.body = body
        self.format = format
        self.language = language.map(LanguageTag.canonical).flatMap { $0.isEmpty ? nil : $0 }
        self.sourceURL = sourceURL
        self.baseURL = baseURL
        self.published = published?.whole
        self.publishedOffset = published != nil && abs(publishedOffset) < 1440 ? publishedOffset : 0
        self.updated = updated?.whole
        self.tags = Self.distinct(tags)
        self.readingMinutes =
            readingMinutes.flatMap { $0 > 0 ? $0 : nil }
            ?? ReadingTime.minutes(ofWords: Excerpt.digest(of: body, format, needsParagraph: false).words)
        self.extra = extra
    }

    /// Whether a text is an address that an article may have: one of the web.
    package static func isWebAddress(_ text: String) -> Bool { ArticleFields.webAddress(text) != nil }

    /// The draft as a new article.
    func article(id: Int64, source: SourceReference, slug: String, now: Date) -> Article {
        let published = published ?? unread?.date?.whole ?? now.whole
        return article(
            id: id, source: source, slug: slug, published: (published, publishedOffset), updated: updated ?? published)
    }

    /// The draft as the next version of an article; the same article where it changes nothing. A name that was given stays,
    /// and so does the date of change where nothing but the key is another.
    func article(replacing old: Article, source: SourceReference, now: Date) -> Article {
        let published = published.map { ($0, publishedOffset) } ?? (old.published, old.publishedOffset)
        var new = article(
            id: old.id, source: source, slug: old.slug, published: published, updated: updated ?? old.updated)
        if updated == nil {
            var here = old
            (here.source, here.key) = (new.source, new.key)
            if !new.isIdentical(to: here) { new.updated = now.whole }
        }
        return new
    }

    private func article(
        id: Int64, source: SourceReference, slug: String, published: (date: Date, offset: Int), updated: Date
    ) -> Article {
        Article(
            id: id, source: source, key: key, slug: slug, title: title, authors: authors, summary: summary, body: body,
            format: format, language: language, sourceURL: sourceURL, baseURL: baseURL, published: published.date,
            publishedOffset: published.offset, updated: updated, tags: tags, readingMinutes: readingMinutes,
            extra: extra
        )
    }

    /// The names without empty ones and repetitions.
    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { name in
            let key = FoldedKey.fold(name)
            return !key.isEmpty && seen.insert(key).inserted
        }
    }
}

extension Article {
    /// Whether the bytes of every property are the same. Equality of Swift's strings is weaker: it holds for different
    /// spellings of one letter, and an import must not take a corrected spelling for the old.
    package func isIdentical(to other: Article) -> Bool {
        id == other.id && source == other.source && published == other.published
            && publishedOffset == other.publishedOffset && updated == other.updated
            && readingMinutes == other.readingMinutes && format == other.format
            && key == other.key && slug.isIdentical(to: other.slug) && title.isIdentical(to: other.title)
            && summary.isIdentical(to: other.summary) && body.isIdentical(to: other.body)
            && extra.isIdentical(to: other.extra)
            && (language ?? "").isIdentical(to: other.language ?? "")
            && (sourceURL ?? "").isIdentical(to: other.sourceURL ?? "")
            && (baseURL ?? "").isIdentical(to: other.baseURL ?? "")
            && authors.isIdentical(to: other.authors) && tags.isIdentical(to: other.tags)
    }
}

extension Article {
    /// The article that its text alone makes: its summary and its reading time follow the text, unless they were given.
    package var ofTextAlone: ArticleDraft { ArticleDraft(key: "", slug: "", title: "", body: body, format: format) }

    /// The summary, or nil if it is that of ``ofTextAlone``.
    package func givenSummary(besides made: ArticleDraft) -> String? {
        summary.isIdentical(to: made.summary) ? nil : summary
    }
}

public import Text
import Markup

/// An article as its source gives it: without a number, and possibly without dates.
public struct ArticleDraft: Sendable, Hashable {
    /// The key of the article in its source. Drafts with the same key are versions of one article.
    public package(set) var key: ExactText
    /// The slug that the article should get if no other article has it.
    public let slug: String
    /// The title.
    public package(set) var title: String
    /// The names of the authors. Names that differ only in case count once.
    public package(set) var authors: [String]
    /// A short summary: from the source, or else the start of the body.
    public private(set) var summary: String
    /// The text, in ``format``.
    public private(set) var body: String
    /// The format of ``body``.
    public private(set) var format: Article.Format
    /// The language as a BCP 47 tag in its usual case.
    public package(set) var language: String?
    /// The address of the original.
    public package(set) var sourceURL: String?
    /// The base address for relative links in ``body``, if it differs from ``sourceURL``.
    public package(set) var baseURL: String?
    /// The time of publication; nil if the source does not give it.
    public package(set) var published: Date?
    /// The minutes by which the publisher's clock was ahead of UTC: less than a day, and 0 without a date.
    public package(set) var publishedOffset: Int
    /// The time of the last change; nil if the source does not give it.
    public package(set) var updated: Date?
    /// Tags and categories. Names with the same ``TagName/key`` count once.
    public package(set) var tags: [String]
    /// The reading time in minutes.
    public private(set) var readingMinutes: Int
    /// The fields of the source for which this type does not have a property, as the text of a JSON object.
    public let extra: String
    /// The date that an import assumes because it could not read the date of the source; nil if it could.
    package var dateFallback: DateFallback?
    /// A user's marks from an export; nil if the export did not contain any. They are not part of the article.
    package var marks: JSON?
    /// The appearances in an export. They are not part of the article.
    package var appearances: [ArticleAppearance] = []

    /// Creates a draft from the values that the source gives. Missing values are derived from the others.
    ///
    /// The slug is converted with ``Slug/make(from:)``. Without a slug, it is made from the title. Without a key, the
    /// slug is the key. The summary is cut at a word to 1,000 scalars. Without a summary, it is the first paragraph of
    /// the body as plain text, cut to 280 scalars. Dates are rounded down to whole seconds and limited to the years 1 to
    /// 9999. `extra` is the text of a JSON object.
    public init(
        key: ExactText? = nil, slug: String? = nil, title: String, authors: [String] = [], summary: String? = nil,
        body: String, format: Article.Format = .markdown, language: String? = nil, sourceURL: String? = nil,
        baseURL: String? = nil, published: Date? = nil, publishedOffset: Int = 0, updated: Date? = nil,
        tags: [String] = [], extra: String = "{}"
    ) {
        self.slug = Slug.make(from: slug ?? title)
        self.key = key ?? ExactText(self.slug)
        self.title = title
        self.authors = authors
        (self.body, self.format, self.summary, readingMinutes) = Self.text(body, format, summary: summary)
        self.language = language
        self.sourceURL = sourceURL
        self.baseURL = baseURL == sourceURL ? nil : baseURL
        self.published = published
        self.publishedOffset = publishedOffset
        self.updated = updated
        self.tags = tags
        self.extra = extra
        normalize()
    }

    /// Creates a draft of an article that came from a library's export. The values stay as they are, and only nil
    /// values are derived from the others.
    ///
    /// Only invalid values are replaced: an invalid slug, empty or repeated names, and a summary or a reading time
    /// outside the limits.
    package init(
        exactly key: ExactText, slug: String?, title: String, authors: [String], summary: String?, body: String,
        format: Article.Format, language: String?, sourceURL: String?, baseURL: String?, published: Date?,
        publishedOffset: Int, updated: Date?, tags: [String], readingMinutes: Int?, extra: String
    ) {
        self.key = key
        self.slug = slug.flatMap { Slug.isSlug($0) ? $0 : nil } ?? Slug.make(from: slug ?? title)
        self.title = title
        self.authors = authors
        self.summary = summary.map { Excerpt.cut($0, to: 1000) } ?? Excerpt.make(from: body, format)
        self.body = body
        self.format = format
        self.language = language
        self.sourceURL = sourceURL
        self.baseURL = baseURL
        self.published = published
        self.publishedOffset = publishedOffset
        self.updated = updated
        self.tags = tags
        self.readingMinutes =
            readingMinutes.flatMap { $0 > 0 ? $0 : nil }
            ?? ReadingTime.minutes(ofWords: Excerpt.digest(of: body, format, needsParagraph: false).words)
        self.extra = extra
        normalize()
    }

    /// Creates a draft with all values of an article.
    package init(_ article: Article) {
        self.init(
            exactly: article.key, slug: article.slug, title: article.title, authors: article.authors,
            summary: article.summary, body: article.body, format: article.format, language: article.language,
            sourceURL: article.sourceURL, baseURL: article.baseURL, published: article.published,
            publishedOffset: article.publishedOffset, updated: article.updated, tags: article.tags,
            readingMinutes: article.readingMinutes, extra: article.extra)
    }

    /// Returns the draft after a change, to whose values the rules of the initializer apply.
    package func changed<E>(by change: (inout ArticleDraft) throws(E) -> Void) throws(E) -> ArticleDraft {
        var new = self
        try change(&new)
        if new.baseURL == new.sourceURL { new.baseURL = nil }
        new.normalize()
        return new
    }

    /// Replaces the text, and derives the reading time and a missing summary from it.
    package mutating func replaceText(with body: String, _ format: Article.Format, summary: String?) {
        (self.body, self.format, self.summary, readingMinutes) = Self.text(body, format, summary: summary)
    }

    private static func text(
        _ body: String, _ format: Article.Format, summary: String?
    ) -> (body: String, format: Article.Format, summary: String, readingMinutes: Int) {
        let digest = Excerpt.digest(of: body, format, needsParagraph: summary == nil)
        let summary = Excerpt.cut(
            summary.map { String($0.trimmed) } ?? digest.paragraph, to: summary == nil ? 280 : 1000)
        return (body, format, summary, ReadingTime.minutes(ofWords: digest.words))
    }

    private mutating func normalize() {
        authors = Self.distinct(authors, key: FoldedKey.fold)
        language = language.map(LanguageTag.canonical).flatMap { $0.isEmpty ? nil : $0 }
        published = published?.whole
        if published == nil || abs(publishedOffset) >= 1440 { publishedOffset = 0 }
        updated = updated?.whole
        tags = Self.distinct(tags) { TagName(stored: $0).key }
    }

    /// Whether a text is an address that an article may have: an address of the web.
    package static func isWebAddress(_ text: String) -> Bool { WebAddress.valid(text) != nil }

    /// Returns the draft as a new article.
    package func article(id: Int64, source: SourceReference, slug: String, now: Date) -> Article {
        let published = published ?? dateFallback?.date?.whole ?? now.whole
        return article(
            id: id, source: source, slug: slug, published: (published, publishedOffset), updated: updated ?? published)
    }

    /// Returns the draft as the next version of an article, or the same article if the draft does not change it. The
    /// slug stays. The time of the last change also stays if only the key differs.
    package func article(replacing old: Article, source: SourceReference, now: Date) -> Article {
        let published = published.map { ($0, publishedOffset) } ?? (old.published, old.publishedOffset)
        var new = article(
            id: old.id, source: source, slug: old.slug, published: published, updated: updated ?? old.updated)
        new.appearances = old.appearances
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

    /// Returns the names without empty names and without those that have the key of an earlier one.
    private static func distinct(_ names: [String], key: (String) -> String) -> [String] {
        var seen: Set<String> = []
        return names.filter { name in
            let key = key(name)
            return !key.isEmpty && seen.insert(key).inserted
        }
    }
}

extension Article {
    /// Whether the bytes of every property except the appearances are equal. Swift's strings are also equal for different spellings of the
    /// same letter, but an import must notice a corrected spelling.
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
    /// The draft that results from the text alone. Unless they were given, the summary and the reading time of the
    /// article are those of this draft.
    package var ofTextAlone: ArticleDraft { ArticleDraft(key: "", slug: "", title: "", body: body, format: format) }

    /// Returns the summary; nil if it is the summary of ``ofTextAlone``.
    package func givenSummary(besides made: ArticleDraft) -> String? {
        summary.isIdentical(to: made.summary) ? nil : summary
    }
}

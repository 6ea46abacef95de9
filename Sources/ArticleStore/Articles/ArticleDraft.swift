public import Essentials
import Markup
import Platform
import Text

/// An article as a source brings it: without a number, and with whatever it says of its dates.
public struct ArticleDraft: Sendable, Hashable {
    /// What names the article. Drafts of one slug are versions of one article.
    public let slug: String
    /// The title.
    public let title: String
    /// Who wrote it. Names that differ only in case count once.
    public let authors: [String]
    /// A few words on what it says; those of the source, else the start of the body.
    public let summary: String
    /// The text, in ``format``.
    public let body: String
    /// How ``body`` is to be read.
    public let format: Article.Format
    /// The language as a BCP 47 tag in its customary case.
    public let language: String?
    /// Where the original is.
    public let sourceURL: String?
    /// When it was published, where the source says so.
    public let published: Date?
    /// When it last changed, where the source says so.
    public let updated: Date?
    /// Tags and categories. Those that differ only in case count once.
    public let tags: [String]
    /// How long it takes to read, in minutes.
    public let readingMinutes: Int
    /// What the source says and no property holds, as the text of a JSON object.
    public let extra: String

    /// A draft, of whatever the source says; the rest follows from it.
    ///
    /// The slug is put into the form of ``Slug/make(from:)``; without one, it is made from the title. The summary is cut
    /// at a word to 1,000 scalars; without one, it is the first paragraph of the body as plain text, cut to 280. Dates are
    /// kept to whole seconds within the years 1 to 9999. `extra` is the text of a JSON object.
    public init(
        slug: String? = nil, title: String, authors: [String] = [], summary: String? = nil, body: String,
        format: Article.Format = .markdown, language: String? = nil, sourceURL: String? = nil, published: Date? = nil,
        updated: Date? = nil, tags: [String] = [], extra: String = "{}"
    ) {
        self.slug = Slug.make(from: slug ?? title)
        self.title = title
        self.authors = Self.distinct(authors)
        let digest = Excerpt.digest(of: body, format, needsParagraph: summary == nil)
        self.summary = Excerpt.cut(
            summary.map { String($0.trimmed) } ?? digest.paragraph, to: summary == nil ? 280 : 1000)
        self.body = body
        self.format = format
        self.language = language.map(LanguageTag.canonical).flatMap { $0.isEmpty ? nil : $0 }
        self.sourceURL = sourceURL
        self.published = published?.whole
        self.updated = updated?.whole
        self.tags = Self.distinct(tags)
        self.readingMinutes = ReadingTime.minutes(ofWords: digest.words)
        self.extra = extra
    }

    /// The draft as the article of a number, where the slug is new.
    package func article(id: Int64, now: Date) -> Article {
        let published = published ?? now.whole
        return article(id: id, published: published, updated: updated ?? published)
    }

    /// The draft as the next version of an article; the same article where it changes nothing.
    package func article(replacing old: Article, now: Date) -> Article {
        let same = article(id: old.id, published: published ?? old.published, updated: updated ?? old.updated)
        if updated != nil || same.isIdentical(to: old) { return same }
        return article(id: old.id, published: published ?? old.published, updated: now.whole)
    }

    private func article(id: Int64, published: Date, updated: Date) -> Article {
        Article(
            id: id, slug: slug, title: title, authors: authors, summary: summary, body: body, format: format,
            language: language, sourceURL: sourceURL, published: published, updated: updated, tags: tags,
            readingMinutes: readingMinutes, extra: extra
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
        id == other.id && published == other.published && updated == other.updated
            && readingMinutes == other.readingMinutes && format == other.format
            && slug.isIdentical(to: other.slug) && title.isIdentical(to: other.title)
            && summary.isIdentical(to: other.summary) && body.isIdentical(to: other.body)
            && extra.isIdentical(to: other.extra)
            && (language ?? "").isIdentical(to: other.language ?? "")
            && (sourceURL ?? "").isIdentical(to: other.sourceURL ?? "")
            && authors.isIdentical(to: other.authors) && tags.isIdentical(to: other.tags)
    }
}

extension [String] {
    /// Whether the bytes of every element are the same.
    func isIdentical(to other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }
}

extension String {
    /// Whether the bytes are the same.
    func isIdentical(to other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let left = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(left, other, right.count) == 0
            }
        }
    }
}

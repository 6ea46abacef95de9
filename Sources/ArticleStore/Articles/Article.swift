package import Markup
public import Text

/// An article of the library with its body. Lists use ``ArticleSummary``, which does not have the body.
public struct Article: Sendable, Hashable, Identifiable {
    /// The format of a body.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Markdown: CommonMark with the usual extensions.
        case markdown
        /// HTML: a fragment or a whole document.
        case html
        /// Plain text, which is shown unchanged.
        case plain
    }

    /// The number that the library gave the article. An update does not change it.
    public var id: Int64
    /// The source of the article.
    public var source: SourceReference
    /// The key of the article in its source. It is unique there, and imports recognize the article by it.
    public var key: ExactText
    /// The name in paths and links. It is unique in the library, and it never changes.
    public var slug: String
    /// The title, exactly as it was written.
    public var title: String
    /// The names of the authors, in the order of the source.
    public var authors: [String]
    /// A short summary in plain text: from the source, or else the start of the body.
    public var summary: String
    /// The text, in ``format``.
    public var body: String
    /// The format of ``body``.
    public var format: Format
    /// The language as a BCP 47 tag, such as `en` or `pt-BR`; nil if the source did not name one.
    public var language: String?
    /// The address of the original, an `http` or `https` URL; nil if the source did not give one.
    public var sourceURL: String?
    /// The base address for relative links in ``body``, if the source gave one that differs from ``sourceURL``.
    public var baseURL: String?
    /// The time of publication, in whole seconds.
    public var published: Date
    /// The minutes by which the publisher's clock was ahead of UTC. With it, the article shows the day that the source
    /// wrote.
    public var publishedOffset: Int
    /// The time of the last change, in whole seconds.
    public var updated: Date
    /// Tags and categories, in the order of the source.
    public var tags: [String]
    /// The reading time in minutes, at least 1.
    public var readingMinutes: Int
    /// The fields of the source for which this type does not have a property, as the text of a JSON object; `{}`
    /// without such fields.
    public var extra: String
    /// The entries of other sources that are the same story, the earliest first. Writes of the article do not change them.
    public var appearances: [ArticleAppearance]

    /// Creates an article from its properties.
    public init(
        id: Int64, source: SourceReference, key: ExactText, slug: String, title: String, authors: [String] = [],
        summary: String = "", body: String,
        format: Format = .markdown, language: String? = nil, sourceURL: String? = nil, baseURL: String? = nil,
        published: Date, publishedOffset: Int = 0, updated: Date, tags: [String] = [], readingMinutes: Int = 1,
        extra: String = "{}", appearances: [ArticleAppearance] = []
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
        self.appearances = appearances
    }

    /// ``authors`` on one line, separated by commas; empty without authors.
    public var author: String { authors.joined(separator: ", ") }

    /// The base address for relative links in ``body``: ``baseURL``, or else ``sourceURL``, or else the home address of
    /// the source; nil if all are unknown.
    public var address: String? { baseURL ?? sourceURL ?? source.home }
}

extension Article {
    /// The web address of the original; nil if it is not a web address.
    package var webAddress: String? { sourceURL.flatMap(WebAddress.valid) }

    /// The base of relative addresses in the body, if it is known and a web address.
    package var webBase: String? { address.flatMap(WebAddress.valid) }

    /// The body as a tree. Its addresses are as they were written.
    package var document: MarkupDocument { format.document(of: body) }

    /// The body as a tree with absolute addresses. If the base is unknown, relative addresses stay relative.
    package var resolvedDocument: MarkupDocument { webBase.map { document.resolved(against: $0) } ?? document }
}

extension Article.Format {
    /// Returns a text in this format as a tree. Markdown that the parser refuses is shown as plain text.
    package func document(of text: String) -> MarkupDocument {
        switch self {
        case .markdown: MarkupDocument(markdown: text) ?? MarkupDocument(plain: text)
        case .html: MarkupDocument(html: text)
        case .plain: MarkupDocument(plain: text)
        }
    }
}

extension Article {
    /// The keys of ``extra``; empty if it is not an object.
    package var extraKeys: [String] { Self.keys(ofExtra: extra) }

    /// Returns the keys of a JSON object; empty for any other text.
    package static func keys(ofExtra extra: String) -> [String] {
        var text = extra
        return text.withUTF8 { try? JSONParser.value(of: $0) }?.members?.map(\.key) ?? []
    }

    /// ``extra`` as a JSON value. It is an object if reading the object back gives exactly the same text; otherwise it
    /// is the text as a string. Nil for an empty object.
    package var writtenExtra: JSON? {
        if extra == "{}" { return nil }
        var text = extra
        guard let value = text.withUTF8({ try? JSONParser.value(of: $0) }), case .object(let members) = value else {
            return .string(extra)
        }
        // The value will be nested in the record and, in front matter, in a key, so leave room below the limits.
        guard !members.isEmpty, value.depth + 2 <= JSON.depthLimit, value.count + 1000 <= JSON.countLimit else {
            return .string(extra)
        }
        var writer = JSONWriter()
        writer.value(value, isCanonical: true)
        return writer.text.isIdentical(to: extra) ? value : .string(extra)
    }
}

extension JSON {
    /// The number of values in this value, including itself.
    fileprivate var count: Int {
        switch self {
        case .null, .bool, .number, .string, .encoded: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }
}

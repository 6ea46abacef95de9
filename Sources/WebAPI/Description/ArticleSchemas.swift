import ArticleStore
import HTTPServer
import Text

/// The schemas of articles.
extension Schema {
    private static func names(_ limit: Int) -> Schema {
        .array(.string(Text(length: 1...1000, isVisible: true)), atMost: limit)
    }

    private static let summaryMembers: [Member] = [
        Member("id", .articleID, "the number, which is never used for another article"),
        Member("slug", .text, "the name in addresses"),
        Member("title", .text), Member("author", .text, "all authors in one line"), Member("authors", .array(.text)),
        Member("published", .time, "in the time zone of the author"), Member("updated", .time),
        Member("tags", .array(.text)), Member("summary", .text), Member("language", .optional(.text), "a BCP 47 tag"),
        Member("readingMinutes", .count), Member("source", .text, "the name of the source"),
    ]

    private static let piece = Schema.object([Member("text", .text), Member("marked", .boolean)])

    /// An article in a list.
    static let summary = named(
        "ArticleSummary",
        .object(
            summaryMembers + [
                url,
                Member(
                    "found",
                    .object([
                        Member("score", .optional(.number)), Member("title", .optional(.array(piece))),
                        Member("excerpt", .optional(.array(piece))),
                    ]), isRequired: false, "the matches of the search"),
                Member("marks", marks),
            ]))

    /// An article with its text and the caller's marks.
    static let article = named("Article", .object(articleMembers + [Member("marks", marks)]))

    /// An article with its text, without marks.
    static let bareArticle = named("BareArticle", .object(articleMembers))

    private static let articleMembers =
        summaryMembers + [
            Member("sourceID", .text, "the ID of the source, the same in every library"),
            Member("key", .text, "the key of the article in its source"),
            Member("publishedOffset", .integer(-1440...1440), isRequired: false),
            Member("format", format), url,
            Member("base", .optional(.text), "the base URL of its relative links"), Member("body", .text),
            Member(
                "extra", .either([.object([], isOpen: true), .text]), "other properties from the source"),
            Member(
                "sources", .array(articleSource), "the source of the article, and the other sources with the same story"
            ),
        ]

    /// A source of an article.
    private static let articleSource = named(
        "ArticleSource",
        .object([
            Member("id", .text, "the ID of the source, the same in every library"), Member("name", .text),
            Member("address", .optional(.text), "the address to which the source links"),
            Member("title", .text, isRequired: false, "the title in another source"),
            Member("key", .text, isRequired: false, "the key in another source"),
            Member("format", format, isRequired: false),
            Member("body", .text, isRequired: false, "the text in another source, if it differs"),
        ]))

    private static let url = Member("url", .optional(.text), "the address of the original")

    private static let format = choice(Article.Format.allCases.map(\.rawValue))

    private static let inputMembers: [Member] = [
        Member("authors", names(200), isRequired: false), Member("tags", names(200), isRequired: false),
        Member("summary", .optional(.text), isRequired: false, "the default is the beginning of the text"),
        Member("format", format, isRequired: false), Member("language", .optional(.text), isRequired: false),
        Member("url", .optional(.text), isRequired: false, "an http or https address"),
        Member("base", .optional(.text), isRequired: false, "an http or https address"),
    ]

    private static let title = Schema.string(Text(length: 1...10_000, isVisible: true))

    /// A new article.
    static let articleInput = named(
        "ArticleInput",
        .object(
            [
                Member("title", title), Member("body", .text),
                Member("slug", .string(Text(length: 1...1000)), isRequired: false, "the preferred slug"),
                Member(
                    "source", .string(Text(length: 1...200)), isRequired: false,
                    "a source to which articles can be added; the default is “library”"),
                Member("published", .optional(.time), isRequired: false, "the default is now"),
            ] + inputMembers))

    /// Changes of an article. Null removes an optional member.
    static let articleChange = named(
        "ArticleChange",
        .object(
            [
                Member("title", title, isRequired: false), Member("body", .text, isRequired: false),
                Member("published", .time, isRequired: false),
            ] + inputMembers))
}

extension ArticleDraft {
    /// Creates the article that the body of a request describes.
    ///
    /// - Parameter body: a value of `Schema.articleInput`.
    /// - Throws: `Problem` if an address is not `http` or `https`, or the language is not a tag; `TagError`.
    init(creating body: JSON) throws {
        try Self.checkForms(body)
        let published = body["published"]?.string.flatMap { WrittenTime($0) }
        self.init(
            slug: body["slug"]?.string, title: body["title"]?.string ?? "", authors: body["authors"]?.strings ?? [],
            summary: body["summary"]?.string, body: body["body"]?.string ?? "",
            format: body["format"]?.string.flatMap { Article.Format(rawValue: $0) } ?? .markdown,
            language: body["language"]?.string, sourceURL: body["url"]?.string, baseURL: body["base"]?.string,
            published: published?.date, publishedOffset: published?.offset ?? 0,
            tags: try TagName.checked(body["tags"]?.strings ?? []))
    }

    /// Creates the content of a changed article.
    ///
    /// - Parameters:
    ///   - article: the article before the change.
    ///   - body: a value of `Schema.articleChange`. Omitted members stay unchanged.
    /// - Throws: `Problem` if an address is not `http` or `https`, or the language is not a tag; `TagError`.
    init(changing article: Article, into body: JSON) throws {
        try Self.checkForms(body)
        /// Null removes the value. If the member is omitted, the value stays.
        func text(_ name: String, _ current: String?) -> String? {
            guard let value = body[name] else { return current }
            return value.string
        }
        let tags = try TagName.checked(body["tags"]?.strings ?? article.tags, keeping: article.tags)
        self = ArticleDraft(article).changed { draft in
            if let title = body["title"]?.string { draft.title = title }
            if let authors = body["authors"]?.strings { draft.authors = authors }
            let isTextKept = body["body"] == nil && body["format"] == nil
            if !isTextKept || body["summary"] != nil {
                // Drop a summary that was made from the old text, if the text changes.
                let summary = isTextKept ? article.summary : article.givenSummary(besides: article.ofTextAlone)
                draft.replaceText(
                    with: body["body"]?.string ?? article.body,
                    body["format"]?.string.flatMap { Article.Format(rawValue: $0) } ?? article.format,
                    summary: text("summary", summary))
            }
            draft.language = text("language", article.language)
            draft.sourceURL = text("url", article.sourceURL)
            draft.baseURL = text("base", article.baseURL)
            if let published = body["published"]?.string.flatMap({ WrittenTime($0) }) {
                (draft.published, draft.publishedOffset) = (published.date, published.offset)
            }
            draft.tags = tags
            // The server gives the time of the change.
            draft.updated = nil
        }
    }

    private static func checkForms(_ body: JSON) throws(Problem) {
        if let text = body["language"]?.string, !LanguageTag.isTag(text) {
            var problem = Problem.unprocessable(
                "invalidLanguage", "“language” is not a language tag, such as en or pt-BR")
            problem.pointer = "/language"
            throw problem
        }
        // Pages and clients turn these addresses into links, so an address must not be able to run a script.
        for name in ["url", "base"] {
            guard let text = body[name]?.string, !isWebAddress(text) else { continue }
            var problem = Problem.unprocessable("invalidAddress", "“\(name)” is not an http or https address")
            problem.pointer = "/\(name)"
            throw problem
        }
    }
}

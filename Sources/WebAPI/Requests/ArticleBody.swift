import ArticleStore
import Text
import HTTPServer

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

internal import ArticleStore
internal import HTTPClient
internal import Markup
internal import Text

/// Replaces the texts of articles with the main texts of their pages.
struct FullTextLoader: Sendable {
    /// The number of pages that are fetched for a fetch of a feed. Other articles keep their summaries.
    private static let count = 50
    /// The time in seconds after which no further page is fetched. It is a part of the time of a claim.
    private static let time: Double = 10 * 60

    let pages: PageFetcher
    let articles: any ArticleRepository
    let clock: @Sendable () -> Date

    /// Loads the texts of articles. If a page cannot be fetched or has less text, its article stays as it is.
    ///
    /// - Parameter slugs: The slugs of the articles.
    /// - Throws: `CancellationError`; the errors of the library.
    func load(_ slugs: [String]) async throws {
        let end = clock().addingTimeInterval(Self.time)
        for slug in slugs.prefix(Self.count) where clock() < end {
            guard let article = try await articles.article(slug: slug) else { continue }
            do {
                _ = try await load(article) { articles }
            } catch let error where error is PageError || error is HTTPClientError {
                continue
            }
        }
    }

    /// Loads the text of an article, if its page has more text than the article.
    ///
    /// - Parameter recording: Called before the article changes. Returns the library in which it changes.
    /// - Returns: Whether the article has changed.
    /// - Throws: ``PageError``, `HTTPClientError`, `CancellationError`; the errors of the library.
    func load(_ article: Article, recording: () async throws -> any ArticleRepository) async throws -> Bool {
        guard let address = article.webAddress else { return false }
        let page = try await pages.article(at: HTTPURL(address)).draft
        func length(_ format: Article.Format, _ body: String) -> Int { format.document(of: body).blocks.text.count }
        guard length(page.format, page.body) > length(article.format, article.body) else { return false }
        var needs = WriteNeeds()
        needs.articles = [article.id]
        needs.records.updateValue(nil, forKey: article.key)
        return try await recording().write(needing: needs) { writer in
            guard let current = try writer.article(id: article.id), current.isIdentical(to: article),
                let entry = try writer.entry(key: article.key, of: article.source.id)
            else { return false }
            let draft = ArticleDraft(article).changed { draft in
                draft.replaceText(with: page.body, page.format, summary: article.summary)
                if draft.authors.isEmpty { draft.authors = page.authors }
                draft.language = draft.language ?? page.language
                draft.baseURL = page.baseURL ?? page.sourceURL
            }
            let new = draft.article(replacing: article, source: article.source, now: writer.now)
            // The origin stays, so that the next fetch recognizes the entry of the feed.
            try writer.update(article, to: new, from: entry.origin)
            return true
        }
    }
}

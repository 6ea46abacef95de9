internal import ArticleImporting
package import ArticleStore
internal import HTTPClient

/// Saves pages as articles.
package struct PageSaver: Sendable {
    /// The result for an address.
    package enum Outcome: Sendable {
        /// The page is a new article.
        case added(Article)
        /// The library already has an article with the address or the canonical address.
        case known(Article)
    }

    private let pages: PageFetcher
    private let articles: any ArticleRepository
    private let editor: LibraryEditor

    /// - Parameters:
    ///   - pages: The fetcher.
    ///   - articles: The library.
    ///   - editor: The changes of the library.
    package init(_ pages: PageFetcher, articles: any ArticleRepository, editor: LibraryEditor) {
        (self.pages, self.articles, self.editor) = (pages, articles, editor)
    }

    /// Saves the page at an address. Nothing is fetched or changed if the library has an article with that address.
    ///
    /// - Parameters:
    ///   - text: The address; without a scheme, `https` is assumed.
    ///   - source: The source of the new article, which is created if it does not exist.
    ///   - tags: The tags of the new article.
    /// - Throws: ``PageError``, `HTTPClientError`, `SourceError`, `CancellationError`; the errors of the library.
    package func save(
        _ text: String, to source: SourceFacts = .savedPages, tags: [String] = []
    ) async throws -> Outcome {
        let url = try HTTPURL(typed: text)
        if let known = try await article(at: [url.text]) { return .known(known) }
        try await articles.checkAdding(to: source.name)
        let page = try await pages.article(at: url)
        if let known = try await article(at: page.addresses) { return .known(known) }
        let draft = page.draft.with(authors: [], tags: tags, language: nil, url: nil, published: nil)
        let (article, isNew) = try await editor.addUnlessKnown(draft, to: source)
        return isNew ? .added(article) : .known(article)
    }

    private func article(at addresses: [String]) async throws -> Article? {
        guard let id = try await articles.articleIDs(at: addresses).first else { return nil }
        return try await articles.article(id: id)
    }
}

internal import ArticleStore
internal import Markup
internal import Navigation

/// Loads an article and its neighbors in a list.
struct ArticleReading: Sendable {
    /// A direction in a list.
    enum Direction: Sendable { case next, previous }

    /// The neighbor of an article in a list, and the range of the list that contains it; the range is nil if it stays
    /// the same.
    struct Neighbour: Sendable {
        let article: ArticleSummary
        let stretch: ArticleListing.Stretch?
    }

    let articles: any ArticleRepository
    /// The marks of the signed-in user; nil if marks are not stored.
    let marking: ArticleMarking?

    /// Returns the screen of an article.
    ///
    /// - Throws: `ScreenError.noArticle`, and the errors of the repository.
    func screen(of reference: ArticleReference) async throws -> ArticleScreen {
        let article = try await article(reference)
        return ArticleScreen(
            article: article, marks: try await marking?.marks(of: [ArticleSummary(article)])[article.id])
    }

    /// Returns an error that says where the original of an article is.
    ///
    /// - Throws: `ScreenError.noArticle`, and the errors of the repository.
    func original(of reference: ArticleReference) async throws -> ScreenError {
        let article = try await article(reference)
        return .elsewhere(article.webAddress ?? article.slug)
    }

    /// Returns the neighbor of an article in a list, or the article `steps` further, or the last one if the list ends
    /// before; nil at the end of the list.
    ///
    /// An article that is not in the list has the neighbors that it would have there. In a list with a date range that
    /// does not contain the article's date, it has none.
    ///
    /// - Throws: `ScreenError.noArticle`, and the errors of the repository.
    func neighbour(
        _ direction: Direction, of reference: ArticleReference, in query: ArticleQuery, steps: Int = 1
    ) async throws -> ArticleSummary? {
        let query = query.read(by: marking?.reader)
        let article = try await article(reference)
        if let since = query.since, article.published < since { return nil }
        if let until = query.until, article.published >= until { return nil }
        let cursor = Cursor(after: ArticleSummary(article), in: query)
        return switch direction {
        case .next: try await articles.list(query, after: cursor, limit: steps).summaries.last
        case .previous:
            // If the article is in the list, it is the last of these.
            try await articles.list(query, before: cursor, limit: steps + 1).filter { $0.id != article.id }
                .suffix(steps).first
        }
    }

    /// Returns the next unread article of a list. After the end, the search starts again at the beginning. Returns nil
    /// if all articles are read.
    ///
    /// - Parameter reference: the article to start after; nil to start at the beginning of the list.
    /// - Throws: `ScreenError.noArticle`, and the errors of the repository.
    func nextUnread(after reference: ArticleReference?, in query: ArticleQuery) async throws -> ArticleSummary? {
        var query = query.read(by: marking?.reader)
        query.marks.isRead = false
        if let reference, let next = try await neighbour(.next, of: reference, in: query) {
            return next
        }
        let first = try await articles.list(query, after: nil, limit: 1).summaries.first
        return first.map { ArticleReference(to: $0) } == reference ? nil : first
    }

    /// Returns the article that a link in another article leads to; see `ArticleLink`.
    ///
    /// - Throws: `ScreenError.elsewhere` if the link leads to a web page that is not an article here; `noArticle` if
    ///   the target does not exist; the errors of the repository.
    func target(of link: String, in reference: ArticleReference) async throws -> ArticleReference {
        let article = try await article(reference)
        let base = article.address.map { URLReference($0) }
        let written = link
        let link = ArticleLink(URLReference(written), base: base, in: LinkCandidate(article))
        let named = try await articles.summaries(keys: link.keys, in: article.source.id)
        if let target = link.keys.lazy.compactMap({ named[$0] }).first { return ArticleReference(to: target) }
        let candidates = try await articles.linkCandidates(named: link.names, in: article.source.id)
        if let target = link.target(among: candidates) { return ArticleReference(id: target.id, slug: target.slug) }
        throw link.isHere ? ScreenError.noArticle(.init(written)) : .elsewhere(link.address.text)
    }

    private func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }
}

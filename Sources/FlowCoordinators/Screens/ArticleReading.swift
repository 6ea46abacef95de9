internal import ArticleStore
internal import Markup
internal import Navigation

/// Asks the library for an article, and for those that it leads to.
struct ArticleReading: Sendable {
    /// In which direction of a list.
    enum Direction: Sendable { case next, previous }

    /// An article beside another one in a list, and the stretch that is then seen of the list; nil where that stays.
    struct Neighbour: Sendable {
        let article: ArticleSummary
        let stretch: ArticleListing.Stretch?
    }

    let articles: any ArticleRepository
    /// The marks of who is signed in; nil where none are kept.
    let marking: ArticleMarking?

    /// What is on the screen.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func screen(of reference: ArticleReference) async throws -> ArticleScreen {
        let article = try await article(reference)
        return ArticleScreen(
            article: article, marks: try await marking?.marks(of: [ArticleSummary(article)])[article.id])
    }

    /// That the original of an article is elsewhere.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func original(of reference: ArticleReference) async throws -> ScreenError {
        let article = try await article(reference)
        return .elsewhere(article.webAddress ?? article.slug)
    }

    /// The article beside this one in a list, or so many steps further, as far as the list goes; nil at the end of it. One
    /// that is not in the list has the neighbours that it would have there, but none in a list that ends before its date or
    /// begins after it.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
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
            // The article itself is the last of them, where it is in the list.
            try await articles.list(query, before: cursor, limit: steps + 1).filter { $0.id != article.id }
                .suffix(steps).first
        }
    }

    /// The next article of a list that was not read, from the beginning of the list where there is none after this one; nil
    /// where everything was read.
    ///
    /// - Parameter reference: the article to go on from; nil for the beginning of the list.
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func nextUnread(after reference: ArticleReference?, in query: ArticleQuery) async throws -> ArticleSummary? {
        var query = query.read(by: marking?.reader)
        query.marks.isRead = false
        if let reference, let next = try await neighbour(.next, of: reference, in: query) {
            return next
        }
        let first = try await articles.list(query, after: nil, limit: 1).summaries.first
        return first.map { ArticleReference(to: $0) } == reference ? nil : first
    }

    /// Returns the article that a link in another one leads to, as ``ArticleLink`` says.
    ///
    /// - Throws: `ScreenError.elsewhere` for what leads to a site and to no article here, `noArticle` for what leads nowhere,
    ///   and what the repository throws.
    func target(of link: String, in reference: ArticleReference) async throws -> ArticleReference {
        let article = try await article(reference)
        let base = article.address.map { URLReference($0) }
        let written = link
        let link = ArticleLink(URLReference(written), base: base, in: LinkCandidate(article))
        for key in link.keys {
            if let target = try await articles.article(key: key, in: article.source.id) { return .init(target) }
        }
        let candidates = try await articles.linkCandidates(named: link.names, in: article.source.id)
        if let target = link.target(among: candidates), let article = try await articles.article(id: target.id) {
            return .init(article)
        }
        throw link.isHere ? ScreenError.noArticle(.init(written)) : .elsewhere(link.address.text)
    }

    private func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }
}

extension ArticleReference {
    fileprivate init(_ article: Article) { self.init(to: ArticleSummary(article)) }
}

internal import ArticleStore
internal import Navigation

/// Asks the library for an article, and for those that it leads to.
struct ArticleReading: Sendable {
    /// In which direction of a list.
    enum Direction: Sendable { case next, previous }

    let articles: any ArticleRepository

    /// What is on the screen.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func screen(of reference: ArticleReference) async throws -> ArticleScreen {
        ArticleScreen(article: try await article(reference))
    }

    /// The article beside this one in a list; nil at the end of it. One that is not in the list has the neighbours that
    /// it would have there, but none in a list that ends before its date or begins after it.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func neighbour(
        _ direction: Direction, of reference: ArticleReference, in query: ArticleQuery
    ) async throws -> ArticleReference? {
        let article = try await article(reference)
        if let since = query.since, article.published < since { return nil }
        if let until = query.until, article.published >= until { return nil }
        let cursor = Cursor(after: ArticleSummary(article), in: query)
        let neighbour =
            switch direction {
            case .next: try await articles.list(query, after: cursor, limit: 1).summaries.first
            case .previous:
                try await articles.list(query, before: cursor, limit: 2).last { $0.id != article.id }
            }
        return neighbour.map { ArticleReference(to: $0) }
    }

    /// The article that a link in another one means: its path here, or, as in sites and folders of files, a path whose
    /// last part is its slug.
    ///
    /// - Throws: `ScreenError.elsewhere` for what leads to another site, `noArticle` for what leads nowhere, and what the
    ///   repository throws.
    func target(of link: String) async throws -> ArticleReference {
        guard !link.leadsElsewhere else { throw ScreenError.elsewhere(link) }
        let path = link.prefix { $0 != "?" && $0 != "#" }
        guard let name = RoutePath(parsing: String(path))?.segments.last else {
            throw ScreenError.noArticle(.init(link))
        }
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) }
        for slug in [name, stem].compactMap(\.self) {
            if let article = try await articles.article(slug: slug) {
                return ArticleReference(to: ArticleSummary(article))
            }
        }
        throw ScreenError.noArticle(.init(link))
    }

    private func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }
}

extension String {
    /// Whether a link names a site or a scheme of its own: RFC 3986, section 4.2.
    fileprivate var leadsElsewhere: Bool {
        let scheme = prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        return hasPrefix("//") || dropFirst(scheme.count).first == ":"
    }
}

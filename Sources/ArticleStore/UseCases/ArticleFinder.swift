internal import Markup

/// Reads articles with the marks of a user, and finds their neighbors in lists and the targets of their links.
package struct ArticleFinder: Sendable {
    /// A direction in a list.
    package enum Direction: Sendable { case next, previous }

    private let articles: any ArticleRepository
    private let marking: ArticleMarker?

    /// Creates a reading.
    /// - Parameters:
    ///   - articles: the library.
    ///   - marking: the marks of the user; nil without a user.
    package init(articles: any ArticleRepository, marking: ArticleMarker?) {
        (self.articles, self.marking) = (articles, marking)
    }

    /// Returns an article.
    ///
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repository.
    package func article(_ reference: ArticleReference) async throws -> Article {
        try await articles.existingArticle(reference)
    }

    /// Returns an article with the user's marks; the marks are nil without a user.
    ///
    /// - Parameters:
    ///   - reference: the article.
    ///   - marksRead: whether an unread article becomes read. An error of this change is ignored: the user can read the
    ///     article without it.
    ///   - others: the other parts of the page. A list shows the marks from before the article became read, and the
    ///     outline those from after it. They are empty without a user.
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repositories.
    package func markedArticle(
        _ reference: ArticleReference, marksRead: Bool = false, with others: ReadingParts = ReadingParts()
    ) async throws -> (article: Article, marks: ArticleMarks?, others: ReadingView) {
        guard let marking else { return (try await article(reference), nil, ReadingView()) }
        var parts = others
        parts.article = reference
        var view = try await articles.view(parts, of: marking.userID)
        guard let article = view.article else { throw ArticleError.noArticle(reference) }
        var marks = view.marks[article.id] ?? ArticleMarks()
        guard marksRead, marking.mayChange, !marks.read.value else { return (article, marks, view) }
        let id = article.id
        let sources = Set([article.source.name] + article.appearances.map(\.source.name))
        // Many requests may wait here for other writers. None of them holds a long text.
        let held = article.body.utf8.count > Self.heldSize ? nil : article
        view.article = nil
        if (try? await marking.change([.read(true)], of: .ids([id]))) != nil {
            marks.read.value = true
            view.outline?.markRead(in: sources, isStarred: marks.starred.value)
        }
        if let held { return (held, marks, view) }
        return (try await self.article(reference), marks, view)
    }

    /// The maximum size of a text, in bytes, that is held while its article is marked as read.
    private static let heldSize = 64 << 10

    /// Returns the neighbor of an article in a list, or the article `steps` further, or the last one if the list ends
    /// before; nil at the end of the list.
    ///
    /// An article that is not in the list has the neighbors that it would have there. In a list with a date range that
    /// does not contain the article's date, it has none.
    ///
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repository.
    package func neighbor(
        _ direction: Direction, of reference: ArticleReference, in query: ArticleQuery, steps: Int = 1
    ) async throws -> ArticleSummary? {
        let query = query.withMarks(ofUser: marking?.userID)
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
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repository.
    package func nextUnread(
        after reference: ArticleReference?, in query: ArticleQuery
    ) async throws -> ArticleSummary? {
        var query = query.withMarks(ofUser: marking?.userID)
        query.marks.isRead = false
        if let reference, let next = try await neighbor(.next, of: reference, in: query) { return next }
        let first = try await articles.list(query, after: nil, limit: 1).summaries.first
        return first.map { ArticleReference(to: $0) } == reference ? nil : first
    }

    /// Returns the article that a link in another article leads to; see ``ArticleLink``.
    ///
    /// - Throws: ``ArticleError/elsewhere(_:)`` if the link leads to a web page that is not an article here;
    ///   ``ArticleError/noArticle(_:)`` if the target does not exist; the errors of the repository.
    package func target(of written: String, in reference: ArticleReference) async throws -> ArticleReference {
        let article = try await article(reference)
        let base = article.address.map { URLReference($0) }
        let link = ArticleLink(URLReference(written), base: base, in: LinkCandidate(article))
        let named = try await articles.summaries(keys: link.keys, in: article.source.id)
        if let target = link.keys.lazy.compactMap({ named[$0] }).first { return ArticleReference(to: target) }
        let candidates = try await articles.linkCandidates(named: link.names, in: article.source.id)
        if let target = link.target(among: candidates) { return ArticleReference(id: target.id, slug: target.slug) }
        throw link.isHere ? ArticleError.noArticle(ArticleReference(written)) : .elsewhere(link.address.text)
    }
}

extension ArticleRepository {
    /// Returns the article that a reference names.
    ///
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repository.
    package func existingArticle(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await article(reference) else { throw ArticleError.noArticle(reference) }
        return article
    }

    /// Returns the summaries of named articles, each once, in the order of their names.
    ///
    /// - Throws: ``ArticleError`` with the articles that do not exist; the errors of the repository.
    package func existingSummaries(of references: [ArticleReference]) async throws -> [ArticleSummary] {
        let named = try await summaries(of: references)
        if let error = ArticleError.missing(references.filter { named[$0] == nil }) { throw error }
        var known: Set<Int64> = []
        return references.compactMap { named[$0] }.filter { known.insert($0.id).inserted }
    }
}

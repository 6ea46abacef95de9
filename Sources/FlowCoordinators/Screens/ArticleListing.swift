internal import ArticleStore

/// Asks the library for what is on the list of articles, and for the rows beyond it.
struct ArticleListing: Sendable {
    /// What is seen of a list, and what is known of the rest.
    struct Stretch: Sendable {
        let list: ArticleList
        /// How many articles come before it; nil where nobody has counted.
        let offset: Int?
        /// How many articles the whole list has; nil where nobody has counted.
        var total: Int?

        init(_ list: ArticleList, offset: Int? = nil, total: Int? = nil) {
            self.list = list
            self.offset = list.cursor == nil ? 0 : offset
            self.total = total
        }

        /// Another stretch, with what is known of it from this one.
        func moved(to other: ArticleList) -> Stretch {
            guard other.query == list.query else { return Stretch(other) }
            return Stretch(other, offset: other.cursor == list.cursor ? offset : nil, total: total)
        }

        /// Another stretch of the same list, which begins `distance` articles later.
        fileprivate func moved(to other: ArticleList, by distance: Int) -> Stretch {
            Stretch(other, offset: offset.map { max(0, $0 + distance) }, total: total)
        }
    }

    let articles: any ArticleRepository
    /// The marks of who is signed in; nil where none are kept.
    let marking: ArticleMarking?
    /// Whether lists are counted; that of a large library takes longer than a page.
    let counts: Bool

    /// What is on the screen.
    ///
    /// - Parameters:
    ///   - stretch: what is seen of the list.
    ///   - additions: the ways to put articles in.
    /// - Throws: what the repository throws.
    func screen(of stretch: Stretch, additions: [Action]) async throws -> ArticleListScreen {
        let page = try await page(of: stretch.list)
        var stretch = stretch
        let isWhole = stretch.list.cursor == nil && page.next == nil && page.search?.isCut != true
        stretch.total = isWhole ? page.summaries.count : try await total(of: stretch)
        var screen = ArticleListScreen(stretch: stretch, page: page, additions: additions)
        screen.marks = try await marking?.marks(of: page.summaries)
        if page.summaries.isEmpty, let source = stretch.list.query.source {
            do { _ = try await articles.existingSource(named: source) } catch let error as SourceError {
                screen.missingSource = error
            }
        }
        return screen
    }

    /// The stretch with more articles after its last.
    ///
    /// - Throws: what the repository throws.
    func more(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        let grown = list.grown(after: try await page(of: list))
        return stretch.moved(to: grown, by: grown.cursor == list.cursor ? 0 : ArticleList.defaultLimit)
    }

    /// The stretch with more articles before its first.
    ///
    /// - Throws: what the repository throws.
    func earlier(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        guard let cursor = list.cursor else { return stretch }
        // One more than the list grows by: it is what the list begins after.
        let earlier = try await articles.list(
            mine(list.query), before: cursor, limit: ArticleList.defaultLimit + 1)
        return stretch.moved(to: list.grown(before: earlier), by: -min(earlier.count, ArticleList.defaultLimit))
    }

    /// A stretch as long at the beginning of the list.
    func first(of stretch: Stretch) -> Stretch {
        Stretch(ArticleList(query: stretch.list.query, limit: stretch.list.limit))
    }

    /// A stretch as long at the end of the list, which is counted anew.
    ///
    /// - Throws: what the repository throws.
    func last(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        let last = try await articles.list(mine(list.query), before: nil, limit: list.limit + 1)
        let total = try await total(of: Stretch(list))
        return Stretch(list.moved(to: last), offset: total.map { max(0, $0 - list.limit) }, total: total)
    }

    /// The stretch of a list that an article is in, or would be.
    ///
    /// - Throws: what the repository throws.
    func stretch(around article: ArticleSummary, in list: ArticleList) async throws -> Stretch {
        // The article itself is the last of them.
        let earlier = try await articles.list(
            mine(list.query), before: Cursor(after: article, in: list.query), limit: list.half + 1)
        return Stretch(list.moved(around: earlier))
    }

    /// The stretch that one comes to by going on from one article of a list to the next: the one that is there, as long as
    /// the article is in it.
    ///
    /// - Throws: what the repository throws.
    func stretch(
        _ direction: ArticleReading.Direction, of stretch: Stretch, to article: ArticleSummary
    ) async throws -> Stretch {
        if try await page(of: stretch.list).summaries.contains(where: { $0.id == article.id }) { return stretch }
        let grown = try await direction == .next ? more(of: stretch) : earlier(of: stretch)
        if try await page(of: grown.list).summaries.contains(where: { $0.id == article.id }) { return grown }
        return try await self.stretch(around: article, in: stretch.list)
    }

    private func page(of list: ArticleList) async throws -> ArticlePage {
        try await articles.list(mine(list.query), after: list.cursor, limit: list.limit)
    }

    /// Nil for a search too, which would have to look at each article of the library to say.
    private func total(of stretch: Stretch) async throws -> Int? {
        guard counts, stretch.list.query.text == nil else { return nil }
        if let total = stretch.total { return total }
        return try await articles.count(mine(stretch.list.query))
    }

    private func mine(_ query: ArticleQuery) -> ArticleQuery { query.read(by: marking?.reader) }
}

internal import ArticleStore

/// Loads lists of articles, and the rows beyond the loaded ones.
struct ArticleListing: Sendable {
    /// The visible range of a list, and what is known about the rest.
    struct Stretch: Sendable {
        let list: ArticleList
        /// The number of articles before the range; nil if they were not counted.
        let offset: Int?
        /// The number of articles of the whole list; nil if they were not counted.
        var total: Int?

        init(_ list: ArticleList, offset: Int? = nil, total: Int? = nil) {
            self.list = list
            self.offset = list.cursor == nil ? 0 : offset
            self.total = total
        }

        /// Returns another range, with the counts of this one as far as they apply to it.
        func moved(to other: ArticleList) -> Stretch {
            guard other.query == list.query else { return Stretch(other) }
            return Stretch(other, offset: other.cursor == list.cursor ? offset : nil, total: total)
        }

        /// Returns another range of the same list that begins `distance` articles later.
        fileprivate func moved(to other: ArticleList, by distance: Int) -> Stretch {
            Stretch(other, offset: offset.map { max(0, $0 + distance) }, total: total)
        }
    }

    let articles: any ArticleRepository
    /// The marks of the signed-in user; nil if marks are not stored.
    let marking: ArticleMarking?
    /// Whether lists are counted. Counting a large library takes longer than loading a page.
    let counts: Bool

    /// Returns the screen of a list.
    ///
    /// - Parameters:
    ///   - stretch: the visible range of the list.
    ///   - additions: the actions that add articles.
    /// - Throws: the errors of the repository.
    func screen(of stretch: Stretch, additions: [Action]) async throws -> ArticleListScreen {
        var stretch = stretch
        let page = try await page(of: stretch.list, counts: counts && stretch.total == nil)
        let isWhole = stretch.list.cursor == nil && page.next == nil && page.search?.isCut != true
        if isWhole {
            stretch.total = page.summaries.count
        } else if counts, stretch.list.query.text == nil {
            stretch.total = stretch.total ?? page.total
        } else {
            stretch.total = nil
        }
        var screen = ArticleListScreen(stretch: stretch, page: page, additions: additions)
        screen.marks = try await marking?.marks(of: page.summaries)
        if page.summaries.isEmpty, let source = stretch.list.query.source {
            do { _ = try await articles.existingSource(named: source) } catch let error as SourceError {
                screen.missingSource = error
            }
        }
        return screen
    }

    /// Returns the range extended after its last article.
    ///
    /// - Throws: the errors of the repository.
    func more(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        let grown = list.grown(after: try await page(of: list))
        return stretch.moved(to: grown, by: grown.cursor == list.cursor ? 0 : ArticleList.defaultLimit)
    }

    /// Returns the range extended before its first article.
    ///
    /// - Throws: the errors of the repository.
    func earlier(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        guard let cursor = list.cursor else { return stretch }
        // Load one article more than the list grows by: the new list begins after that article.
        let earlier = try await articles.list(
            mine(list.query), before: cursor, limit: ArticleList.defaultLimit + 1)
        return stretch.moved(to: list.grown(before: earlier), by: -min(earlier.count, ArticleList.defaultLimit))
    }

    /// Returns the first range of the list, with the same size.
    func first(of stretch: Stretch) -> Stretch {
        Stretch(ArticleList(query: stretch.list.query, limit: stretch.list.limit))
    }

    /// Returns the last range of the list, with the same size. It counts the list again.
    ///
    /// - Throws: the errors of the repository.
    func last(of stretch: Stretch) async throws -> Stretch {
        let list = stretch.list
        let last = try await articles.list(mine(list.query), before: nil, limit: list.limit + 1)
        let total = try await total(of: Stretch(list))
        return Stretch(list.moved(to: last), offset: total.map { max(0, $0 - list.limit) }, total: total)
    }

    /// Returns the range of a list around an article, even if the article is not in the list.
    ///
    /// - Throws: the errors of the repository.
    func stretch(around article: ArticleSummary, in list: ArticleList) async throws -> Stretch {
        // If the article is in the list, it is the last of these.
        let earlier = try await articles.list(
            mine(list.query), before: Cursor(after: article, in: list.query), limit: list.half + 1)
        return Stretch(list.moved(around: earlier))
    }

    /// Returns the range that contains the neighbor of an article: the present range if it contains the neighbor, else
    /// the next one.
    ///
    /// - Throws: the errors of the repository.
    func stretch(
        _ direction: ArticleReading.Direction, of stretch: Stretch, to article: ArticleSummary
    ) async throws -> Stretch {
        if try await page(of: stretch.list).summaries.contains(where: { $0.id == article.id }) { return stretch }
        let grown = try await direction == .next ? more(of: stretch) : earlier(of: stretch)
        if try await page(of: grown.list).summaries.contains(where: { $0.id == article.id }) { return grown }
        return try await self.stretch(around: article, in: stretch.list)
    }

    private func page(of list: ArticleList, counts: Bool = false) async throws -> ArticlePage {
        try await articles.list(mine(list.query), after: list.cursor, limit: list.limit, counts: counts)
    }

    /// Returns nil for a search too, because counting its results would have to check every article of the library.
    private func total(of stretch: Stretch) async throws -> Int? {
        guard counts, stretch.list.query.text == nil else { return nil }
        if let total = stretch.total { return total }
        return try await articles.count(mine(stretch.list.query))
    }

    private func mine(_ query: ArticleQuery) -> ArticleQuery { query.read(by: marking?.reader) }
}

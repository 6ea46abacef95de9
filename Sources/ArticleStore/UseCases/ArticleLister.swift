/// The visible range of a list, and the counts that are known.
package struct ListRange: Sendable {
    /// The list and its visible page.
    package let list: ArticleList
    /// The number of articles before the range; nil if they were not counted.
    package let offset: Int?
    /// The number of articles of the whole list; nil if they were not counted.
    package var total: Int?

    /// Creates a range.
    package init(_ list: ArticleList, offset: Int? = nil, total: Int? = nil) {
        self.list = list
        self.offset = list.cursor == nil ? 0 : offset
        self.total = total
    }

    /// Returns another range, with the counts of this one as far as they apply to it.
    package func moved(to other: ArticleList) -> ListRange {
        guard other.query == list.query else { return ListRange(other) }
        return ListRange(other, offset: other.cursor == list.cursor ? offset : nil, total: total)
    }

    /// Returns another range of the same list that begins `distance` articles later.
    fileprivate func moved(to other: ArticleList, by distance: Int) -> ListRange {
        ListRange(other, offset: offset.map { max(0, $0 + distance) }, total: total)
    }
}

/// Loads lists of articles with the marks of a user, and the ranges around the loaded one.
package struct ArticleLister: Sendable {
    /// A loaded range.
    package struct Page: Sendable {
        /// The range, with the counts that are known now.
        package let range: ListRange
        /// The articles.
        package let page: ArticlePage
        /// The user's marks by article number; nil without a user.
        package var marks: [Int64: ArticleMarks]?
        /// The lists that the user reads from, if they were requested.
        package let outline: ReadingOutline?
        /// The error if the source of the list does not exist.
        package let missingSource: SourceError?
    }

    /// The library.
    package let articles: any ArticleRepository
    private let marking: ArticleMarker?
    private let counts: Bool

    /// Creates a listing.
    /// - Parameters:
    ///   - articles: the library.
    ///   - marking: the marks of the user; nil without a user.
    ///   - counts: whether lists are counted. Counting a large library takes longer than loading a page.
    package init(articles: any ArticleRepository, marking: ArticleMarker?, counts: Bool) {
        (self.articles, self.marking, self.counts) = (articles, marking, counts)
    }

    /// Loads a range.
    ///
    /// - Parameter sources: the maximum number of sources in the outline; nil to omit it.
    /// - Throws: the errors of the repositories.
    package func page(of range: ListRange, sources: Int? = nil) async throws -> Page {
        guard let marking else {
            let list = part(of: range)
            let page = try await articles.list(list.query, after: list.cursor, limit: list.limit, counts: list.counts)
            return try await self.page(of: range, page)
        }
        let view = try await articles.view(ReadingParts(list: part(of: range), sources: sources), of: marking.userID)
        return try await page(of: range, view.page ?? ArticlePage(summaries: [], next: nil, lastNumber: 0), view)
    }

    /// Returns the part of a page that contains a range.
    package func part(of range: ListRange) -> ReadingParts.List {
        let list = range.list
        return ReadingParts.List(
            mine(list.query), after: list.cursor, limit: list.limit, counts: counts && range.total == nil)
    }

    /// Returns a range that was loaded with other parts of a page; nil if it was not requested.
    ///
    /// - Throws: the errors of the repositories.
    package func page(of range: ListRange, in view: ReadingView) async throws -> Page? {
        if let page = view.page { try await self.page(of: range, page, view) } else { nil }
    }

    private func page(of range: ListRange, _ page: ArticlePage, _ view: ReadingView? = nil) async throws -> Page {
        var range = range
        let isWhole = range.list.cursor == nil && page.next == nil && page.search?.isCut != true
        if isWhole {
            range.total = page.summaries.count
        } else if counts, range.list.query.text == nil {
            range.total = range.total ?? page.total
        } else {
            // Counting the results of a search would take as long as checking every article of the library.
            range.total = nil
        }
        var missingSource: SourceError?
        if page.summaries.isEmpty, let source = range.list.query.source {
            do { _ = try await articles.existingSource(named: source) } catch let error as SourceError {
                missingSource = error
            }
        }
        return Page(
            range: range, page: page, marks: view?.marks, outline: view?.outline, missingSource: missingSource)
    }

    /// Returns the same articles with the user's present marks, whether or not they still belong to the list.
    ///
    /// - Throws: the errors of the repositories.
    package func remarked(_ page: Page) async throws -> Page {
        var copy = page
        copy.marks = try await marking?.marks(of: page.page.summaries.map(\.id))
        return copy
    }

    /// Returns the range extended after its last article.
    ///
    /// - Throws: the errors of the repository.
    package func more(of range: ListRange) async throws -> ListRange {
        let list = range.list
        let grown = list.grown(after: try await page(of: list))
        return range.moved(to: grown, by: grown.cursor == list.cursor ? 0 : ArticleList.defaultLimit)
    }

    /// Returns the range extended before its first article.
    ///
    /// - Throws: the errors of the repository.
    package func earlier(of range: ListRange) async throws -> ListRange {
        let list = range.list
        guard let cursor = list.cursor else { return range }
        // Load one article more than the list grows by: the new list begins after that article.
        let earlier = try await articles.list(
            mine(list.query), before: cursor, limit: ArticleList.defaultLimit + 1)
        return range.moved(to: list.grown(before: earlier), by: -min(earlier.count, ArticleList.defaultLimit))
    }

    /// Returns the first range of the list, with the same size.
    package func first(of range: ListRange) -> ListRange {
        ListRange(ArticleList(query: range.list.query, limit: range.list.limit))
    }

    /// Returns the last range of the list, with the same size. It counts the list again.
    ///
    /// - Throws: the errors of the repository.
    package func last(of range: ListRange) async throws -> ListRange {
        let list = range.list
        let last = try await articles.list(mine(list.query), before: nil, limit: list.limit + 1)
        let total = counts && list.query.text == nil ? try await articles.count(mine(list.query)) : nil
        return ListRange(list.moved(to: last), offset: total.map { max(0, $0 - list.limit) }, total: total)
    }

    /// Returns the range of a list around an article, even if the article is not in the list.
    ///
    /// - Throws: the errors of the repository.
    package func range(around article: ArticleSummary, in list: ArticleList) async throws -> ListRange {
        // If the article is in the list, it is the last of these.
        let earlier = try await articles.list(
            mine(list.query), before: Cursor(after: article, in: list.query), limit: list.half + 1)
        return ListRange(list.moved(around: earlier))
    }

    /// Returns the range that contains the neighbor of an article: the present range if it contains the neighbor, else
    /// the next one.
    ///
    /// - Throws: the errors of the repository.
    package func range(
        _ direction: ArticleFinder.Direction, of range: ListRange, to article: ArticleSummary
    ) async throws -> ListRange {
        if try await page(of: range.list).summaries.contains(where: { $0.id == article.id }) { return range }
        let grown = try await direction == .next ? more(of: range) : earlier(of: range)
        if try await page(of: grown.list).summaries.contains(where: { $0.id == article.id }) { return grown }
        return try await self.range(around: article, in: range.list)
    }

    private func page(of list: ArticleList) async throws -> ArticlePage {
        try await articles.list(mine(list.query), after: list.cursor, limit: list.limit)
    }

    private func mine(_ query: ArticleQuery) -> ArticleQuery { query.withMarks(ofUser: marking?.userID) }
}

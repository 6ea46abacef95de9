public import Text

/// A page of a list, and the start of the next page.
public struct ArticlePage: Sendable, Hashable {
    /// The articles of the page, in the order of the query.
    public var summaries: [ArticleSummary]
    /// The start of the next page; nil on the last page.
    public var next: Cursor?
    /// The number of articles of the whole list; nil if the caller did not ask for it, and in a part of a search,
    /// because counting its results would take as long as checking every article of the library.
    public var total: Int?
    /// Facts about the search; nil without a search.
    public var search: SearchReport?
    /// The highest article number in the library when the list was read. Articles that arrive later have higher numbers.
    public var lastNumber: Int64

    /// Creates a page.
    public init(
        summaries: [ArticleSummary], next: Cursor?, total: Int? = nil, search: SearchReport? = nil, lastNumber: Int64
    ) {
        self.lastNumber = lastNumber
        self.summaries = summaries
        self.next = next
        self.total = total
        self.search = search
    }

    /// The maximum number of entries of a page for a caller that asks for `limit`, within ``ArticleList/limits``.
    package static func size(_ limit: Int) -> Int {
        min(max(limit, ArticleList.limits.lowerBound), ArticleList.limits.upperBound)
    }

    /// Sets the total of the page that begins at `cursor`. It counts only if the page is not the whole list.
    ///
    /// - Parameter count: counts the articles that match the query.
    package mutating func setTotal(
        of query: ArticleQuery, after cursor: Cursor?, count: (ArticleQuery) async throws -> Int
    ) async throws {
        total = totalWithoutCounting(after: cursor)
        if total == nil, query.search == nil { total = try await count(query) }
    }

    /// Returns the number of all articles of the list if the page contains all of them; nil if it does not.
    package func totalWithoutCounting(after cursor: Cursor?) -> Int? {
        cursor == nil && next == nil && search?.isCut != true ? summaries.count : nil
    }
}

/// The reason why a text is not a cursor of a list.
public enum CursorError: Error, Hashable, CustomStringConvertible, ExplainedError {
    /// The text was not made by this library, or by an unknown version of it.
    case malformed
    /// The cursor was made for another query or another order.
    case ofAnotherQuery

    /// A sentence for people.
    public var description: String {
        switch self {
        case .malformed: "invalid cursor; start again without one"
        case .ofAnotherQuery:
            "the cursor belongs to a list with other filters or another order; use the same ones, or start again without it"
        }
    }

    package var errorKind: ErrorKind { .usage }
    package var hint: String? {
        "use the value of “next” of list --json, with the same filters and order"
    }
    package var problemCode: String { "invalidCursor" }
}

/// Several whole articles of a list, and the start of the next batch.
public struct ArticleBatch: Sendable, Hashable {
    /// The articles, in the order of the query.
    public var articles: [Article]
    /// The start of the next batch; nil in the last batch.
    public var next: Cursor?

    /// Creates a batch.
    public init(articles: [Article], next: Cursor?) {
        self.articles = articles
        self.next = next
    }
}

package import ArticleStore
package import Text

/// A library whose calls a test can count, hold, or let fail.
package struct WatchedArticles: ArticleRepository, ArticleLog {
    /// A call of the library.
    package enum Call: Sendable {
        /// The page of a list after a position.
        case list(ArticleQuery)
        /// The page of a list before a position.
        case listBefore
        /// A change of articles.
        case write
        /// Another method, with its name.
        case other(String)
    }

    private var library: any ArticleRepository & ArticleLog
    private let before: @Sendable (Call) async throws -> Void

    /// Creates a library that forwards each call.
    ///
    /// - Parameters:
    ///   - library: The library that gets the calls.
    ///   - before: Called before each call. If it throws, the call fails.
    package init(
        _ library: any ArticleRepository & ArticleLog, before: @escaping @Sendable (Call) async throws -> Void
    ) {
        (self.library, self.before) = (library, before)
    }

    private func watched<T>(_ name: String = #function, _ body: () async throws -> T) async throws -> T {
        try await before(.other(name))
        return try await body()
    }
}

extension WatchedArticles {
    package var repeatsWrites: Bool { library.repeatsWrites }

    package func limitingSearches(to time: Duration?) -> WatchedArticles {
        var copy = self
        copy.library = library.limitingSearches(to: time)
        return copy
    }

    package func articles(ids: [Int64], upTo size: Int) async throws -> [ArrivedArticle] {
        try await watched { try await library.articles(ids: ids, upTo: size) }
    }

    package func summaries(of references: [ArticleReference]) async throws -> [ArticleReference: ArticleSummary] {
        try await watched { try await library.summaries(of: references) }
    }

    package func summaries(keys: [ExactText], in source: Source.ID) async throws -> [ExactText: ArticleSummary] {
        try await watched { try await library.summaries(keys: keys, in: source) }
    }

    package func sourceURLs(of ids: [Int64]) async throws -> [Int64: String] {
        try await watched { try await library.sourceURLs(of: ids) }
    }

    package func articleIDs(at addresses: [String]) async throws -> [Int64] {
        try await watched { try await library.articleIDs(at: addresses) }
    }

    package func sourceIDs(of ids: [Int64]) async throws -> [Int64: Source.ID] {
        try await watched { try await library.sourceIDs(of: ids) }
    }

    package func article(slug: String) async throws -> Article? {
        try await watched { try await library.article(slug: slug) }
    }

    package func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        try await watched { try await library.linkCandidates(named: names, in: source) }
    }

    package func sources() async throws -> [Source] { try await watched { try await library.sources() } }

    package func articleCounts() async throws -> [Source.ID: Int] {
        try await watched { try await library.articleCounts() }
    }

    package func articleRanges() async throws -> [Source.ID: ClosedRange<Int64>] {
        try await watched { try await library.articleRanges() }
    }

    package func size() async throws -> LibrarySize { try await watched { try await library.size() } }

    package func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        try await watched { try await library.labels(kind) }
    }

    package func labels(
        _ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int
    ) async throws -> [ArticleLabel] {
        try await watched { try await library.labels(kind, beginningWith: start, limit: limit) }
    }

    package func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        try await watched { try await library.slugs(beginningWith: start, limit: limit) }
    }

    package func slugs(similarTo typed: String) async throws -> [String] {
        try await watched { try await library.slugs(similarTo: typed) }
    }

    package func languages() async throws -> [String] { try await watched { try await library.languages() } }

    package func list(
        _ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool
    ) async throws -> ArticlePage {
        try await before(.list(query))
        return try await library.list(query, after: cursor, limit: limit, counts: counts)
    }

    package func view(_ parts: ReadingParts, of user: Int64) async throws -> ReadingView {
        if let list = parts.list, parts.article == nil {
            try await before(.list(list.query))
        } else {
            try await before(.other(parts.article == nil ? "outline" : "article(slug:)"))
        }
        return try await library.view(parts, of: user)
    }

    package func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        try await before(.listBefore)
        return try await library.list(query, before: cursor, limit: limit)
    }

    package func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        try await watched { try await library.articles(query, after: cursor, limit: limit) }
    }

    package func count(onlyIn sources: [Source.ID]) async throws -> Int {
        try await watched { try await library.count(onlyIn: sources) }
    }

    package func sourceIDs(of query: ArticleQuery) async throws -> Set<Source.ID> {
        try await watched { try await library.sourceIDs(of: query) }
    }

    package func count(_ query: ArticleQuery) async throws -> Int {
        try await watched { try await library.count(query) }
    }

    package func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        try await watched { try await library.numbers(of: query, latestFirst: latestFirst, limit: limit) }
    }

    package func numbers(
        ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int, within time: Duration
    ) async throws -> [[Int64]?] {
        try await watched {
            try await library.numbers(ofEach: queries, latestFirst: latestFirst, limit: limit, within: time)
        }
    }

    package func advanceSearch(briefly: Bool) async throws -> Int {
        try await watched { try await library.advanceSearch(briefly: briefly) }
    }

    package func mergeSearch() async throws -> Bool { try await watched { try await library.mergeSearch() } }

    package func write<T: Sendable>(
        needing needs: WriteNeeds, _ body: (any ArticleWriter) throws -> T
    ) async throws -> T {
        try await before(.write)
        return try await library.write(needing: needs, body)
    }

    package func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival] {
        try await watched { try await library.arrivals(of: articles) }
    }

    package func firstArticle(since time: Arrival) async throws -> Int64 {
        try await watched { try await library.firstArticle(since: time) }
    }

    package func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges {
        try await watched { try await library.changes(after: position, limit: limit) }
    }
}

extension ArticleRepository {
    /// Changes articles without declaring the rows that the body reads.
    package func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T {
        try await write(needing: WriteNeeds(), body)
    }
}

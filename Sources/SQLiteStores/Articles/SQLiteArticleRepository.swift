package import ArticleStore
package import AuthService
package import Database
package import Text

/// Articles in a SQLite database that has the schema of `migrations/`.
///
/// Reading a page takes the same time at any position of a list: the list is read in the order of an index, from the
/// end of the previous page, and never sorted. The work is done on the calling thread.
package struct SQLiteArticleRepository: ArticleRepository {
    let database: LibraryFile
    private let clock: @Sendable () -> Date
    private let makeUID: @Sendable () -> SourceUID
    /// The event that a change adds to the audit log, in its own transaction.
    private var eventOfChange: @Sendable () -> AuditEvent? = { nil }
    /// The limits of a search.
    var bounds = ArticleSearch.Bounds()
    private let recentViews: RecentViews?

    /// Returns the same repository with another time limit for searches. See `ArticleRepository`.
    package func limitingSearches(to time: Duration?) -> SQLiteArticleRepository {
        var copy = self
        let none = ArticleSearch.Bounds.none
        if time == nil { copy.bounds.soft = none.soft }
        copy.bounds.hard = time ?? none.hard
        copy.bounds.empty = max(copy.bounds.hard, bounds.empty)
        return copy
    }

    /// Returns the same repository, which adds events to the audit log in the transactions of the changes.
    ///
    /// - Parameter event: called at the end of each transaction that changed something; nil if it needs no event.
    package func recordingChanges(_ event: @escaping @Sendable () -> AuditEvent?) -> SQLiteArticleRepository {
        var copy = self
        copy.eventOfChange = event
        return copy
    }

    /// Creates a repository.
    /// - Parameters:
    ///   - database: a database with the schema of this package.
    ///   - keepsLists: whether to keep lists that were read until the library changes. To notice changes, it opens another
    ///     connection.
    ///   - clock: returns the present time, for articles whose source does not give a date.
    ///   - makeUID: creates the permanent identifier of a new source.
    package init(
        database: Database, keepsLists: Bool = false, clock: @escaping @Sendable () -> Date,
        makeUID: @escaping @Sendable () -> SourceUID = SourceUID.random
    ) {
        recentViews = keepsLists ? RecentViews() : nil
        self.database = LibraryFile(database)
        self.clock = clock
        self.makeUID = makeUID
    }

    /// Returns articles by their numbers. See `ArticleRepository.articles(ids:upTo:)`.
    /// - Throws: `StoreError`.
    package func articles(ids: [Int64], upTo size: Int) async throws -> [ArrivedArticle] {
        struct Enough: Error {}
        var articles: [ArrivedArticle] = []
        var sum = 0
        do {
            try database.forEach(ArticleRow.selectArrived, [Value(list: ids)]) { row in
                let article = try ArticleRow.article(row)
                let arrival: Int64? = try row.value(ArticleRow.arrivalColumn)
                articles.append(ArrivedArticle(article, arrival: arrival.map { Arrival(microseconds: $0) }))
                sum += article.body.utf8.count
                if sum >= size { throw Enough() }
            }
        } catch is Enough {}
        return articles
    }

    /// Returns the summaries of the articles that references name. See `ArticleRepository.summaries(of:)`.
    /// - Throws: `StoreError`.
    package func summaries(of references: [ArticleReference]) async throws -> [ArticleReference: ArticleSummary] {
        let names: [JSON] = references.map { [$0.number.map { JSON($0) } ?? .null, .string($0.description)] }
        var summaries: [ArticleReference: ArticleSummary] = [:]
        try database.forEach(ArticleRow.selectNamed, [Value(list: names)]) { row in
            summaries[references[try row.value(ArticleRow.indexColumn)]] = try ArticleRow.summary(row)
        }
        return summaries
    }

    /// Returns the summaries of the articles of a source with these keys.
    /// - Throws: `StoreError`.
    package func summaries(keys: [ExactText], in source: Source.ID) async throws -> [ExactText: ArticleSummary] {
        var summaries: [ExactText: ArticleSummary] = [:]
        try database.forEach(ArticleRow.selectByKeys, [Value(list: keys.map { .string($0.text) }), Value(source)]) {
            row in
            summaries[keys[try row.value(ArticleRow.indexColumn)]] = try ArticleRow.summary(row)
        }
        return summaries
    }

    /// Returns the addresses of the originals of articles.
    /// - Throws: `StoreError`.
    package func sourceURLs(of ids: [Int64]) async throws -> [Int64: String] {
        var addresses: [Int64: String] = [:]
        try database.forEach(
            """
            SELECT b.article_id, b.source_url FROM json_each(?) AS j
                CROSS JOIN article_body AS b ON b.article_id = j.value WHERE b.source_url IS NOT NULL
            """, [Value(list: ids)]
        ) { addresses[try $0.value(0)] = try $0.value(1) }
        return addresses
    }

    /// Returns the articles with addresses.
    /// - Throws: `StoreError`.
    package func articleIDs(at addresses: [String]) async throws -> [Int64] {
        try database.query(
            """
            SELECT article_id FROM article_body WHERE source_url IN (SELECT value FROM json_each(?1))
            UNION SELECT id FROM article WHERE address_hash IN (SELECT value FROM json_each(?2)) ORDER BY 1
            """,
            [
                Value(list: addresses.map { .string($0) }),
                Value(list: addresses.compactMap { StoryAddress($0).map { JSON($0.hash) } }),
            ]
        ) { try $0.value(0) }
    }

    /// Returns the sources of articles.
    /// - Throws: `StoreError`.
    package func sourceIDs(of ids: [Int64]) async throws -> [Int64: Source.ID] {
        var sources: [Int64: Source.ID] = [:]
        try database.forEach(
            "SELECT a.id, a.source_id FROM json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value",
            [Value(list: ids)]
        ) { sources[try $0.value(0)] = try $0.value(1) }
        return sources
    }

    /// Returns the article with a slug, exactly as it is written.
    /// - Throws: `StoreError`.
    package func article(slug: String) async throws -> Article? {
        try database.first(ArticleRow.selectBySlug, [Value(slug)], ArticleRow.article)
    }

    /// Returns the articles that a link with one of these names may lead to.
    /// - Throws: `StoreError`.
    package func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        try database.read { snapshot in
            var candidates: Set<LinkCandidate> = []
            for name in names {
                candidates.formUnion(
                    try snapshot.query(ArticleRow.selectCandidatesBySlug, [Value(name)], ArticleRow.candidate))
                candidates.formUnion(
                    try snapshot.query(
                        ArticleRow.selectCandidatesByKey, [Value(source), Value(name.lowercased())],
                        ArticleRow.candidate))
            }
            return candidates.sorted { $0.id < $1.id }
        }
    }

    /// Returns all sources, ordered by their numbers.
    /// - Throws: `StoreError`.
    package func sources() async throws -> [Source] {
        try database.query(SourceRow.select, [], SourceRow.source)
    }

    /// Returns the number of articles of each source. The counts are stored and updated with every write.
    /// - Throws: `StoreError`.
    package func articleCounts() async throws -> [Source.ID: Int] {
        let counts = try database.query(SourceRow.counts, [], SourceRow.count)
        return Dictionary(counts) { first, _ in first }
    }

    /// Returns the number of articles that are in no other source than these. See `ArticleRepository`.
    /// - Throws: `StoreError`.
    package func count(onlyIn sources: [Source.ID]) async throws -> Int {
        try database.first(
            """
            WITH chosen AS MATERIALIZED (SELECT value AS id FROM json_each(?))
            SELECT count(*) FROM article AS a WHERE a.source_id IN (SELECT id FROM chosen) AND NOT EXISTS (
                SELECT 1 FROM article_appearance AS p
                WHERE p.article_id = a.id AND p.source_id NOT IN (SELECT id FROM chosen))
            """, [Value(list: sources)]
        ) { try $0.value(0) } ?? 0
    }

    /// Returns the lowest and the highest number of the articles of each source.
    /// - Throws: `StoreError`.
    package func articleRanges() async throws -> [Source.ID: ClosedRange<Int64>] {
        var ranges: [Source.ID: ClosedRange<Int64>] = [:]
        try database.forEach(SourceRow.ranges, []) { row in
            let (source, first, last): (Source.ID, Int64, Int64) = (
                try row.value(0), try row.value(1), try row.value(2)
            )
            let range = ranges[source] ?? first...last
            ranges[source] = min(range.lowerBound, first)...max(range.upperBound, last)
        }
        return ranges
    }

    /// Returns the size of the library. See `ArticleRepository.size()`.
    /// - Throws: `StoreError`.
    package func size() async throws -> LibrarySize {
        var size = LibrarySize()
        try database.forEach(
            """
            SELECT strftime('%Y-%m', published_at, 'unixepoch'), count(*), sum(reading_minutes)
            FROM article NOT INDEXED GROUP BY 1 ORDER BY 1
            """, []
        ) { row in
            let articles: Int = try row.value(1)
            size.months.append(.init(try row.value(0), articles: articles))
            size.articles += articles
            size.readingMinutes += try row.value(2) as Int
        }
        return size
    }

    /// Returns all authors or all tags. See `ArticleRepository.labels(_:)`.
    /// - Throws: `StoreError`.
    package func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        // Read the version before the data: see `LibraryVersions`.
        let version = try recentVersion()
        if let version, let labels = recentViews?.labels(kind, at: version) { return labels }
        let labels = try database.query(LabelRow.select(kind), [Value(kind.rawValue)]) { try Self.label(kind, of: $0) }
        if let version { recentViews?.save(labels, kind, at: version) }
        return labels
    }

    /// Returns the version of the library, if this repository keeps what it has read of one.
    private func recentVersion() throws -> Int64? {
        recentViews == nil ? nil : try translating { try database.database.version() }
    }

    /// Returns the authors or tags that begin with a text, without regard to case, in order.
    /// - Throws: `StoreError`.
    package func labels(_ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int) async throws
        -> [ArticleLabel]
    {
        let key = SearchText.fold(start)
        return try database.query(
            LabelRow.select(kind, isRange: true),
            [Value(kind.rawValue), Value(key), Value(behindTextBeginningWith: key), Value(limit)]
        ) { try Self.label(kind, of: $0) }
    }

    private static func label(_ kind: ArticleLabel.Kind, of row: Row) throws -> ArticleLabel {
        let key: String = try row.value(0)
        let name = ArticleRow.names(try row.utf8(2)).first { SearchText.fold($0) == key }
        return ArticleLabel(kind: kind, key: key, name: name ?? key, articles: try row.value(1))
    }

    /// Returns the slugs that begin with a text, in order.
    /// - Throws: `StoreError`.
    package func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        try database.query(
            "SELECT slug FROM article WHERE slug >= ? AND slug < ? ORDER BY slug LIMIT ?",
            [Value(start), Value(behindTextBeginningWith: start), Value(limit)]
        ) { try $0.value(0) }
    }

    /// Returns slugs that a person may have meant. See `ArticleRepository`.
    /// - Throws: `StoreError`.
    package func slugs(similarTo typed: String) async throws -> [String] {
        try database.read { try SimilarSlugs.of(typed, in: $0) }
    }

    /// Returns the languages of all articles, in alphabetical order.
    /// - Throws: `StoreError`.
    package func languages() async throws -> [String] {
        try database.query(ArticleRow.languages(), []) { try $0.value(0) }
    }

    /// Returns a page of a list. See `ArticleRepository.list(_:after:limit:counts:)`.
    /// - Throws: `CursorError` if the cursor belongs to another list; `StoreError`.
    package func list(
        _ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool
    ) async throws -> ArticlePage {
        var page = try await page(of: query, after: cursor, limit: limit)
        if counts { try await page.setTotal(of: query, after: cursor, count: count) }
        return page
    }

    /// Selects the highest article number.
    static let lastNumber = "SELECT ifnull(max(id), 0) FROM article"

    private func page(of query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        guard query.search != nil else {
            return try database.read { try Self.page(of: query, after: cursor, limit: limit, in: $0) }
        }
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        // Read the number before the list: an article that arrives in between must not count as listed.
        let last = try database.first(Self.lastNumber, []) { try $0.value(0) as Int64 } ?? 0
        return try search(query) { search in
            let found = try search.list(after: position, limit: limit)
            return ArticlePage(
                found.summaries, of: query, limit: limit,
                search: try search.report(isNothing: found.summaries.isEmpty && position == nil, isCut: found.isCut),
                lastNumber: last)
        }
    }

    /// Returns a page of a list without a search.
    private static func page(
        of query: ArticleQuery, after cursor: Cursor?, limit: Int, in snapshot: Snapshot
    ) throws -> ArticlePage {
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        let last = try snapshot.first(lastNumber, []) { try $0.value(0) as Int64 } ?? 0
        // The extra article tells whether the list continues after the page.
        let summaries = try summaries(query, in: snapshot) {
            ArticleListStatement(query, after: position, limit: limit + 1, from: $0)
        }
        return ArticlePage(summaries, of: query, limit: limit, lastNumber: last)
    }

    /// Returns the parts of a page. See `ArticleRepository`.
    package func view(_ parts: ReadingParts, of user: Int64) async throws -> ReadingView {
        // A search has a time limit, which must not interrupt the other parts. Its articles are not saved.
        var (parts, found) = (parts, nil as ArticlePage?)
        if let list = parts.list, list.query.search != nil {
            found = try await self.list(list.query, after: list.cursor, limit: list.limit, counts: list.counts)
            parts.list = nil
        }
        // Read the version before the data: see `LibraryVersions`.
        let version = try recentVersion()
        let recent = version.flatMap { recentViews?.view(parts, of: user, at: $0) }
        if let recent, found == nil, parts.article == nil { return recent }
        // Each snapshot costs the checks of the file and the locks, so the other parts share one.
        let (view, article, marks) = try database.read { [parts, found] snapshot in
            let article = try parts.article.flatMap { try Self.article($0, in: snapshot) }
            let ids = (found?.summaries.map(\.id) ?? []) + (article.map { [$0.id] } ?? [])
            return (
                try recent ?? Self.view(parts, of: user, in: snapshot), article,
                try ids.isEmpty ? [:] : MarkRow.marks(of: ids, by: user, in: snapshot)
            )
        }
        if recent == nil, let version { recentViews?.save(view, parts, of: user, at: version) }
        var whole = view
        whole.page = found ?? view.page
        whole.article = article
        whole.marks.merge(marks) { $1 }
        return whole
    }

    /// Returns the parts of a page without the article.
    private static func view(_ parts: ReadingParts, of user: Int64, in snapshot: Snapshot) throws -> ReadingView {
        var view = ReadingView()
        if let list = parts.list {
            var page = try page(of: list.query, after: list.cursor, limit: list.limit, in: snapshot)
            if list.counts {
                page.total = try page.totalWithoutCounting(after: list.cursor) ?? count(list.query, in: snapshot)
            }
            view.page = page
            let ids = page.summaries.map(\.id)
            if !ids.isEmpty { view.marks = try MarkRow.marks(of: ids, by: user, in: snapshot) }
        }
        view.outline = try parts.sources.map { try SQLiteMarkRepository.outline(of: user, sources: $0, in: snapshot) }
        return view
    }

    private static func article(_ reference: ArticleReference, in snapshot: Snapshot) throws -> Article? {
        if let number = reference.number,
            let article = try snapshot.first(ArticleRow.selectByID, [Value(number)], ArticleRow.article)
        {
            return article
        }
        return try snapshot.first(ArticleRow.selectBySlug, [Value(reference.description)], ArticleRow.article)
    }

    /// Returns the last articles before a position. See `ArticleRepository`.
    package func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        guard query.search != nil else {
            return try summaries(query) { ArticleListStatement(query, before: position, limit: limit, from: $0) }
                .reversed()
        }
        return try search(query) { try $0.list(before: position, limit: limit) }
    }

    /// Returns whole articles of a list, all in the state of the same moment. See
    /// `ArticleRepository.articles(_:after:limit:)`. A batch ends when its bodies have 4 MiB together.
    /// - Throws: `CursorError` if the cursor belongs to another list; `StoreError`.
    package func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        return try database.read { snapshot in
            // A caller that reads whole articles needs all of them, so do not limit the search.
            let list =
                query.search == nil
                ? try Self.summaries(query, in: snapshot) {
                    ArticleListStatement(query, after: position, limit: limit + 1, from: $0)
                }
                : try ArticleSearch(query, in: snapshot, bounds: .none, marksWords: false)
                    .list(after: position, limit: limit).summaries
            var batch = ArticleBatch(articles: [], next: nil)
            var size = 0
            for summary in list.prefix(limit) {
                let article = try snapshot.first(ArticleRow.selectByID, [Value(summary.id)], ArticleRow.article)
                batch.articles += article.map { [$0] } ?? []
                size += article?.body.utf8.count ?? 0
                if size >= Self.batchSize { break }
            }
            if batch.articles.count < list.count {
                batch.next = list.prefix(batch.articles.count).last.map { Cursor(after: $0, in: query) }
            }
            return batch
        }
    }

    static let batchSize = 4 << 20

    /// Returns the sources of the articles that match a query.
    /// - Throws: `StoreError`.
    package func sourceIDs(of query: ArticleQuery) async throws -> Set<Source.ID> {
        try read(query) { connection in
            let statement = ArticleListStatement(numbering: query, from: try query.scarcest(in: connection))
            return Set(
                try connection.query(
                    """
                    WITH found (id) AS MATERIALIZED (\(statement.sql))
                    SELECT source_id FROM article WHERE id IN (SELECT id FROM found)
                    UNION SELECT source_id FROM article_appearance WHERE article_id IN (SELECT id FROM found)
                    """, statement.values
                ) { try $0.value(0) as Source.ID })
        }
    }

    /// Returns the number of articles that match a query. If the number is not stored, the articles are counted, which
    /// takes longer the more they are.
    /// - Throws: `StoreError`.
    package func count(_ query: ArticleQuery) async throws -> Int {
        try read(query) { try Self.count(query, in: $0) }
    }

    private static func count(_ query: ArticleQuery, in connection: any Queryable) throws -> Int {
        if let known = KnownCount(query) {
            return try connection.first(known.sql, known.values) { try $0.value(0) } ?? 0
        }
        let statement = ArticleListStatement(
            counting: try query.stemmed(in: connection), from: try query.scarcest(in: connection))
        return try connection.first(statement.sql, statement.values) { try $0.value(0) } ?? 0
    }

    /// Returns the numbers of the articles that match a query, in the order of arrival. See
    /// `ArticleRepository.numbers(of:latestFirst:limit:)`.
    /// - Throws: `StoreError`.
    package func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        try read(query) { try Self.numbers(of: query, latestFirst: latestFirst, limit: limit, in: $0) }
    }

    /// Returns the numbers of the articles that match each query, by arrival. See `ArticleRepository`.
    /// - Throws: `StoreError`.
    package func numbers(
        ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int, within time: Duration
    ) async throws -> [[Int64]?] {
        let deadline = ContinuousClock.now + time
        return try database.read { snapshot in
            try queries.map { query in
                do {
                    return try snapshot.withDeadline(deadline) {
                        try Self.numbers(of: query, latestFirst: latestFirst, limit: limit, in: snapshot)
                    }
                } catch DatabaseError.interrupted where ContinuousClock.now >= deadline {
                    return nil
                }
            }
        }
    }

    private static func numbers(
        of query: ArticleQuery, latestFirst: Bool, limit: Int, in snapshot: any Queryable
    ) throws -> [Int64] {
        let statement = ArticleListStatement(
            arriving: try query.stemmed(in: snapshot), latestFirst: latestFirst, limit: max(limit, 1),
            from: try query.scarcest(in: snapshot))
        return try snapshot.query(statement.sql, statement.values) { try $0.value(0) }
    }

    /// Changes articles in one transaction under the write lock of the database, and updates the search index.
    /// - Throws: the errors of `body`; `StoreError`.
    package func write<T: Sendable>(
        needing needs: WriteNeeds, _ body: (any ArticleWriter) throws -> T
    ) async throws -> T {
        // Reading a row takes microseconds, so nothing is loaded in advance.
        try await database.write { transaction in
            let before = transaction.changeCount
            let result = try transaction.recordingArrivals(at: { Arrival(clock()) }) {
                try body(SQLiteArticleWriter(transaction: transaction, now: clock(), makeUID: makeUID))
            }
            if transaction.changeCount != before, let event = eventOfChange() { try transaction.record(event) }
            try SearchIndex(transaction: transaction).advanceOrClear(.small)
            return result
        }
    }

    /// Updates the search index. See `ArticleRepository`.
    /// - Throws: `StoreError`.
    package func advanceSearch(briefly: Bool) async throws -> Int {
        // Usually there is nothing to do. Then do not wait for the write lock.
        guard try database.read({ try SearchIndex.backlog(in: $0) }) > 0 else { return 0 }
        // A lost step is done again.
        return try await database.write(
            timeout: briefly ? Self.briefTimeout : nil, isDurable: !briefly, overwritesFreedPages: briefly
        ) {
            try SearchIndex(transaction: $0).advanceOrClear(briefly ? .small : .large)
            return try SearchIndex.backlog(in: $0)
        }
    }

    /// Merges a part of the search index. See `ArticleRepository`.
    /// - Throws: `StoreError`.
    package func mergeSearch() async throws -> Bool {
        // A lost step is done again.
        try await database.write(isDurable: false, overwritesFreedPages: false) {
            try SearchIndex(transaction: $0).merge()
        }
    }

    /// The time in seconds that a brief step waits for another process.
    private static let briefTimeout = 1.0

    private func search<T: Sendable>(_ query: ArticleQuery, _ body: (ArticleSearch) throws -> T) throws -> T {
        try database.read { try body(ArticleSearch(query, in: $0, bounds: bounds)) }
    }

    private func summaries(
        _ query: ArticleQuery, _ statement: (Candidates?) -> ArticleListStatement
    ) throws -> [ArticleSummary] {
        try read(query) { try Self.summaries(query, in: $0, statement) }
    }

    private static func summaries(
        _ query: ArticleQuery, in connection: some Queryable, _ statement: (Candidates?) -> ArticleListStatement
    ) throws -> [ArticleSummary] {
        let statement = statement(try query.scarcest(in: connection))
        var summaries: [ArticleSummary] = []
        // The usual size of a page, and the extra article.
        summaries.reserveCapacity(51)
        try connection.forEach(statement.sql, statement.values) { summaries.append(try ArticleRow.summary($0)) }
        return summaries
    }

    /// Reads with a single statement, or in a snapshot if several statements must see the same state.
    private func read<T: Sendable>(_ query: ArticleQuery, _ body: (any Queryable) throws -> T) throws -> T {
        query.candidates.isEmpty ? try body(database) : try database.read { try body($0) }
    }
}

extension ArticlePage {
    /// Creates a page from a list that was read with one extra article.
    fileprivate init(
        _ summaries: [ArticleSummary], of query: ArticleQuery, limit: Int, search: SearchReport? = nil,
        lastNumber: Int64
    ) {
        let page = Array(summaries.prefix(limit))
        // A search that was cut off can continue from its last article.
        let goesOn = summaries.count > limit || (search?.isCut == true && query.order != .relevance)
        self.init(
            summaries: page, next: goesOn ? page.last.map { Cursor(after: $0, in: query) } : nil, search: search,
            lastNumber: lastNumber)
    }
}

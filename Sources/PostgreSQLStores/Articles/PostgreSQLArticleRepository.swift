package import ArticleStore
package import AuthService
internal import PostgreSQL
package import Text

/// Articles on a PostgreSQL server. See `ArticleRepository`.
///
/// Each read is one round trip on one snapshot, two for a search, or three for one by relevance. A write reads what it needs in a few round trips, and
/// sends all its changes in one. Its lock on the row of the library admits one writer at a time, so articles get their
/// numbers in the order in which they become visible.
///
/// Searches consider every word at once: only articles that an older version has indexed wait for ``advanceSearch(briefly:)``.
/// They do not suggest other words.
package struct PostgreSQLArticleRepository: ArticleRepository {
    let server: LibraryServer
    private let clock: @Sendable () -> Date
    private let makeUID: @Sendable () -> SourceUID
    /// The event that a change adds to the audit log, in its own transaction.
    private var eventOfChange: @Sendable () -> AuditEvent? = { nil }
    private let knownLanguages = KnownLanguages()

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - server: the library.
    ///   - clock: returns the present time, for articles whose source does not give a date.
    ///   - makeUID: creates the permanent identifier of a new source.
    package init(
        _ server: LibraryServer, clock: @escaping @Sendable () -> Date,
        makeUID: @escaping @Sendable () -> SourceUID = SourceUID.random
    ) {
        (self.server, self.clock, self.makeUID) = (server, clock, makeUID)
    }

    /// Returns the same repository, which adds events to the audit log in the transactions of the changes.
    ///
    /// - Parameter event: called at the end of a transaction that changed something, once even if the transaction is
    ///   repeated; nil if it needs no event.
    package func recordingChanges(
        _ event: @escaping @Sendable () -> AuditEvent?
    ) -> PostgreSQLArticleRepository {
        var copy = self
        copy.eventOfChange = event
        return copy
    }

    /// Returns articles by their numbers. See `ArticleRepository`. Each request has a part of them, so that a batch of
    /// large articles does not come at once.
    package func articles(ids: [Int64], upTo size: Int) async throws -> [ArrivedArticle] {
        var articles: [ArrivedArticle] = []
        var sum = 0
        for start in stride(from: 0, to: ids.count, by: 100) {
            let part = Array(ids[start..<min(start + 100, ids.count)])
            let rows = try await server.query(Statement(ArticleRow.selectArrived, [.integers(part)])) { row in
                let arrival: Int64? = try row.value(ArticleRow.arrivalColumn)
                return ArrivedArticle(
                    try ArticleRow.article(row), arrival: arrival.map { Arrival(microseconds: $0) })
            }
            let read = Dictionary(rows.map { ($0.article.id, $0) }) { first, _ in first }
            for article in part.compactMap({ read[$0] }) {
                articles.append(article)
                sum += article.article.body.utf8.count
                if sum >= size { return articles }
            }
        }
        return articles
    }

    /// Returns the summaries of the articles that references name. See `ArticleRepository`.
    package func summaries(of references: [ArticleReference]) async throws -> [ArticleReference: ArticleSummary] {
        let slugs = references.map { AnyText.stored($0.description) }
        let rows = try await server.query(
            Statement(ArticleRow.selectNamed, [.integers(references.map { $0.number ?? 0 }), .texts(slugs)])
        ) { (references[try $0.value(ArticleRow.indexColumn) - 1], try ArticleRow.summary($0)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the summaries of the articles of a source with these keys. See `ArticleRepository`.
    package func summaries(keys: [ExactText], in source: Source.ID) async throws -> [ExactText: ArticleSummary] {
        let texts = keys.map { AnyText.stored($0.text) }
        let rows = try await server.query(
            Statement(ArticleRow.selectByKeys, [.texts(texts), .integer(source)])
        ) { (keys[try $0.value(ArticleRow.indexColumn) - 1], try ArticleRow.summary($0)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the addresses of the originals of articles. See `ArticleRepository`.
    package func sourceURLs(of ids: [Int64]) async throws -> [Int64: String] {
        let rows = try await server.query(
            Statement(
                "SELECT article_id, source_url FROM article_body WHERE article_id = ANY ($1) AND source_url IS NOT NULL",
                [.integers(ids)])
        ) { (try $0.value(0) as Int64, try $0.anyText(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the articles with addresses. See `ArticleRepository`.
    package func articleIDs(at addresses: [String]) async throws -> [Int64] {
        try await server.query(
            Statement(
                """
                SELECT article_id FROM article_body WHERE source_url = ANY ($1)
                UNION SELECT id FROM article WHERE address_hash = ANY ($2) ORDER BY 1
                """, [.texts(addresses), .integers(addresses.compactMap { StoryAddress($0)?.hash })])
        ) { try $0.value(0) }
    }

    /// Returns the article with a slug. See `ArticleRepository`.
    package func article(slug: String) async throws -> Article? {
        try await server.first(
            Statement(ArticleRow.select + " WHERE a.slug = $1", [Value(anyText: slug)]), ArticleRow.article)
    }

    /// Returns the sources of articles. See `ArticleRepository`.
    package func sourceIDs(of ids: [Int64]) async throws -> [Int64: Source.ID] {
        let rows = try await server.query(
            Statement("SELECT id, source_id FROM article WHERE id = ANY ($1)", [.integers(ids)])
        ) { (try $0.value(0) as Int64, try $0.value(1) as Source.ID) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the articles that a link may lead to. See `ArticleRepository`.
    package func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        let (slugs, parts) = (names.map(AnyText.stored), names.map { AnyText.stored($0.lowercased()) })
        return try await server.query(
            Statement(
                """
                SELECT a.id, a.source_id, a.key, a.slug, a.language, a.published_at, a.published_offset, b.source_url
                FROM article AS a JOIN article_body AS b ON b.article_id = a.id
                WHERE a.slug = ANY ($1) OR a.source_id = $2 AND EXISTS (
                    SELECT FROM unnest($3::text[]) AS n (part)
                    WHERE strpos(lower(a.key COLLATE "C"), n.part COLLATE "C") > 0)
                ORDER BY a.id LIMIT 1000
                """, [.texts(slugs), .integer(source), .texts(parts)]),
            ArticleRow.candidate)
    }

    /// Returns all sources. See `ArticleRepository`.
    package func sources() async throws -> [Source] { try await server.query(SourceRow.select, SourceRow.source) }

    /// Returns the number of articles of each source. See `ArticleRepository`.
    package func articleCounts() async throws -> [Source.ID: Int] {
        let counts = try await server.query("SELECT source_id, articles + appearances FROM source_size") {
            (try $0.value(0) as Int64, try $0.value(1) as Int)
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// Returns the number of articles that are in no other source than these. See `ArticleRepository`.
    package func count(onlyIn sources: [Source.ID]) async throws -> Int {
        let statement = Statement(
            """
            SELECT count(*) FROM article AS a WHERE a.source_id = ANY ($1) AND NOT EXISTS (
                SELECT FROM article_appearance AS p WHERE p.article_id = a.id AND p.source_id <> ALL ($1))
            """, [.integers(sources)])
        return try await server.query(statement) { try $0.value(0) as Int }.first ?? 0
    }

    /// Returns the lowest and the highest number of the articles of each source. See `ArticleRepository`.
    package func articleRanges() async throws -> [Source.ID: ClosedRange<Int64>] {
        let ranges = try await server.query(
            """
            SELECT source_id, min(id), max(id) FROM article GROUP BY source_id
            UNION ALL SELECT source_id, min(article_id), max(article_id) FROM article_appearance GROUP BY source_id
            """
        ) {
            (try $0.value(0) as Source.ID, (try $0.value(1) as Int64)...(try $0.value(2) as Int64))
        }
        return Dictionary(ranges) {
            min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
        }
    }

    /// Returns the size of the library. See `ArticleRepository`.
    package func size() async throws -> LibrarySize {
        let months = try await server.query(
            """
            SELECT to_char(to_timestamp(published_at) AT TIME ZONE 'UTC', 'YYYY-MM'), count(*),
                sum(reading_minutes)::bigint
            FROM article GROUP BY 1 ORDER BY 1
            """
        ) { (name: try $0.value(0) as String, articles: try $0.value(1) as Int, minutes: try $0.value(2) as Int) }
        return LibrarySize(
            articles: months.reduce(0) { $0 + $1.articles }, readingMinutes: months.reduce(0) { $0 + $1.minutes },
            months: months.map { .init($0.name, articles: $0.articles) })
    }

    /// Returns all authors or all tags. See `ArticleRepository`.
    package func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        try await labels(kind, "", [])
    }

    /// Returns the authors or tags whose keys begin with a text. See `ArticleRepository`.
    package func labels(_ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int) async throws
        -> [ArticleLabel]
    {
        let key = AnyText.stored(SearchText.fold(start))
        return try await labels(
            kind, " AND starts_with(l.key, $2) ORDER BY l.key LIMIT $3", [.text(key), Value(max(0, limit))])
    }

    private func labels(_ kind: ArticleLabel.Kind, _ range: String, _ values: [Value]) async throws -> [ArticleLabel] {
        // The spelling is that of the latest article.
        let labels = try await server.query(
            Statement(
                """
                SELECT f.key, f.articles, (
                    SELECT a.\(kind == .author ? "authors" : "tags")
                    FROM article_label AS k JOIN article AS a ON a.id = k.article_id WHERE k.label_id = f.id
                    ORDER BY k.published_at DESC, k.article_id DESC LIMIT 1) AS names
                FROM (SELECT l.id, l.key, l.articles FROM label AS l WHERE l.kind = $1 AND l.articles > 0\(range)) AS f
                ORDER BY f.key
                """, [.text(kind.rawValue)] + values)
        ) { row in
            let key = try row.anyText(0)
            let name = try row.names(2).first { SearchText.fold($0) == key }
            return ArticleLabel(kind: kind, key: key, name: name ?? key, articles: try row.value(1))
        }
        return labels
    }

    /// Returns the slugs that begin with a text. See `ArticleRepository`.
    package func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        let start = AnyText.stored(start)
        return try await server.query(
            Statement(
                """
                SELECT slug FROM article
                WHERE left(slug, 200) >= left($1, 200) AND left(slug, 200) < $2 AND slug >= $1 AND slug < $2
                ORDER BY left(slug, 200), slug LIMIT $3
                """, [.text(start), .text(start + "\u{10FFFF}"), Value(max(0, limit))])
        ) { try $0.anyText(0) }
    }

    /// Returns slugs that a person may have meant. See `ArticleRepository`.
    package func slugs(similarTo typed: String) async throws -> [String] {
        let slug = typed.lowercased()
        guard let start = slug.first.map({ AnyText.stored(String($0)) }) else { return [] }
        // Read the slugs before and after the first two letters, if they begin with the same letter.
        let place = AnyText.stored(String(slug.prefix(2)))
        let rows = try await server.read([
            Statement("SELECT slug FROM article WHERE slug = $1", [Value(anyText: slug)]),
            Statement(
                """
                SELECT slug FROM article WHERE left(slug, 200) >= $1 AND left(slug, 200) < $2
                ORDER BY left(slug, 200) LIMIT 1000
                """,
                [.text(place), .text(start + "\u{10FFFF}")]),
            Statement(
                """
                SELECT slug FROM article WHERE left(slug, 200) < $1 AND left(slug, 200) >= $2
                ORDER BY left(slug, 200) DESC LIMIT 1000
                """,
                [.text(place), .text(start)]),
        ])
        return try translating {
            let same = try rows[0].map { try $0.anyText(0) }
            guard same.isEmpty else { return same }
            return try (rows[1].map { try $0.anyText(0) } + rows[2].map { try $0.anyText(0) }).suggestions(for: slug)
        }
    }

    /// Returns the languages of all articles. See `ArticleRepository`.
    package func languages() async throws -> [String] {
        // Skips from language to language in the index.
        try await server.query(
            """
            WITH RECURSIVE l (language) AS (
                (SELECT language FROM article WHERE language IS NOT NULL ORDER BY language LIMIT 1)
                UNION ALL
                SELECT (SELECT a.language FROM article AS a WHERE a.language > l.language ORDER BY a.language LIMIT 1)
                FROM l WHERE l.language IS NOT NULL)
            SELECT language FROM l WHERE language IS NOT NULL
            """
        ) { try $0.anyText(0) }
    }

    // MARK: Lists

    /// Returns a page of a list. See `ArticleRepository`.
    package func list(
        _ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool
    ) async throws -> ArticlePage {
        try await list(ReadingParts.List(query, after: cursor, limit: limit, counts: counts), markedBy: nil).page
    }

    /// Returns the parts of a page. See `ArticleRepository`.
    package func view(_ parts: ReadingParts, of user: Int64) async throws -> ReadingView {
        let article = parts.article.map { reference in
            Statement(
                ArticleRow.selectMarked,
                [.integer(reference.number ?? 0), Value(anyText: reference.description), .integer(user)])
        }
        let outline = parts.sources.map { PostgreSQLMarkRepository.outline(of: user, sources: $0) } ?? []
        let statements = (article.map { [$0] } ?? []) + outline

        var view = ReadingView()
        var rows: [Rows]
        if let list = parts.list {
            let listed = try await self.list(list, markedBy: user, with: statements)
            (view.page, view.marks, rows) = (listed.page, listed.marks, listed.others)
        } else {
            rows = try await self.rows(of: [(.shared, statements)])
        }
        try translating {
            if article != nil, let row = rows.removeFirst().first {
                let article = try ArticleRow.article(row)
                view.article = article
                view.marks[article.id] = try MarkRow.marks(row, from: ArticleRow.marksOfArticle)
            }
            if parts.sources != nil { view.outline = try PostgreSQLMarkRepository.outline(rows) }
        }
        return view
    }

    /// Returns a page of a list with the marks of a user, and the rows of other statements.
    private func list(
        _ list: ReadingParts.List, markedBy user: Int64?, with others: [Statement] = []
    ) async throws -> (page: ArticlePage, marks: [Int64: ArticleMarks], others: [Rows]) {
        let (cursor, counts) = (list.cursor, list.counts)
        let limit = ArticlePage.size(list.limit)
        let position = try cursor?.position(in: list.query)
        let query = try await stemmed(list.query)
        guard query.order == .relevance else {
            // The extra article tells whether the list continues after the page.
            let candidates = try await candidates(ofEach: [query])
            let list = ArticleListStatement.page(
                query, among: candidates.ids[0], from: position, isBackward: false, limit: limit + 1, markedBy: user)
            let all = try await rows(
                of: [(.shared, others), (Planning(ofList: query), [Self.lastNumber, list])]
                    + (counts && query.search == nil ? [Self.count(query)] : []))
            let rows = all.dropFirst(others.count).map(\.self)
            let (last, found, summaries, marks, count) = try translating {
                let articles = try user.map { _ in try MarkRow.articles(rows[1], from: ArticleRow.marksOfSummary) }
                return (
                    try candidates.lastNumber ?? rows[0].first?.value(0) as Int64? ?? 0,
                    articles?.count ?? rows[1].count,
                    try (articles ?? rows[1][...]).prefix(limit).map(ArticleRow.summary),
                    user == nil ? [:] : try MarkRow.marks(rows[1], from: ArticleRow.marksOfSummary, limit: limit),
                    try rows.dropFirst(2).first?.first?.value(0) as Int?
                )
            }
            var page = page(
                try await marked(summaries, query), of: query, found, query.search.map { _ in SearchReport() },
                last)
            if counts { try await page.setTotal(of: query, after: cursor) { _ in count ?? 0 } }
            return (page, marks, Array(all.prefix(others.count)))
        }
        let ranking = try await ranking(query)
        let rest = ranking.hits.drop { hit in position.map { !ranking.isAfter(hit, $0) } ?? false }
        let hits = Array(rest.prefix(limit))
        let marked = user.map { [MarkRow.statement(of: hits.map(\.id), by: $0)] } ?? []
        let (summaries, rows) = try await summaries(hits, query, with: marked + others)
        var page = page(summaries, of: query, rest.count, SearchReport(isCut: ranking.isCut), ranking.lastNumber)
        if counts { try await page.setTotal(of: query, after: cursor, count: count) }
        let marks = marked.isEmpty ? [:] : try translating { try MarkRow.marks(rows[0]) }
        return (page, marks, Array(rows.dropFirst(marked.count)))
    }

    private func page(
        _ summaries: [ArticleSummary], of query: ArticleQuery, _ count: Int, _ report: SearchReport?,
        _ lastNumber: Int64
    ) -> ArticlePage {
        let last = count > summaries.count ? summaries.last : nil
        return ArticlePage(
            summaries: summaries, next: last.map { Cursor(after: $0, in: query) }, search: report,
            lastNumber: lastNumber)
    }

    /// Selects the highest article number. It runs before the list: an article that arrives in between must not count as
    /// listed.
    private static let lastNumber: Statement = "SELECT coalesce(max(id), 0) FROM article"

    /// Returns the last articles before a position. See `ArticleRepository`.
    package func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        let query = try await stemmed(query)
        guard query.order == .relevance else {
            let page = ArticleListStatement.page(
                query, among: try await candidates(query), from: position, isBackward: true, limit: limit)
            let rows = try await rows(of: [(Planning(ofList: query), [page])])
            let summaries = try translating { try rows[0].map(ArticleRow.summary) }
            return try await marked(summaries.reversed(), query)
        }
        let ranking = try await ranking(query)
        let start = ranking.hits.prefix { hit in position.map { !ranking.isAfter(hit, $0) } ?? true }
        return try await summaries(Array(start.suffix(limit)), query).summaries
    }

    /// Returns whole articles of a list. See `ArticleRepository`. A batch ends when its bodies have 4 MiB together.
    package func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        let limit = ArticlePage.size(limit)
        let position = try cursor?.position(in: query)
        let query = try await stemmed(query)
        var ids: [(id: Int64, cursor: Cursor)] = []
        if query.order == .relevance {
            let ranking = try await ranking(query)
            let rest = ranking.hits.drop { hit in position.map { !ranking.isAfter(hit, $0) } ?? false }
            ids = rest.prefix(limit + 1).map { ($0.id, Cursor(after: .score($0.score, id: $0.id), in: query)) }
        } else {
            let page = ArticleListStatement.page(
                query, among: try await candidates(query), from: position, isBackward: false, limit: limit + 1)
            let rows = try await rows(of: [(Planning(ofList: query), [page])])
            ids = try translating { try rows[0].map(ArticleRow.summary) }
                .map { ($0.id, Cursor(after: $0, in: query)) }
        }
        let read = try await articles(ids.prefix(limit).map(\.id))
        var batch = ArticleBatch(articles: [], next: nil)
        var last: Cursor?
        var (size, count) = (0, 0)
        for (id, cursor) in ids.prefix(limit) {
            (last, count) = (cursor, count + 1)
            guard let article = read[id] else { continue }
            batch.articles.append(article)
            size += article.body.utf8.count
            if size >= Self.batchSize { break }
        }
        if count < ids.count { batch.next = last }
        return batch
    }

    static let batchSize = 4 << 20

    /// Returns articles by number, until their bodies have 4 MiB together. Each request has a part of them, so that a
    /// batch of large articles does not come at once.
    func articles(_ ids: [Int64]) async throws -> [Int64: Article] {
        var articles: [Int64: Article] = [:]
        var size = 0
        for start in stride(from: 0, to: ids.count, by: 100) where size < Self.batchSize {
            let part = Array(ids[start..<min(start + 100, ids.count)])
            let found = try await server.query(
                Statement(ArticleRow.selectByIDs, [.integers(part)]), ArticleRow.article)
            for article in found {
                articles[article.id] = article
                size += article.body.utf8.count
            }
        }
        return articles
    }

    /// Returns the sources of the articles that match a query. See `ArticleRepository`.
    package func sourceIDs(of query: ArticleQuery) async throws -> Set<Source.ID> {
        Set(try await server.query(ArticleListStatement.sources(query)) { try $0.value(0) as Source.ID })
    }

    /// Returns the number of articles that match a query. See `ArticleRepository`.
    package func count(_ query: ArticleQuery) async throws -> Int {
        let query = try await stemmed(query)
        let rows = try await rows(of: [Self.count(query, among: try await candidates(query))])
        return try translating { try rows[0].first?.value(0) ?? 0 }
    }

    private static let libraryCount: Statement = "SELECT coalesce(sum(articles), 0)::bigint FROM source_size"

    private static func count(_ query: ArticleQuery, among candidates: [Int64]? = nil) -> (Planning, [Statement]) {
        if query.isOfAll {
            guard let user = query.marks.userID else { return (.shared, [libraryCount]) }
            let visible = Statement(
                """
                SELECT (\(libraryCount.sql)) - (SELECT count(*) FROM article_hidden WHERE user_id = $1 AND is_set)
                """, [.integer(user)])
            return (.shared, [visible])
        }
        // The marks are fewer than the articles.
        if let user = query.marks.userID,
            query == ArticleQuery(marks: MarkCondition(userID: user, isRead: false), sort: query.sort)
        {
            return (.shared, [Statement(MarkRow.unread, [.integer(user)])])
        }
        return (query.search == nil ? .chosen : .own, [ArticleListStatement.count(query, among: candidates)])
    }

    /// How the server plans statements.
    private enum Planning: String {
        /// Once for all values, for statements that read by keys or in the order of an index: planning takes longer than
        /// reading the rows. The text of a list decides its plan: see ``ArticleListStatement``.
        case shared = "force_generic_plan"
        /// For each request, for searches: one plan for all words reads every article to find a rare one.
        case own = "force_custom_plan"
        /// As the server chooses after a few requests, for rows that are counted: an index helps only if few match.
        case chosen = "auto"

        init(ofList query: ArticleQuery) { self = query.search == nil ? .shared : .own }
    }

    /// Runs groups of statements, in one round trip. They end if the task is canceled, as if the user types on in a search.
    private func rows(of groups: [(Planning, [Statement])]) async throws -> [Rows] {
        var all: [Statement] = []
        var results: [Int] = []
        var last = Planning.chosen
        for (planning, statements) in groups where !statements.isEmpty {
            if planning != last { all.append(Statement("SET LOCAL plan_cache_mode = \(planning.rawValue)", [])) }
            last = planning
            results += all.count..<(all.count + statements.count)
            all += statements
        }
        let rows = try await server.read(all, isCancellable: true)
        return results.map { rows[$0] }
    }

    /// The maximum number of candidates of a search. If there are more, the articles of a page are among the first ones in the
    /// order of the list.
    private static let mostCandidates = 8_000

    /// Makes the next statements of a transaction use the index of words: only a bitmap scan does. The planner takes a rare word
    /// for more frequent than it is, and would read every text to find it.
    private static let usesIndexOfWords: [Statement] = [
        "SET LOCAL enable_seqscan = off", "SET LOCAL enable_indexscan = off",
    ]

    /// Returns the articles that have the words of a search; nil if they are many, or if the query does not have words.
    private func candidates(_ query: ArticleQuery) async throws -> [Int64]? {
        try await candidates(ofEach: [query]).ids[0]
    }

    /// Returns the candidates of each query, in one round trip, and the highest article number before they were read; nil
    /// without a search.
    private func candidates(
        ofEach queries: [ArticleQuery]
    ) async throws -> (ids: [[Int64]?], lastNumber: Int64?) {
        let statements = queries.map { ArticleListStatement.candidates($0, limit: Self.mostCandidates + 1) }
        let searches = statements.compactMap(\.self)
        if searches.isEmpty { return (queries.map { _ in nil }, nil) }
        let all = try await rows(of: [(.own, [Self.lastNumber] + Self.usesIndexOfWords + searches)])
        var rows = all.suffix(searches.count)
        return try translating {
            let ids: [[Int64]?] = try statements.map { statement in
                guard statement != nil, let found = rows.popFirst() else { return nil }
                if found.count > Self.mostCandidates { return nil }
                return try found.map { try $0.value(0) }
            }
            return (ids, try all[0].first?.value(0))
        }
    }

    /// Returns the numbers of the articles that match a query, by arrival. See `ArticleRepository`.
    package func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        try await numbers(ofEach: [query], latestFirst: latestFirst, limit: limit)[0]
    }

    /// Returns the numbers of the articles that match each query, by arrival. See `ArticleRepository`.
    package func numbers(
        ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int, within time: Duration
    ) async throws -> [[Int64]?] {
        let deadline = ContinuousClock.now + time
        var numbers: [[Int64]?] = []
        while numbers.count < queries.count {
            let batch = Array(queries[numbers.count...].prefix(Self.queriesPerRoundTrip))
            let found = try await Self.before(deadline) {
                try await self.numbers(ofEach: batch, latestFirst: latestFirst, limit: limit)
            }
            guard let found else { break }
            numbers += found
        }
        return numbers + Array(repeating: nil, count: queries.count - numbers.count)
    }

    /// The number of queries in one round trip. If the time ends, their results are lost.
    private static let queriesPerRoundTrip = 16

    /// Returns the result of `body`; nil if a deadline passed before. Then `body` is canceled.
    private static func before<T: Sendable>(
        _ deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T? {
        guard ContinuousClock.now < deadline else { return nil }
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Returns the numbers of the articles that match each query, in two round trips, or in one without searches.
    private func numbers(ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int) async throws -> [[Int64]] {
        if queries.isEmpty { return [] }
        var queries = queries
        for index in queries.indices { queries[index] = try await stemmed(queries[index]) }
        let statements = zip(queries, try await candidates(ofEach: queries).ids).map { query, candidates in
            ArticleListStatement.arrivals(query, among: candidates, latestFirst: latestFirst, limit: max(limit, 1))
        }
        let isSearch = queries.contains { $0.search != nil }
        let rows = try await rows(of: [(isSearch ? .own : .chosen, statements)])
        return try translating { try rows.map { try $0.map { try $0.value(0) } } }
    }

    // MARK: Searches

    /// Returns the same query with the stems of its words in the languages of the library.
    private func stemmed(_ query: ArticleQuery) async throws -> ArticleQuery {
        guard let search = query.search else { return query }
        var query = query
        query.search = search.stemmed(in: try await knownLanguages.current(languages))
        return query
    }

    private struct Ranking {
        struct Hit {
            let id: Int64
            let score: Double
        }

        /// The matching articles, the best first.
        let hits: [Hit]
        let isCut: Bool
        let lastNumber: Int64

        /// Whether an article comes after a position.
        func isAfter(_ hit: Hit, _ position: Cursor.Position) -> Bool {
            guard case .score(let score, let id) = position else { return true }
            guard let score = score ?? hits.first(where: { $0.id == id })?.score else { return true }
            return (hit.score, hit.id) < (score, id)
        }
    }

    /// The maximum number of articles whose texts determine their order, and the maximum size of these texts in bytes.
    private static let (scoredArticles, scoredBytes) = (100, 4 << 20)

    /// Returns the matching articles. The server's own rank chooses those whose texts are scored.
    private func ranking(_ query: ArticleQuery) async throws -> Ranking {
        guard let search = query.search else { return Ranking(hits: [], isCut: false, lastNumber: 0) }
        var score = SearchScore(search)
        let counts =
            score.needsRarities
            ? zip(SearchCondition.forms(search), score.countLimits).map { ArticleListStatement.count($0, upTo: $1) }
            : []
        let candidates = try await candidates(ofEach: [query])
        let scores = ArticleListStatement.scores(query, among: candidates.ids[0])
        let all = try await rows(
            of: [(.own, [Self.lastNumber, scores, Self.libraryCount] + Self.usesIndexOfWords + counts)])
        let rows = Array(all.prefix(3) + all.suffix(counts.count))
        let (last, ranks) = try translating {
            if score.needsRarities {
                try score.setRarities(
                    rows[3...].map { SearchScore.Hits(count: try $0[0].value(0), last: try $0[0].value(1)) },
                    of: rows[2][0].value(0))
            }
            return (
                try candidates.lastNumber ?? rows[0].first?.value(0) as Int64? ?? 0,
                try rows[1].map { Ranking.Hit(id: try $0.value(0), score: try $0.value(1)) }
            )
        }
        let ranked = ranks.sorted { ($1.score, $1.id) < ($0.score, $0.id) }
        let scored = try await texts(of: ranked.prefix(Self.scoredArticles).map(\.id))
            .map { Ranking.Hit(id: $0.id, score: score.score(of: $0.text)) }
            .sorted { ($1.score, $1.id) < ($0.score, $0.id) }
        let known = Set(scored.map(\.id))
        // Ranks are below 1, so the other articles come after those.
        let lowest = scored.last?.score ?? 1
        let others = ranked.filter { !known.contains($0.id) }.map { Ranking.Hit(id: $0.id, score: $0.score * lowest) }
        return Ranking(
            hits: scored + others, isCut: ranks.count >= ArticleListStatement.rankedArticles, lastNumber: last)
    }

    /// Returns the first articles with their texts, until the texts are too large together.
    private func texts(of ids: [Int64]) async throws -> [(id: Int64, text: IndexedText)] {
        guard !ids.isEmpty else { return [] }
        return try await server.query(
            Statement(
                """
                SELECT a.id, a.title, a.authors, a.tags, a.summary, a.language, b.body, b.format FROM (
                    SELECT n.id, sum(octet_length(b.body)) OVER (ORDER BY n.place) AS size
                    FROM unnest($1::bigint[]) WITH ORDINALITY AS n (id, place)
                    JOIN article_body AS b ON b.article_id = n.id
                ) AS n JOIN article AS a ON a.id = n.id JOIN article_body AS b ON b.article_id = n.id
                WHERE n.size <= \(Self.scoredBytes)
                """, [.integers(ids)])
        ) { row in
            let text = IndexedText(
                title: try row.anyText(1), authors: try row.names(2), tags: try row.names(3),
                summary: try row.anyText(4), language: try row.optionalText(5), body: try row.anyText(6),
                format: try row.value(7) { Article.Format(rawValue: $0) })
            return (try row.value(0), text)
        }
    }

    /// Returns the summaries of hits, and the rows of other statements.
    private func summaries(
        _ hits: [Ranking.Hit], _ query: ArticleQuery, with others: [Statement] = []
    ) async throws -> (summaries: [ArticleSummary], others: [Rows]) {
        guard let search = query.search, !hits.isEmpty else {
            return ([], others.isEmpty ? [] : try await rows(of: [(.shared, others)]))
        }
        let ids = hits.map(\.id)
        let select = "SELECT \(ArticleRow.summaryColumns) FROM article AS a \(ArticleRow.source) WHERE a.id = ANY ($1)"
        let rows = try await rows(
            of: [(.shared, [Statement(select, [.integers(ids)]), Self.bodies(of: ids)] + others)])
        let summaries = try translating {
            let byID = Dictionary(try rows[0].map { try ($0.value(0) as Int64, ArticleRow.summary($0)) }) { first, _ in
                first
            }
            let summaries = hits.compactMap { hit in
                var summary = byID[hit.id]
                summary?.found = SearchHit(score: hit.score)
                return summary
            }
            return try Self.marked(summaries, bodies: rows[1], search)
        }
        return (summaries, Array(rows.dropFirst(2)))
    }

    /// Returns the articles with the matches marked.
    private func marked(_ summaries: [ArticleSummary], _ query: ArticleQuery) async throws -> [ArticleSummary] {
        guard let search = query.search, search.marksWords, !summaries.isEmpty else { return summaries }
        let rows = try await server.read([Self.bodies(of: summaries.map(\.id))])
        return try translating { try Self.marked(summaries, bodies: rows[0], search) }
    }

    private static func bodies(of ids: [Int64]) -> Statement {
        Statement("SELECT article_id, format, body FROM article_body WHERE article_id = ANY ($1)", [.integers(ids)])
    }

    private static func marked(
        _ summaries: [ArticleSummary], bodies: Rows, _ search: SearchQuery
    ) throws -> [ArticleSummary] {
        let marker = SearchMarker(search)
        let bodies = try bodies.map { row in
            (try row.value(0) as Int64, (try row.value(1) { Article.Format(rawValue: $0) }, try row.anyText(2)))
        }
        let byID = Dictionary(bodies) { first, _ in first }
        return summaries.map { summary in
            guard let (format, body) = byID[summary.id] else { return summary }
            var summary = summary
            summary.found = marker.hit(summary, body: body, format: format, score: summary.found?.score)
            return summary
        }
    }

    // MARK: Writes

    private static let groupSize = 2 << 20

    /// Whether the body of a write may run several times. See `ArticleRepository`.
    package var repeatsWrites: Bool { true }

    /// Changes articles in one transaction. See `ArticleRepository`. The body is called again with more facts until it
    /// has all that it asks for.
    package func write<T: Sendable>(
        needing needs: WriteNeeds, _ body: (any ArticleWriter) throws -> T
    ) async throws -> T {
        let now = clock()
        var events: [AuditEvent?] = []
        defer { knownLanguages.forget() }
        return try await server.write { transaction in
            var facts = try await LibraryFacts(locking: transaction)
            let questions = LibraryQuestions(needs)
            if !questions.isEmpty { try await facts.read(questions, at: now, in: transaction) }
            while true {
                let work = UnitOfWork(facts, now: now, makeUID: makeUID)
                let result = Result { try body(work) }
                if work.questions.isEmpty {
                    let value = try result.get()
                    let statements = work.finishedStatements(arrival: Arrival(clock()))
                    try await Self.queue(statements, in: transaction)
                    try await addToIndex(work.searchableArticles, in: transaction)
                    if !statements.isEmpty {
                        if events.isEmpty { events.append(eventOfChange()) }
                        if let event = events[0] { try await transaction.record(event) }
                    }
                    return value
                }
                try await facts.read(work.questions, at: now, in: transaction)
            }
        }
    }

    /// The size of the texts that are added to the search index while the words of the next ones are found.
    private static let partSize = 256 << 10

    /// Adds articles to the search index. While the server works on a part, the words of the next part are found.
    private func addToIndex(_ articles: [Article], in transaction: Transaction) async throws {
        var parts: [[Article]] = []
        var room = 0
        for article in articles {
            if room <= 0 {
                parts.append([])
                room = Self.partSize
            }
            parts[parts.count - 1].append(article)
            room -= article.body.utf8.count
        }
        if parts.count > 1 {
            // A long list of waiting words changes each page of the index less often. `mergeSearch()` empties the list.
            transaction.queue(["SET LOCAL gin_pending_list_limit = '16MB'", "SET LOCAL work_mem = '64MB'"])
        }
        var ready = UnitOfWork.searchStatements(of: parts.first ?? [])
        for part in parts.dropFirst() {
            async let next = UnitOfWork.searchStatements(of: part)
            try await Self.queue(ready, in: transaction)
            try await transaction.run([])
            ready = await next
        }
        try await Self.queue(ready, in: transaction)
    }

    /// Sends statements in groups, each of which has its own deadline. The last one is sent with the next statements or the
    /// commit.
    private static func queue(_ statements: [Statement], in transaction: Transaction) async throws {
        for statement in statements {
            transaction.queue([statement])
            if transaction.queuedBytes >= groupSize { try await transaction.run([]) }
        }
    }

    /// Moves the waiting words into the search index. See `ArticleRepository`. Otherwise the next small write might do it.
    package func mergeSearch() async throws -> Bool {
        // Only the owner of the index may do this.
        let statement: Statement = """
            SELECT gin_clean_pending_list(oid::regclass) FROM pg_class
            WHERE oid = 'article_search_by_word'::regclass AND pg_has_role(relowner, 'USAGE')
            """
        do {
            try await server.write([statement])
        } catch is StoreError {
            // A busy server moves them later.
        }
        return false
    }

    /// Stores the words of articles again that an older version has stored. See `ArticleRepository`.
    package func advanceSearch(briefly: Bool) async throws -> Int {
        let count: Statement = "SELECT count(*) FROM article_search WHERE gap < 0"
        // Usually there is nothing to do. Then do not wait for another writer.
        guard try await server.first(count, { try $0.value(0) as Int }) ?? 0 > 0 else { return 0 }
        return try await server.write { transaction in
            // The lock: an article must not change before its words are stored.
            let rows = try await transaction.run([
                "SELECT FROM library FOR UPDATE",
                Statement(
                    """
                    \(ArticleRow.select)
                    WHERE a.id IN (SELECT article_id FROM article_search WHERE gap < 0 ORDER BY article_id LIMIT $1)
                    """, [briefly ? 2 : 20]),
            ])
            // A row without an article is damaged, and would wait forever.
            guard !rows[1].isEmpty else { return 0 }
            try await Self.queue(UnitOfWork.searchStatements(of: rows[1].map(ArticleRow.article)), in: transaction)
            return try await transaction.run([count])[0].first?.value(0) ?? 0
        }
    }
}

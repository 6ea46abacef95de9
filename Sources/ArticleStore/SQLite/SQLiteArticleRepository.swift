public import Database
public import Essentials
import Text

/// Articles in a SQLite database that has the schema of `migrations/`.
///
/// A list costs the same wherever it starts: it is read in the order of an index, from the place where the page before
/// ended, and never sorted. It does its work on the thread that calls it.
public struct SQLiteArticleRepository: ArticleRepository {
    private let database: Database
    private let clock: @Sendable () -> Date
    private let makeUID: @Sendable () -> SourceUID

    /// Articles in a database.
    /// - Parameters:
    ///   - database: has the tables of this package's schema.
    ///   - clock: what time it is, for articles whose source has no date.
    ///   - makeUID: makes what a new source is known by.
    public init(
        database: Database, clock: @escaping @Sendable () -> Date,
        makeUID: @escaping @Sendable () -> SourceUID = SourceUID.random
    ) {
        self.database = database
        self.clock = clock
        self.makeUID = makeUID
    }

    /// The article of a number.
    /// - Throws: `DatabaseError`.
    public func article(id: Int64) async throws -> Article? {
        try database.first(ArticleRow.selectByID, [Value(id)], ArticleRow.article)
    }

    /// The article of a slug, exactly as it is written.
    /// - Throws: `DatabaseError`.
    public func article(slug: String) async throws -> Article? {
        try database.first(ArticleRow.selectBySlug, [Value(slug)], ArticleRow.article)
    }

    /// The article of a key in a source.
    /// - Throws: `DatabaseError`.
    public func article(key: ExactText, in source: Source.ID) async throws -> Article? {
        try database.read {
            try $0.first(ArticleRow.selectByKey, [Value(source), Value(key.text)], ArticleRow.article)
        }
    }

    /// All sources, in the order of their numbers.
    /// - Throws: `DatabaseError`.
    public func sources() async throws -> [Source] {
        try database.query(SourceRow.select, [], SourceRow.source)
    }

    /// How many articles each source has, as it is kept with every write.
    /// - Throws: `DatabaseError`.
    public func articleCounts() async throws -> [Source.ID: Int] {
        let counts = try database.query(SourceRow.counts, [], SourceRow.count)
        return Dictionary(counts) { first, _ in first }
    }

    /// All authors or all tags. See ``ArticleRepository/labels(_:)``.
    /// - Throws: `DatabaseError`.
    public func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        try database.query(LabelRow.select(kind), [Value(kind.rawValue)]) { row in
            let key: String = try row.value(0)
            let name = ArticleRow.names(try row.utf8(2)).first { FoldedKey.fold($0) == key }
            return ArticleLabel(kind: kind, key: key, name: name ?? key, articles: try row.value(1))
        }
    }

    /// A page of the list of a query. See ``ArticleRepository/list(_:after:limit:)``.
    /// - Throws: ``CursorError`` and `DatabaseError`.
    public func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        let limit = min(max(limit, 1), 1000)
        let position = try cursor?.position(in: query)
        // One more than is shown, to know whether the list goes on.
        var summaries = try summaries(query) {
            ArticleListStatement(query, after: position, limit: limit + 1, from: $0)
        }
        guard summaries.count > limit else { return ArticlePage(summaries: summaries, next: nil) }
        summaries.removeLast()
        return ArticlePage(
            summaries: summaries, next: summaries.last.map { Cursor(after: $0, in: query) })
    }

    /// The last articles before a place. See ``ArticleRepository``.
    public func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        let limit = min(max(limit, 1), 1000)
        let position = try cursor?.position(in: query)
        return try summaries(query) {
            ArticleListStatement(query, before: position, limit: limit, from: $0)
        }.reversed()
    }

    /// Whole articles of a list, of one moment. See ``ArticleRepository/articles(_:after:limit:)``. A batch ends when its
    /// bodies have 4 MiB.
    /// - Throws: ``CursorError`` and `DatabaseError`.
    public func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        let limit = min(max(limit, 1), 1000)
        let position = try cursor?.position(in: query)
        return try read(query) { snapshot in
            let statement = ArticleListStatement(
                query, after: position, limit: limit + 1, from: try query.marks.scarcest(in: snapshot))
            let list = try snapshot.query(statement.sql, statement.values, ArticleRow.summary)
            var batch = ArticleBatch(articles: [], next: nil)
            var size = 0
            for summary in list.prefix(limit) {
                let article = try snapshot.first(ArticleRow.selectByID, [Value(summary.id)], ArticleRow.article)
                batch.articles += article.map { [$0] } ?? []
                size += article?.body.utf8.count ?? 0
                if size >= Self.batchSize { break }
            }
            if batch.articles.count < list.count {
                batch.next = batch.articles.last.map { Cursor(after: ArticleSummary($0), in: query) }
            }
            return batch
        }
    }

    private static let batchSize = 4 << 20

    /// How many articles a query holds. It counts them, so that it takes longer the more they are.
    /// - Throws: `DatabaseError`.
    public func count(_ query: ArticleQuery) async throws -> Int {
        try reader(query) { reader in
            if let known = UnreadCount(query) {
                return try reader.first(known.sql, known.values) { try $0.value(0) } ?? 0
            }
            let statement = ArticleListStatement(counting: query, from: try query.marks.scarcest(in: reader))
            return try reader.first(statement.sql, statement.values) { try $0.value(0) } ?? 0
        }
    }

    /// The articles of a query, by their numbers. See ``ArticleRepository/numbers(of:)``.
    /// - Throws: `DatabaseError`.
    public func numbers(of query: ArticleQuery) async throws -> RowNumbers {
        if query == ArticleQuery(sort: query.sort) { return .all }
        let statement = ArticleListStatement(
            numbering: query, from: try query.marks.isEmpty ? nil : database.read { try query.marks.scarcest(in: $0) })
        guard query.text != nil else { return RowNumbers(.selected(statement.sql, statement.values)) }
        // What the statement calls is known to this connection.
        return RowNumbers(
            try read(query) { try $0.query(statement.sql, statement.values) { try $0.value(0) as Int64 } })
    }

    /// Changes articles in one transaction, under the write lock of the database.
    /// - Throws: what `body` throws, and `DatabaseError`.
    public func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T {
        try database.write { try body(SQLiteArticleWriter(transaction: $0, now: clock(), makeUID: makeUID)) }
    }

    private func summaries(
        _ query: ArticleQuery, _ statement: (MarkCriterion?) -> ArticleListStatement
    ) throws -> [ArticleSummary] {
        try reader(query) { reader in
            let statement = statement(try query.marks.scarcest(in: reader))
            var summaries: [ArticleSummary] = []
            // A page as it is mostly asked for.
            summaries.reserveCapacity(51)
            try reader.forEach(statement.sql, statement.values) { summaries.append(try ArticleRow.summary($0)) }
            return summaries
        }
    }

    /// Reads with one statement, or with those that a query about marks takes.
    private func reader<T: Sendable>(_ query: ArticleQuery, _ body: (any Queryable) throws -> T) throws -> T {
        query.text == nil && query.marks.isEmpty ? try body(database) : try read(query) { try body($0) }
    }

    /// Reads with what the statement of a query calls.
    private func read<T: Sendable>(_ query: ArticleQuery, _ body: (Snapshot) throws -> T) throws -> T {
        try database.read { snapshot in
            if query.text != nil { try snapshot.define(.articleHolds) }
            return try body(snapshot)
        }
    }
}

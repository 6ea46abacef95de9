import Text
import ArticleStore
import Database
import Synchronization
import TestSupport

/// A library that pauses searches and inserts until its latch is open, and lists in reverse until another is. It
/// answers all other calls immediately.
final class HeldArticles: ArticleRepository {
    let latch = Latch()
    /// Opening it continues lists in reverse order.
    let backwards = Latch()
    /// Open as soon as a call pauses at the first latch.
    let reached = Latch()
    /// The number of requested pages.
    var pages: Int { asked.withLock { $0 } }
    private let asked = Mutex(0)
    private let library: any ArticleRepository

    init(_ library: any ArticleRepository) { self.library = library }

    func article(id: Int64) async throws -> Article? { try await library.article(id: id) }
    func article(slug: String) async throws -> Article? { try await library.article(slug: slug) }
    func article(key: ExactText, in source: Source.ID) async throws -> Article? {
        try await library.article(key: key, in: source)
    }
    func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        try await library.linkCandidates(named: names, in: source)
    }
    func sources() async throws -> [Source] { try await library.sources() }
    func articleCounts() async throws -> [Source.ID: Int] { try await library.articleCounts() }
    func count(_ query: ArticleQuery) async throws -> Int { try await library.count(query) }
    func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        try await library.numbers(of: query, latestFirst: latestFirst, limit: limit)
    }
    func size() async throws -> LibrarySize { try await library.size() }
    func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] { try await library.labels(kind) }
    func labels(_ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int) async throws -> [ArticleLabel] {
        try await library.labels(kind, beginningWith: start, limit: limit)
    }
    func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        try await library.slugs(beginningWith: start, limit: limit)
    }
    func slugs(similarTo typed: String) async throws -> [String] { try await library.slugs(similarTo: typed) }
    func languages() async throws -> [String] { try await library.languages() }
    func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        try await library.articles(query, after: cursor, limit: limit)
    }

    func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        asked.withLock { $0 += 1 }
        if query.text != nil { await hold() }
        return try await library.list(query, after: cursor, limit: limit)
    }

    func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        reached.open()
        await backwards.wait()
        return try await library.list(query, before: cursor, limit: limit)
    }

    func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T {
        await hold()
        return try await library.write(body)
    }

    private func hold() async {
        reached.open()
        await latch.wait()
    }
}

public import Database

/// A store of articles.
///
/// Every engine follows the same rules, which one suite of tests checks: an article is identified by its source
/// and its key there, and a slug names one; an update keeps the number and the slug; a list is total in its order and its pages neither repeat nor miss an article that stays
/// as it is; a write is seen as a whole or not at all.
public protocol ArticleRepository: Sendable {
    /// The article of a number; nil where there is none.
    func article(id: Int64) async throws -> Article?

    /// Returns the addresses of the originals of these articles, without those that have none. A list does not read them, because they
    /// are stored with the bodies.
    func sourceURLs(of ids: [Int64]) async throws -> [Int64: String]

    /// The article of a slug, exactly as it is written; nil where there is none.
    func article(slug: String) async throws -> Article?

    /// The article of a key in a source, exactly as it is written; nil where there is none.
    func article(key: ExactText, in source: Source.ID) async throws -> Article?

    /// Returns the articles that a link by one of these names may lead to: in any source those with that slug, in this source
    /// also those whose key contains one of the names, without regard to the case of ASCII letters. At most 1,000.
    func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate]

    /// All sources, in the order of their numbers.
    func sources() async throws -> [Source]

    /// How many articles each source has. A source without any may be left out.
    func articleCounts() async throws -> [Source.ID: Int]

    /// How large the library is. It looks at each article, so that it takes longer the more they are.
    func size() async throws -> LibrarySize

    /// All authors or all tags that articles have, in the order of their keys.
    func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel]

    /// A page of the list of a query.
    /// - Parameters:
    ///   - query: what is listed, in which order.
    ///   - cursor: where the page starts: ``ArticlePage/next`` of the page before, or nil for the first.
    ///   - limit: how many articles it holds at most, counted as one below 1 and as 1,000 above 1,000.
    /// - Throws: ``CursorError`` for the cursor of another list.
    func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage

    /// The last articles before a place in the list of a query, in the order of the list: what a page that ends there
    /// holds.
    /// - Parameters:
    ///   - query: what is listed, in which order.
    ///   - cursor: where they end, or nil for the end of the list; an article that it was made after is before it, and
    ///     so among them.
    ///   - limit: how many there are at most, counted as one below 1 and as 1,000 above 1,000.
    /// - Throws: ``CursorError`` for the cursor of another list.
    func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary]

    /// Whole articles of the list of a query, from a place on: for who goes through a library without holding it.
    /// - Parameters:
    ///   - query: what is listed, in which order.
    ///   - cursor: where the batch starts: ``ArticleBatch/next`` of the one before, or nil for the first.
    ///   - limit: the greatest number of articles, counted as one below 1 and as 1,000 above 1,000. If they are large,
    ///     it holds fewer, but one at least until the list ends.
    /// - Throws: ``CursorError`` for the cursor of another list.
    func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch

    /// How many articles a query holds.
    func count(_ query: ArticleQuery) async throws -> Int

    /// The articles of a query, by their numbers, to say to another store which are meant.
    func numbers(of query: ArticleQuery) async throws -> RowNumbers

    /// The numbers of the articles of a query in the order in which these came, for who needs no more of them.
    /// - Parameters:
    ///   - query: which are meant, whatever order it names. ``ArticleQuery/numbers`` says from where on, or up to where.
    ///   - latestFirst: whether those that came last stand first.
    ///   - limit: how many there are at most, counted as one below 1.
    func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64]

    /// Lets searches find more of the articles that wait for the index, for a few tenths of a second. A write of a few articles
    /// is found at once; a large import is faster than the index.
    /// - Returns: how many articles are still not found, or found as they were.
    func advanceSearch() async throws -> Int

    /// Changes articles in one transaction: when `body` throws, nothing has happened. It runs while others wait to
    /// write, so what can be done before belongs before.
    func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T
}

extension ArticleRepository {
    /// Reads the articles one by one.
    public func sourceURLs(of ids: [Int64]) async throws -> [Int64: String] {
        var addresses: [Int64: String] = [:]
        for id in ids { addresses[id] = try await article(id: id)?.sourceURL }
        return addresses
    }
}

extension ArticleRepository {
    /// Does nothing, for an engine that indexes every write at once.
    public func advanceSearch() async throws -> Int { 0 }
}

extension ArticleRepository {
    /// Puts one article in, or changes the one of the same key into it. See ``ArticleWriter/upsert(_:into:content:isEdit:overwritesEdits:renamed:)``.
    ///
    /// - Parameter draft: the article, with its key.
    /// - Parameter source: where it comes from; a source of that name is made where there is none.
    @discardableResult
    public func upsert(_ draft: ArticleDraft, into source: SourceFacts = .library) async throws -> Upsert {
        try await write { writer in try writer.upsert(draft, into: try writer.source(source)) }
    }

    /// Puts articles in, in their order, all or none of them.
    /// - Parameter drafts: the articles, with their keys.
    /// - Parameter source: where they come from; a source of that name is made where there is none.
    /// - Returns: what became of each.
    @discardableResult
    public func upsert(_ drafts: [ArticleDraft], into source: SourceFacts = .library) async throws -> [Upsert] {
        try await write { writer in
            let source = try writer.source(source)
            return try drafts.map { try writer.upsert($0, into: source) }
        }
    }

    /// Takes an article out, with everything that belongs to it.
    /// - Parameter id: the number of the article.
    /// - Parameter forGood: whether it stays away from now on. Else the next import that meets it in its source puts it in
    ///   again.
    /// - Returns: false where there was none.
    @discardableResult
    public func delete(id: Int64, forGood: Bool = false) async throws -> Bool {
        try await write { writer in try writer.delete(id: id, forGood: forGood) }
    }

    /// Takes articles out for good, in one transaction. See ``delete(id:forGood:)``.
    /// - Returns: the numbers of those that were there.
    @discardableResult
    public func delete(forGood ids: [Int64]) async throws -> Set<Int64> {
        try await write { writer in Set(try ids.filter { try writer.delete(id: $0, forGood: true) }) }
    }
}

public import Text

/// A store of articles.
///
/// All implementations follow the same rules, which a shared test suite checks. An article is identified by its source
/// and its key there, and a slug names a single article. An update keeps the number and the slug. The order of a list
/// is total, and its pages neither repeat nor miss an article that does not change. A write becomes visible as a whole
/// or not at all.
public protocol ArticleRepository: Sendable {
    /// Returns the first of the articles with these numbers, in this order. Articles that do not exist are omitted.
    ///
    /// - Parameters:
    ///   - ids: the numbers.
    ///   - size: the result ends with the article with which the bodies reach this size, in bytes. The caller asks for
    ///     the rest again.
    func articles(ids: [Int64], upTo size: Int) async throws -> [ArrivedArticle]

    /// Returns the summaries of the articles that these references name. References without an article are omitted.
    func summaries(of references: [ArticleReference]) async throws -> [ArticleReference: ArticleSummary]

    /// Returns the summaries of the articles of a source with these keys, exactly as they are written. Keys without an
    /// article are omitted.
    func summaries(keys: [ExactText], in source: Source.ID) async throws -> [ExactText: ArticleSummary]

    /// Returns the addresses of the originals of these articles. Articles without such an address are omitted. Lists do
    /// not contain the addresses, because they are stored with the bodies.
    func sourceURLs(of ids: [Int64]) async throws -> [Int64: String]

    /// Returns the numbers of the articles whose originals have one of these addresses, in ascending order. Spellings of an
    /// address (``StoryAddress``) are the same address, but those of articles from earlier versions may be missed.
    func articleIDs(at addresses: [String]) async throws -> [Int64]

    /// Returns the sources of these articles, without those in which they only appear. Articles that do not exist are omitted.
    func sourceIDs(of ids: [Int64]) async throws -> [Int64: Source.ID]

    /// Returns the article with a slug, exactly as it is written; nil if it does not exist.
    func article(slug: String) async throws -> Article?

    /// Returns the articles that a link with one of these names may lead to. They have the slug, in any source, or, in
    /// this source, they have a key that contains one of the names, without regard to the case of ASCII letters. At
    /// most 1,000.
    func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate]

    /// Returns all sources, ordered by their numbers.
    func sources() async throws -> [Source]

    /// Returns the number of articles of each source, with those that appear there. Sources without articles may be omitted.
    func articleCounts() async throws -> [Source.ID: Int]

    /// Returns the number of articles that are in no other source than these, and that would be removed with them.
    func count(onlyIn sources: [Source.ID]) async throws -> Int

    /// Returns the lowest and the highest number of the articles of each source, with those that appear there. Sources without
    /// articles are omitted.
    func articleRanges() async throws -> [Source.ID: ClosedRange<Int64>]

    /// Returns the size of the library. The time grows with the number of articles, because it looks at each of them.
    func size() async throws -> LibrarySize

    /// Returns all authors or all tags, ordered by their keys.
    func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel]

    /// Returns the authors or tags whose keys begin with a text, without regard to case, ordered by their keys.
    func labels(_ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int) async throws -> [ArticleLabel]

    /// Returns the slugs that begin with a text, in order.
    func slugs(beginningWith start: String, limit: Int) async throws -> [String]

    /// Returns slugs that a person may have meant who typed a slug that does not exist: only the slug in lower case if
    /// an article has it, otherwise at most three similar slugs with the same first letter, the best first.
    func slugs(similarTo typed: String) async throws -> [String]

    /// Returns the languages of all articles, in order.
    func languages() async throws -> [String]

    /// Returns the same repository, whose searches end after a time with what they have found. Their report then says
    /// that they are incomplete.
    /// - Parameter time: the limit; nil for none.
    func limitingSearches(to time: Duration?) -> Self

    /// Returns a page of a list.
    /// - Parameters:
    ///   - query: the conditions and the order of the list.
    ///   - cursor: the start of the page: ``ArticlePage/next`` of the previous page, or nil for the first page.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000.
    ///   - counts: whether to set ``ArticlePage/total``.
    /// - Throws: ``CursorError`` if the cursor belongs to another list.
    func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool) async throws -> ArticlePage

    /// Returns the last articles before a position in a list, in the order of the list. They are the page that ends
    /// there.
    /// - Parameters:
    ///   - query: the conditions and the order of the list.
    ///   - cursor: the end of the page, or nil for the end of the list. The article after which the cursor was made is
    ///     before it, so the page includes it.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000.
    /// - Throws: ``CursorError`` if the cursor belongs to another list.
    func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary]

    /// Returns whole articles of a list, from a position on. With it, a caller can go through a library without loading
    /// it at once.
    /// - Parameters:
    ///   - query: the conditions and the order of the list.
    ///   - cursor: the start of the batch: ``ArticleBatch/next`` of the previous batch, or nil for the first batch.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000. A batch of large articles has fewer,
    ///     but at least one before the list ends.
    /// - Throws: ``CursorError`` if the cursor belongs to another list.
    func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch

    /// Returns the parts of a page, with the marks of a user. Only a list by relevance takes more than one request to the
    /// store.
    ///
    /// - Throws: ``CursorError`` if the cursor belongs to another list.
    func view(_ parts: ReadingParts, of user: Int64) async throws -> ReadingView

    /// Returns the sources of the articles that match a query, and those in which they appear. The order of the query is
    /// ignored.
    func sourceIDs(of query: ArticleQuery) async throws -> Set<Source.ID>

    /// Returns the number of articles that match a query.
    func count(_ query: ArticleQuery) async throws -> Int

    /// Returns the numbers of the articles that match a query, in the order of arrival.
    /// - Parameters:
    ///   - query: the conditions; its order is ignored. ``ArticleQuery/numbers`` sets the start or the end.
    ///   - latestFirst: whether the latest arrivals come first.
    ///   - limit: the maximum number of articles, at least 1.
    func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64]

    /// Returns the numbers of the articles that match each query, as ``numbers(of:latestFirst:limit:)`` does.
    /// - Parameters:
    ///   - queries: the conditions.
    ///   - latestFirst: whether the latest arrivals come first.
    ///   - limit: the maximum number of articles of each query, at least 1.
    ///   - time: the time for all queries together.
    /// - Returns: the numbers for each query; nil for those for which the time did not suffice.
    func numbers(
        ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int, within time: Duration
    ) async throws -> [[Int64]?]

    /// Adds waiting articles to the search index. The articles of a small write are indexed at once, but a large import
    /// is faster than the index.
    /// - Parameter briefly: whether the step takes a few hundredths of a second, instead of tenths, for a caller that
    ///   must stay responsive.
    /// - Returns: the number of articles that still wait, because they are new or have changed.
    func advanceSearch(briefly: Bool) async throws -> Int

    /// Merges parts of the search index, for a few tenths of a second. Call it after a large import: searches are slower
    /// the more parts the index has.
    /// - Returns: whether there may be more to merge.
    func mergeSearch() async throws -> Bool

    /// Changes articles in one transaction. If `body` throws, nothing is changed. Other writers wait while it runs, so
    /// do as much as possible before the call.
    ///
    /// The numbers that clients follow rise in the order in which writes become visible: the numbers of articles, the
    /// times of their arrival, and the positions of ``ArticleLog``. A client that has seen a number never finds a lower
    /// one later. Otherwise it would miss the article of a transaction that began earlier and ended later.
    ///
    /// If ``repeatsWrites``, `body` may run several times, and only its last run counts.
    ///
    /// - Parameters:
    ///   - needs: the rows that `body` reads.
    ///   - body: makes the changes. It may also read other rows.
    func write<T: Sendable>(needing needs: WriteNeeds, _ body: (any ArticleWriter) throws -> T) async throws -> T

    /// Whether the body of a write may run several times, first without all facts about the library. Then the body must
    /// not read a stream, and must undo what an earlier run did outside of the writer. It is false by default.
    var repeatsWrites: Bool { get }
}

extension ArticleRepository {
    /// Returns the article with a number; nil if it does not exist.
    public func article(id: Int64) async throws -> Article? {
        try await articles(ids: [id], upTo: 1).first?.article
    }

    /// Calls `body` for each of the articles with these numbers, in this order. It loads at most a few megabytes at
    /// once. Articles that do not exist are omitted.
    ///
    /// - Parameter ids: the numbers, each once.
    /// - Parameter body: handles an article.
    public func forEachArticle(ids: [Int64], _ body: (Article) async throws -> Void) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            let loaded = try await articles(ids: Array(rest), upTo: 4 << 20)
            for loaded in loaded { try await body(loaded.article) }
            guard let last = loaded.last, let index = rest.lastIndex(of: last.article.id) else { return }
            rest = rest[(index + 1)...]
        }
    }

    /// Returns a page of a list, without its total. See ``ArticleRepository/list(_:after:limit:counts:)``.
    public func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        try await list(query, after: cursor, limit: limit, counts: false)
    }
}

extension ArticleRepository {
    /// Adds waiting articles to the search index, for a few tenths of a second. See
    /// ``ArticleRepository/advanceSearch(briefly:)``.
    public func advanceSearch() async throws -> Int { try await advanceSearch(briefly: false) }

    /// Does nothing. This default is for implementations that index every write at once.
    public func advanceSearch(briefly: Bool) async throws -> Int { 0 }

    /// Does nothing. This default is for implementations whose index is a single part.
    public func mergeSearch() async throws -> Bool { false }

    /// This default is for implementations on this machine, which answer a writer at once.
    public var repeatsWrites: Bool { false }

    /// Returns the repository itself. This default is for implementations whose searches always end soon.
    public func limitingSearches(to time: Duration?) -> Self { self }
}

extension ArticleRepository {
    /// Adds an article, or replaces the article with the same key. See
    /// ``ArticleWriter/upsert(_:into:content:isEdit:overwritesEdits:renamed:)``.
    ///
    /// - Parameter draft: the article, with its key.
    /// - Parameter source: its source, which is created if it does not exist.
    @discardableResult
    public func upsert(_ draft: ArticleDraft, into source: SourceFacts = .library) async throws -> Upsert {
        var needs = WriteNeeds()
        needs.add(draft)
        return try await write(needing: needs) { writer in
            try writer.upsert(draft, into: try writer.source(source))
        }
    }

    /// Adds or replaces articles in order, all or none of them.
    /// - Parameter drafts: the articles, with their keys.
    /// - Parameter source: their source, which is created if it does not exist.
    /// - Returns: the outcome for each draft.
    @discardableResult
    public func upsert(_ drafts: [ArticleDraft], into source: SourceFacts = .library) async throws -> [Upsert] {
        var needs = WriteNeeds()
        for draft in drafts { needs.add(draft) }
        return try await write(needing: needs) { writer in
            let source = try writer.source(source)
            return try drafts.map { try writer.upsert($0, into: source) }
        }
    }

    /// Deletes an article, with everything that belongs to it.
    /// - Parameter id: the number of the article.
    /// - Parameter forGood: whether later imports ignore the article. If false, the next import that finds it in its
    ///   source adds it again.
    /// - Returns: false if the article does not exist.
    @discardableResult
    public func delete(id: Int64, forGood: Bool = false) async throws -> Bool {
        try await write(needing: WriteNeeds()) { writer in try writer.delete(id: id, forGood: forGood) }
    }

    /// Deletes articles for good, in one transaction. See ``delete(id:forGood:)``.
    /// - Returns: the numbers of the articles that existed.
    @discardableResult
    public func delete(forGood ids: [Int64]) async throws -> Set<Int64> {
        try await write(needing: WriteNeeds()) { writer in
            Set(try ids.filter { try writer.delete(id: $0, forGood: true) })
        }
    }
}

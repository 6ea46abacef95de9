public import Text

/// Changes articles and their sources in a transaction of ``ArticleRepository/write(needing:_:)``. Do not use it after
/// the transaction.
///
/// It stores articles unchanged. The rules for drafts are the same for all implementations: see
/// ``upsert(_:into:content:isEdit:overwritesEdits:renamed:)``.
public protocol ArticleWriter {
    /// The present time.
    var now: Date { get }

    /// Returns all sources, ordered by their numbers.
    func sources() throws -> [Source]

    /// Returns the source with a number; nil if it does not exist.
    func source(id: Source.ID) throws -> Source?

    /// Returns the source of the articles from before sources existed (`Source.Kind.earlier`); nil if it does not exist.
    func earlierSource() throws -> Source?

    /// Adds a source. Its name must be free.
    /// - Parameter facts: the facts about the source.
    /// - Parameter uid: its permanent identifier; nil to create one.
    func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source

    /// Changes the facts about a source. A new name must be free.
    func update(_ source: Source) throws

    /// Deletes a source with its articles, its appearances, and the records of its deleted articles.
    /// - Returns: the number of deleted articles; nil if the source does not exist.
    func deleteSource(id: Source.ID) throws -> Int?

    /// Whether a source is empty.
    func isEmpty(_ source: Source.ID) throws -> Bool

    /// Returns the entry of the article with a key; nil if it does not exist.
    func entry(key: ExactText, of source: Source.ID) throws -> ArticleEntry?

    /// Returns the numbers of the articles of a source with a title, compared by ``ArticleQuery/titleKey(_:)``, in
    /// ascending order.
    func articles(titled title: String, of source: Source.ID) throws -> [Int64]

    /// Returns the numbers of the articles of a source whose original has an address, in ascending order.
    func articles(at address: String, of source: Source.ID) throws -> [Int64]

    /// Returns the articles of any source whose original has an address, with their sources: all of them if they are fewer
    /// than two, else at least two.
    func articles(at address: StoryAddress) throws -> [Int64: Source.ID]

    /// Returns the number of the article that appears in a source under a key, with the hash of the source's record; nil if
    /// such an appearance does not exist.
    func appearance(key: ExactText, of source: Source.ID) throws -> ArticleEntry?

    /// Returns the numbers of the articles of a source that also appear in other sources, in ascending order.
    func articlesAppearingElsewhere(from source: Source.ID) throws -> [Int64]

    /// Adds an appearance to an article, or replaces the one in the same source. The key must be free in the source, and the
    /// article must belong to another source.
    func put(_ appearance: ArticleAppearance, of article: Int64) throws

    /// Deletes the appearance of an article in a source.
    func deleteAppearance(in source: Source.ID, of article: Int64) throws

    /// Calls `body` for every article of a source, ordered by the bytes of the keys.
    func forEachEntry(of source: Source.ID, _ body: (_ key: ExactText, ArticleEntry) throws -> Void) throws

    /// Returns the article with a number; nil if it does not exist.
    func article(id: Int64) throws -> Article?

    /// Returns articles of a source that it does not keep and that no user needs, the oldest first.
    ///
    /// A user needs an article that they have starred, saved for later, given a note or a tag, or not read. The users of
    /// the library need an article that one of them has edited. In a library without users, all articles are needed:
    /// nobody has read them yet.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - retention: the articles that it keeps.
    ///   - limit: the maximum number.
    func expiredArticles(of source: Source.ID, keeping retention: Retention, limit: Int) throws -> [Int64]

    /// Marks an article as unread for the users who have read it, except those to whom its source is quiet.
    func markUnread(_ article: Int64) throws

    /// Returns the number and the source of the article with a slug; nil if the slug is free.
    func holder(ofSlug slug: String) throws -> (id: Int64, source: Source.ID)?

    /// Adds an article. Its slug and key must be free. The number in `article` is ignored. The article is read for the users
    /// to whom its source is quiet.
    /// - Returns: the number of the new article.
    func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64

    /// Replaces an article with another of the same number. The slug and the key must be its own or free.
    func update(_ old: Article, to new: Article, from origin: ArticleOrigin) throws

    /// Changes only the stored origin of an article.
    func update(_ entry: ArticleEntry) throws

    /// Deletes an article with everything that belongs to it.
    /// - Parameter id: the number of the article.
    /// - Parameter forGood: whether to keep a record of the deletion in each of its sources, so that imports ignore the
    ///   article.
    /// - Returns: false if the article does not exist.
    func delete(id: Int64, forGood: Bool) throws -> Bool

    /// Returns the article that was created for a request, and the hash of the requested content; nil if the request is
    /// unknown or too old, or the article was deleted.
    func articleCreated(by request: [UInt8]) throws -> (id: Int64, content: [UInt8])?

    /// Records the article that was created for a request, and deletes records that are too old.
    func record(_ creation: Creation, of article: Int64) throws

    /// Returns the record of the deleted article with a key; nil if such an article was not deleted for good.
    func deletion(key: ExactText, of source: Source.ID) throws -> Deletion?

    /// Records an article as deleted for good, and replaces an earlier record with the same key.
    func record(_ deletion: Deletion, of source: Source.ID) throws

    /// Deletes the record of the deleted article with a key.
    func forgetDeletion(key: ExactText, of source: Source.ID) throws

    /// Returns the records of the articles that were deleted for good, ordered by the bytes of their keys.
    func deletions(of source: Source.ID) throws -> [Deletion]
}

extension ArticleWriter {
    /// Returns the source with a number. This default implementation loads all sources.
    public func source(id: Source.ID) throws -> Source? { try sources().first { $0.id == id } }

    /// Returns the source of the articles from before sources existed. This default implementation loads all sources.
    public func earlierSource() throws -> Source? { try sources().first { $0.kind == .earlier } }
}

/// The single rows that the body of ``ArticleRepository/write(needing:_:)`` reads.
///
/// A store on a network loads them with a few statements before it runs the body. Each other row costs a round trip
/// while other writers wait. ``ArticleWriter/sources()`` and reads of all rows of a source are not declared.
public struct WriteNeeds: Sendable, Hashable {
    /// The numbers of articles to read.
    public var articles: Set<Int64> = []
    /// The keys whose entries, appearances, and deletions to look up, in any source, each with the hash of its new record; nil if the
    /// hash is unknown. The body also reads the article, unless its origin has the same hash.
    public var records: [ExactText: UInt64?] = [:]
    /// The addresses by which to look up articles of any source.
    public var addresses: Set<StoryAddress> = []
    /// The slugs whose holders to look up.
    public var slugs: Set<String> = []
    /// The requests whose articles to look up.
    public var requests: Set<[UInt8]> = []

    /// Creates needs without any row.
    public init() {}

    /// Adds the rows that ``ArticleWriter/upsert(_:into:content:isEdit:overwritesEdits:renamed:)`` reads for a draft.
    ///
    /// The last slugs that a new article may get depend on its source, and are read only if all others are taken. They
    /// are not declared.
    public mutating func add(_ draft: ArticleDraft, content: UInt64? = nil) {
        records.updateValue(content, forKey: draft.key)
        slugs.insert(draft.slug)
        slugs.formUnion(SlugChoice(draft, source: "").firstCandidates)
    }
}

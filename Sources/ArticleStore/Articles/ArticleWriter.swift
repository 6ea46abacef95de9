public import Essentials

/// Changes articles and their sources inside one transaction of ``ArticleRepository/write(_:)``. Do not use it after that.
///
/// It stores articles as they are given. The rules for drafts are the same for all engines: see
/// ``upsert(_:into:content:isEdit:overwritesEdits:renamed:)``.
public protocol ArticleWriter {
    /// The present time.
    var now: Date { get }

    /// All sources, in the order of their numbers.
    func sources() throws -> [Source]

    /// Puts a source in, whose name is free.
    /// - Parameter facts: what is known of it.
    /// - Parameter uid: what it is known by already; nil gives it a new one.
    func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source

    /// Changes what is known of a source. Another name is free.
    func update(_ source: Source) throws

    /// Takes a source out, with its articles and all that is known of those that were deleted.
    /// - Returns: the number of its articles; nil if there was no such source.
    func deleteSource(id: Source.ID) throws -> Int?

    /// Whether a source is empty.
    func isEmpty(_ source: Source.ID) throws -> Bool

    /// The entry of the article with a key; nil if there is none.
    func entry(key: ExactText, of source: Source.ID) throws -> ArticleEntry?

    /// Returns the numbers of the articles of a source that have a title, as lists order it, in ascending order.
    func articles(titled title: String, of source: Source.ID) throws -> [Int64]

    /// Tells of every article of a source, in the order of the bytes of their keys.
    func forEachEntry(of source: Source.ID, _ body: (_ key: ExactText, ArticleEntry) throws -> Void) throws

    /// The article of a number; nil where there is none.
    func article(id: Int64) throws -> Article?

    /// The article that has a slug: its number and its source; nil where the slug is free.
    func holder(ofSlug slug: String) throws -> (id: Int64, source: Source.ID)?

    /// Puts an article in, whose slug and key are free. Its number is not looked at.
    /// - Returns: its number.
    func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64

    /// Changes an article into another of the same number, whose slug and key are its own or free.
    func update(_ old: Article, to new: Article, from origin: ArticleOrigin) throws

    /// Notes what an article was made from, where nothing else changes.
    func update(_ entry: ArticleEntry) throws

    /// Takes an article out, with everything that belongs to it.
    /// - Parameter id: the number of the article.
    /// - Parameter forGood: whether it is noted as deleted.
    /// - Returns: false where there was none.
    func delete(id: Int64, forGood: Bool) throws -> Bool

    /// The article that was made for a request, and what that was to be: nil where it is none, is gone, or came too long ago.
    func made(for request: [UInt8]) throws -> (article: Int64, content: [UInt8])?

    /// Notes for which request an article was made, and forgets what is too old.
    func note(_ creation: Creation, made article: Int64) throws

    /// The record of an article with a key that was deleted for good; nil if none was.
    func deletion(key: ExactText, of source: Source.ID) throws -> Deletion?

    /// Notes an article as deleted for good, in place of what was noted of its key.
    func note(_ deletion: Deletion, of source: Source.ID) throws

    /// Forgets that the article of a key was deleted.
    func forgetDeletion(key: ExactText, of source: Source.ID) throws

    /// The articles that were deleted for good, in the order of the bytes of their keys.
    func deletions(of source: Source.ID) throws -> [Deletion]
}

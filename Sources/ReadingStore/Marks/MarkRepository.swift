public import Database
public import Essentials

/// Stores the marks that users give articles. It knows users and articles only by their numbers, and shows no user the marks of
/// another.
///
/// Marks are deleted with their user and with their article. An article that is changed, renamed, or imported again keeps them.
public protocol MarkRepository: Sendable {
    /// Returns the marks that a user gave articles.
    ///
    /// - Parameters:
    ///   - articles: their numbers.
    ///   - user: the number of the reader.
    /// - Returns: the marks by article number, without those of unknown articles.
    func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks]

    /// The articles that a reader has marked with anything but that everything is read, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - user: the number of the reader.
    ///   - article: only articles of higher numbers.
    ///   - limit: how many at most.
    func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64]

    /// Changes the marks of articles in one transaction. Does nothing if the user does not exist.
    ///
    /// - Parameters:
    ///   - changes: the changes, applied in order.
    ///   - articles: the articles, selected before the first change.
    ///   - user: the number of the reader.
    ///   - time: the time of the change, in whole seconds.
    /// - Returns: the number of articles that each change applied to, added up.
    /// - Throws: ``MarkError/noteIsTooLong``, ``MarkError/tooManyTags``, ``MarkError/tooManyOwnTags``, and what the store throws.
    @discardableResult
    func change(_ changes: [MarkChange], of articles: RowNumbers, by user: Int64, at time: Date) async throws -> Int

    /// Changes the marks of an article by what they are: nobody else changes them in between. It does nothing where there is no
    /// such article or reader.
    ///
    /// - Parameters:
    ///   - article: the number of the article.
    ///   - user: the number of the reader.
    ///   - time: the time of the change, in whole seconds.
    ///   - changes: what is to hold of what is marked so, all of it or nothing. It may wait for nothing, as others wait for it.
    /// - Returns: how many of the changes did not hold before.
    /// - Throws: ``MarkError/noteIsTooLong``, ``MarkError/tooManyTags``, ``MarkError/tooManyOwnTags``, what `changes` throws, and
    ///   what the store throws.
    @discardableResult
    func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int

    /// Takes over what a reader has marked elsewhere, all of it or nothing: of each mark, what changed last holds, and of a tag
    /// that is given and taken away within one second, that it is given. Tags
    /// are added, up to ``MarkError/mostTags`` of an article and ``MarkError/mostOwnTags`` of the reader, in the order of their
    /// keys.
    ///
    /// - Parameters:
    ///   - marks: by the numbers of the articles; what is not there is passed over.
    ///   - user: the number of the reader.
    ///   - now: when marks changed that do not say it.
    @discardableResult
    func merge(_ marks: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge

    /// How many articles a reader has marked.
    func counts(of user: Int64) async throws -> MarkCounts

    /// How much of what has each tag of a reader's own is unread, in the order of their keys; tags that no article has are left out.
    func tagProgress(of user: Int64) async throws -> [TagProgress]

    /// How many articles of each source, author and tag a reader has read.
    func readCounts(of user: Int64) async throws -> ReadCounts

    /// Returns the number of articles that a user marked as read on each day, as days since 1970-01-01 in UTC. Marking all articles
    /// as read does not count.
    func readDays(of user: Int64) async throws -> [Int: Int]
}

extension MarkRepository {
    /// Makes one change of the marks of articles. See ``MarkRepository``.
    @discardableResult
    public func change(
        _ change: MarkChange, of articles: RowNumbers, by user: Int64, at time: Date
    ) async throws -> Int {
        try await self.change([change], of: articles, by: user, at: time)
    }
}

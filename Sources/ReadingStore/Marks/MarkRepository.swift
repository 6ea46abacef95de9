public import Database
public import Essentials

/// Where it is kept what readers mark articles with. It knows both by their numbers alone, and shows nobody the marks of
/// another.
///
/// Marks go with their reader and with their article; an article that is changed, renamed or imported again keeps them.
public protocol MarkRepository: Sendable {
    /// What a reader has marked articles with.
    ///
    /// - Parameters:
    ///   - articles: their numbers.
    ///   - user: the number of the reader.
    /// - Returns: by the number of the article; none for what is not there.
    func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks]

    /// The articles that a reader has marked with anything but that everything is read, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - user: the number of the reader.
    ///   - article: only articles of higher numbers.
    ///   - limit: how many at most.
    func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64]

    /// Changes the marks of articles, all of it or nothing, and does nothing where there is no such reader.
    ///
    /// - Parameters:
    ///   - changes: what is to hold of them, one after the other.
    ///   - articles: which, however many; found before the first of the changes.
    ///   - user: the number of the reader.
    ///   - time: when the reader did so, in whole seconds.
    /// - Returns: how many articles each change did not hold of before, taken together.
    /// - Throws: ``MarkError/noteIsTooLong``, ``MarkError/tooManyTags``, ``MarkError/tooManyOwnTags``, and what the store throws.
    @discardableResult
    func change(_ changes: [MarkChange], of articles: RowNumbers, by user: Int64, at time: Date) async throws -> Int

    /// Changes the marks of an article by what they are: nobody else changes them in between. It does nothing where there is no
    /// such article or reader.
    ///
    /// - Parameters:
    ///   - article: the number of the article.
    ///   - user: the number of the reader.
    ///   - time: when the reader did so, in whole seconds.
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

    /// How many articles a reader has marked as read on each day, as days since 1970-01-01 in UTC. What was read by saying that
    /// everything is, is of no day.
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

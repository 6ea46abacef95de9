public import Text

/// Stores the marks that users give articles, the searches that they save, and their rules. It knows users and articles only by their
/// numbers, and never shows a user the marks or searches of another.
///
/// Marks are deleted with their user and with their article. An article that exists keeps them when it is changed, renamed, or
/// imported again; one that was deleted and imported again does not have them.
///
/// The positions of ``MarkLog`` rise in the order in which changes become visible, as the numbers of articles do (see
/// ``ArticleRepository/write(needing:_:)``). ``MarkChanges/AllRead/upTo`` is the number of an article that was visible
/// when the user marked all articles; every article that becomes visible later has a higher number.
public protocol MarkRepository: Sendable {
    /// Returns the marks that a user gave articles.
    ///
    /// - Parameters:
    ///   - articles: the numbers of the articles.
    ///   - user: the ID of the user.
    /// - Returns: the marks by article number, without those of unknown articles.
    func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks]

    /// Returns the numbers of the articles with marks of a user, in ascending order. Articles that were only included
    /// when the user marked all articles as read do not count.
    ///
    /// - Parameters:
    ///   - user: the ID of the user.
    ///   - article: only articles with higher numbers.
    ///   - limit: the maximum number of articles.
    func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64]

    /// Changes the marks of articles in one transaction. Does nothing if the user does not exist.
    ///
    /// - Parameters:
    ///   - changes: the changes, applied in order.
    ///   - articles: the articles, selected before the first change.
    ///   - user: the ID of the user.
    ///   - time: the time of the change, in whole seconds.
    /// - Returns: the sum of the numbers of articles that each change affected.
    /// - Throws: ``MarkError/noteIsTooLong``, ``MarkError/tooManyTags``, ``MarkError/tooManyOwnTags``; the errors of
    ///   the store.
    @discardableResult
    func change(_ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date) async throws
        -> Int

    /// Changes the marks of an article depending on its present marks, in one transaction. Does nothing if the article
    /// or the user does not exist.
    ///
    /// - Parameters:
    ///   - article: the number of the article.
    ///   - user: the ID of the user.
    ///   - time: the time of the change, in whole seconds.
    ///   - changes: returns the changes for the present marks. All of them are made, or none. It must not wait for
    ///     anything, because other writers wait for it.
    /// - Returns: the number of changes that had an effect.
    /// - Throws: ``MarkError/noteIsTooLong``, ``MarkError/tooManyTags``, ``MarkError/tooManyOwnTags``; the errors of
    ///   `changes` and of the store.
    @discardableResult
    func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int

    /// Merges marks that a user set elsewhere, all of them or none. For each mark, the later change wins. If a tag was
    /// both given and removed within a second, it stays given. Tags are added in the order of their keys, up to
    /// ``MarkError/mostTags`` per article and ``MarkError/mostOwnTags`` per user.
    ///
    /// - Parameters:
    ///   - marks: the marks by article number. ``MarkMerge/missing`` has the articles that do not exist.
    ///   - user: the ID of the user.
    ///   - now: the time of changes that do not have a time.
    @discardableResult
    func merge(_ marks: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge

    /// Returns the number of articles with each mark of a user.
    func counts(of user: Int64) async throws -> MarkCounts

    /// Returns the number of unread articles with each of a user's own tags, ordered by the keys of the tags. Tags
    /// without articles are omitted.
    func tagProgress(of user: Int64) async throws -> [TagProgress]

    /// Returns the number of articles that a user has read, for each source, author, and tag.
    func readCounts(of user: Int64) async throws -> ReadCounts

    /// Returns the number of articles that a user marked as read on each day, as days since 1970-01-01 in UTC. Marking
    /// all articles as read does not count.
    func readDays(of user: Int64) async throws -> [Int: Int]

    /// Returns the saved searches of a user, ordered by the keys of their names.
    func savedSearches(of user: Int64) async throws -> [SavedSearch]

    /// Saves a search of a user, and replaces the one with the same name. Does nothing if the user does not exist.
    ///
    /// - Returns: whether the name is new.
    /// - Throws: ``SavedSearchError/tooMany``; the errors of the store.
    func save(_ search: SavedSearch, of user: Int64) async throws -> Bool

    /// Gives a saved search another name.
    ///
    /// - Returns: whether the user has a saved search with the old name.
    /// - Throws: ``SavedSearchError/nameIsTaken(_:)`` if another one has the new name; the errors of the store.
    func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool

    /// Removes a saved search.
    ///
    /// - Returns: whether the user had it.
    func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool

    /// Returns the rules of a user, ordered by the keys of their names.
    func rules(of user: Int64) async throws -> [Rule]

    /// Saves a rule of a user for the articles that arrive from now on, and replaces the one with the same name. Does nothing
    /// if the user does not exist.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - old: the name of another rule that this one also replaces; nil for none.
    ///   - user: the user's ID.
    /// - Returns: whether the name is new.
    /// - Throws: ``RuleError/tooMany``; the errors of the store.
    func save(_ rule: Rule, replacing old: TagName?, of user: Int64) async throws -> Bool

    /// Removes a rule.
    ///
    /// - Returns: whether the user had it.
    func removeRule(_ name: TagName, of user: Int64) async throws -> Bool

    /// Returns the rules of the users for whom articles have arrived since their rules were applied, ordered by user.
    func waitingRules() async throws -> [UserRules]

    /// Records that the rules of users were applied to all articles up to a number.
    func recordRules(of users: [Int64], appliedTo article: Int64) async throws
}

extension MarkRepository {
    /// Makes a single change of the marks of articles. See ``MarkRepository``.
    @discardableResult
    public func change(
        _ change: MarkChange, of articles: ArticleSelection, by user: Int64, at time: Date
    ) async throws -> Int {
        try await self.change([change], of: articles, by: user, at: time)
    }

    /// Saves a rule of a user, and replaces the one with the same name. See ``MarkRepository``.
    public func save(_ rule: Rule, of user: Int64) async throws -> Bool {
        try await save(rule, replacing: nil, of: user)
    }
}

/// The reason why articles cannot be marked.
public enum MarkError: Error, Hashable {
    /// The note is longer than the limit.
    case noteIsTooLong
    /// An article would have more tags of the user than the limit.
    case tooManyTags
    /// The user would have more different tags than the limit.
    case tooManyOwnTags

    /// The maximum number of Unicode scalars in a note.
    public static let longestNote = 65_536
    /// The maximum number of tags that a user may give an article.
    public static let mostTags = 100
    /// The maximum number of different tags of a user on all articles together.
    public static let mostOwnTags = 1_000
}

extension MarkError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .noteIsTooLong: "a note can have at most \(Self.longestNote) characters"
        case .tooManyTags:
            "an article can have at most \(Self.mostTags) of your tags; remove one with: articlesctl tag --remove"
        case .tooManyOwnTags:
            "you have the maximum of \(Self.mostOwnTags) different tags; remove one from all of its articles first"
        }
    }
}

extension MarkError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { "invalidMark" }
}

/// The changes of marks, for clients that keep a copy of them.
public protocol MarkLog: Sendable {
    /// Returns the marks that a user changed after a position.
    ///
    /// - Parameters:
    ///   - user: the ID of the user.
    ///   - position: ``MarkChanges/position`` of the previous result; 0 for all marks.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000.
    func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges
}

/// The marks that a user changed, up to a position.
public struct MarkChanges: Sendable, Hashable {
    /// A mark on all articles up to a number as read. ``MarkChanges/marks`` takes precedence over it.
    public struct AllRead: Sendable, Hashable {
        /// The number of the last of these articles; 0 if everything was marked as unread.
        public let upTo: Int64
        /// The time when the user marked them.
        public let changed: Date

        package init(upTo: Int64, changed: Date) { (self.upTo, self.changed) = (upTo, changed) }
    }

    /// The marks of the articles whose marks have changed, by article number. They include the unchanged marks of these
    /// articles.
    public var marks: [Int64: ArticleMarks] = [:]
    /// The last time that the user marked all articles as read or unread; nil if that never happened.
    public var allRead: AllRead?
    /// The position up to which the changes were read.
    public var position: Int64
    /// Whether there are more changes after that position.
    public var goesOn = false

    /// Creates an empty list of changes.
    public init(position: Int64) { self.position = position }
}

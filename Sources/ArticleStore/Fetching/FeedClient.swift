package import Text

/// Finds and fetches feeds of the web. It is a protocol, so that the fronts do not depend on an HTTP client.
package protocol FeedClient: Sendable {
    /// Records a change in the audit log. Returns the library in which the change is made.
    typealias Recording = @Sendable (_ change: String) async throws -> any ArticleRepository
    /// Stores the marks in an export, by article ID, as those of a user. Returns the number of changed articles.
    typealias MarkStoring = @Sendable (_ marks: [Int64: JSON]) async throws -> Int

    /// Subscribes to the feed at an address, or to the only feed of the page there, and imports its articles.
    ///
    /// - Parameters:
    ///   - address: The address; without a scheme, `https` is assumed.
    ///   - name: The name of the source; nil for the title of the feed.
    ///   - tags: The tags of the source.
    ///   - settings: The settings of a new subscription.
    ///   - login: The user name and the password for the server of the address, which replace those of a feed that is
    ///     subscribed already.
    ///   - recording: Called if there is a new feed or a new password, before the library changes.
    /// - Throws: ``SubscribeError``, `CancellationError`; the errors of the library.
    func subscribe(
        to address: String, name: String?, tags: [TagName], settings: Subscription.Settings, login: FeedLogin?,
        recording: Recording
    ) async throws -> SubscribeOutcome

    /// Imports a file from another feed reader: a list of feeds (OPML or newsboat's), or an export of Miniflux or FreshRSS.
    /// The feeds of a list become subscriptions, which are fetched later, and its folders become tags of the sources.
    ///
    /// - Parameters:
    ///   - recording: Called before the library changes.
    ///   - storeMarks: Called after articles with marks are stored.
    /// - Throws: ``SubscribeError/unknownFile``, `CancellationError`; the errors of the library.
    func importFile(
        _ file: [UInt8], recording: Recording, storeMarks: MarkStoring
    ) async throws -> ReaderImport

    /// Fetches the page of an article. If the page has more text than the article, its main text replaces that of the article.
    ///
    /// - Parameter recording: Called before the article changes.
    /// - Returns: Whether the article has changed.
    /// - Throws: ``SubscribeError/unreachable(_:_:)`` if the page cannot be fetched or does not have a main text;
    ///   `CancellationError`; the errors of the library.
    func fetchPage(of article: Article, recording: Recording) async throws -> Bool

    /// Saves the page at an address as an article. Nothing changes if the library has an article with that address.
    ///
    /// - Parameters:
    ///   - address: The address; without a scheme, `https` is assumed.
    ///   - tags: The tags of the new article.
    ///   - recording: Called before the library changes.
    /// - Returns: The article, and whether it is new.
    /// - Throws: ``SubscribeError`` for an address that is not allowed or cannot be fetched; the errors of the page,
    ///   `CancellationError`, and the errors of the library.
    func savePage(
        at address: String, tags: [TagName], recording: @escaping Recording
    ) async throws -> (article: Article, isNew: Bool)

    /// Fetches a subscribed source now, whether it is due or not.
    ///
    /// - Returns: The result; nil if another process fetches the source.
    /// - Throws: `CancellationError`; the errors of the library.
    func fetch(_ source: Source.ID) async throws -> FetchResult?
}

/// The result of importing a file from another feed reader.
package struct ReaderImport: Sendable, Hashable {
    /// The number of feeds in a list that were not subscribed before.
    package var subscribed = 0
    /// The number of feeds in a list that were subscribed before.
    package var knownFeeds = 0
    /// The number of new articles.
    package var new = 0
    /// The number of articles that the library had before.
    package var known = 0
    /// The number of articles with new marks.
    package var marked = 0
    /// The number of lines or entries that were rejected.
    package var rejected = 0
    /// The reasons, each with its line, of the first rejected ones.
    package var problems: [String] = []

    /// The number of reasons that are kept.
    package static let keptProblems = 5

    package init() {}
}

/// The result of subscribing to an address.
package enum SubscribeOutcome: Sendable {
    /// The feed is subscribed now. The value is the result of its first fetch.
    case subscribed(FetchResult)
    /// The feed was subscribed already.
    case known(Source)
    /// The page has several feeds. The user must choose.
    case several([FoundFeed])
}

/// A feed to which a page links.
package struct FoundFeed: Sendable, Hashable {
    /// The address.
    package let address: String
    /// The title that the page gives the feed; nil if it gives none.
    package let title: String?

    package init(address: String, title: String? = nil) { (self.address, self.title) = (address, title) }
}

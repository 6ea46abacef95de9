public import ArticleStore
public import AuthService
public import Essentials
public import ReadingStore

/// The services of a front for many users: the accounts, the library, and the marks and places of readers.
public struct Services: Sendable {
    /// The accounts and the sessions.
    public let auth: AuthService
    /// The library.
    public let articles: any ArticleRepository
    /// The changes of articles.
    public package(set) var articleLog: any ArticleLog
    /// The marks of readers.
    public let marks: any MarkRepository
    /// The changes of marks.
    public package(set) var markLog: any MarkLog
    /// The addresses of feeds.
    public let feeds: FeedAddresses
    /// The store of the bookmarks of sessions and the appearances of users.
    public let reading: any ReadingStateRepository
    /// The present time.
    public let clock: @Sendable () -> Date

    /// Services that belong together.
    public init(
        auth: AuthService, articles: any ArticleRepository & ArticleLog, marks: any MarkRepository & MarkLog,
        feeds: any FeedAddressRepository, reading: any ReadingStateRepository, clock: @escaping @Sendable () -> Date
    ) {
        self.auth = auth
        self.articles = articles
        articleLog = articles
        self.marks = marks
        markLog = marks
        self.feeds = FeedAddresses(auth: auth, repository: feeds)
        self.reading = reading
        self.clock = clock
    }
}

public import ArticleStore
public import AuthService
public import Essentials
public import ReadingStore

/// What a front that many use at once is made on: the accounts, the library, and what readers leave behind.
public struct Services: Sendable {
    /// The accounts and the sessions.
    public let auth: AuthService
    /// The library.
    public let articles: any ArticleRepository
    /// What has become of the articles in it.
    public package(set) var articleLog: any ArticleLog
    /// What readers mark articles with.
    public let marks: any MarkRepository
    /// What has become of these marks.
    public package(set) var markLog: any MarkLog
    /// The addresses of feeds.
    public let feeds: FeedAddresses
    /// Where the bookmarks of sessions and the appearances of users are kept.
    public let reading: any ReadingStateRepository
    /// What time it is.
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

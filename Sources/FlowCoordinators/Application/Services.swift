public import ArticleStore
public import AuthService
public import Text

/// The services of a front for many users: accounts, library, marks, and reading positions.
public struct Services: Sendable {
    /// The service for accounts and sessions.
    public let auth: AuthService
    /// The library.
    public let articles: any ArticleRepository
    /// The log of changes to articles.
    public package(set) var articleLog: any ArticleLog
    /// The marks of users.
    public let marks: any MarkRepository
    /// The log of changes to marks.
    public package(set) var markLog: any MarkLog
    /// The store of bookmarks and preferences.
    public let reading: any ReadingStateRepository
    /// The present time.
    public let clock: @Sendable () -> Date

    /// Creates the services from their repositories.
    public init(
        auth: AuthService, articles: any ArticleRepository & ArticleLog, marks: any MarkRepository & MarkLog,
        reading: any ReadingStateRepository, clock: @escaping @Sendable () -> Date
    ) {
        self.auth = auth
        self.articles = articles
        articleLog = articles
        self.marks = marks
        markLog = marks
        self.reading = reading
        self.clock = clock
    }
}

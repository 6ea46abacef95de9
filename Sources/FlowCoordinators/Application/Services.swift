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
    /// What readers mark articles with.
    public let marks: any MarkRepository
    /// Where the bookmarks of sessions and the appearances of users are kept.
    public let reading: any ReadingStateRepository
    /// What time it is.
    public let clock: @Sendable () -> Date

    /// Services that belong together.
    public init(
        auth: AuthService, articles: any ArticleRepository, marks: any MarkRepository,
        reading: any ReadingStateRepository, clock: @escaping @Sendable () -> Date
    ) {
        self.auth = auth
        self.articles = articles
        self.marks = marks
        self.reading = reading
        self.clock = clock
    }
}

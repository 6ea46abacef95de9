import ArticleStore
import AuthService
import PostgreSQLStores
@_exported public import LibraryStores
@_exported public import SQLiteStores
public import TestSupport

/// A storage engine. Every contract suite runs on each engine; a new engine is a new case. `make test` runs the suites on
/// SQLite and in memory, and `make test-postgresql` on PostgreSQL.
public enum StoreEngine: CaseIterable, Sendable {
    /// SQLite, the engine of the application.
    case sqlite
    /// Values in memory: 1,600 lines of plain Swift that do what the protocols say, without SQL.
    ///
    /// It is a model for tests, and not a product. The contract suites run on it, so they do not describe the habits of
    /// a database. The fuzzer of the flows takes a million steps on it, which a database would slow down. The throttles of
    /// PostgreSQL are one function in SQL, which `ThrottleTests` compares with it in random sequences.
    case memory
    /// PostgreSQL, on the server that `Scripts/with-postgresql` started.
    case postgresql

    /// The engines of this run: PostgreSQL if there is a server for it, else the others.
    public static let allCases: [StoreEngine] = TemporarySchema.url == nil ? [.sqlite, .memory] : [.postgresql]

    /// The engine of the suites about the layers above the stores.
    public static let ofFixtures: StoreEngine = TemporarySchema.url == nil ? .sqlite : .postgresql

    /// Makes empty stores that share users and sessions.
    ///
    /// - Parameters:
    ///   - clock: The time for articles of sources without dates.
    ///   - onRoundTrip: Called before each message to a PostgreSQL server.
    public func open(
        clock: TestClock = TestClock(), onRoundTrip: @escaping @Sendable () -> Void = {}
    ) async throws -> Stores {
        switch self {
        case .sqlite:
            let storage = try TemporaryDatabase()
            let database = storage.database
            return Stores(
                articles: SQLiteArticleRepository(database: database, clock: { clock.now }).limitingSearches(to: nil),
                accounts: SQLiteAccountStore(database: database), marks: SQLiteMarkRepository(database: database),
                reading: SQLiteReadingStateRepository(database: database),
                subscriptions: SQLiteSubscriptionRepository(database: database),
                pictures: SQLitePictureRepository(database: database),
                visits: SQLiteVisitRepository(database: database),
                versions: SQLiteLibraryVersions(database: database), keeping: storage)
        case .memory:
            let accounts = MemoryAccounts()
            let subscriptions = MemorySubscriptions(isUser: accounts.isUser)
            let articles = MemoryArticles(
                clock: { clock.now }, isReader: accounts.isUser, readers: accounts.userIDs,
                quietUsers: subscriptions.quietUsers)
            subscriptions.findSources(articles.currentSources)
            return Stores(
                articles: articles, accounts: accounts, marks: articles, reading: accounts,
                subscriptions: subscriptions, pictures: MemoryPictures(articles), visits: MemoryVisits(),
                keeping: accounts)
        case .postgresql:
            let storage = try await TemporarySchema(onRoundTrip: onRoundTrip)
            return Stores(
                articles: PostgreSQLArticleRepository(storage.server, clock: { clock.now }),
                accounts: PostgreSQLAccountStore(storage.server), marks: PostgreSQLMarkRepository(storage.server),
                reading: PostgreSQLReadingStateRepository(storage.server),
                subscriptions: PostgreSQLSubscriptionRepository(storage.server),
                pictures: PostgreSQLPictureRepository(storage.server),
                visits: PostgreSQLVisitRepository(storage.server),
                versions: PostgreSQLLibraryVersions(storage.server), keeping: storage)
        }
    }
}

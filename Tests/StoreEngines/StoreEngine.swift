import ArticleStore
import AuthService
import PostgreSQLStores
@_exported public import SQLiteStores
public import TestSupport

/// A storage engine. Every contract suite runs on each engine; a new engine is a new case.
public enum StoreEngine: CaseIterable, Sendable {
    /// SQLite, the engine of the application.
    case sqlite
    /// Values in memory.
    case memory
    /// PostgreSQL, on the server that `Scripts/with-postgresql` started. It has accounts and reading states.
    case postgresql

    /// The engines with all stores.
    public static let allCases: [StoreEngine] = [.sqlite, .memory]

    /// The engines with accounts and reading states.
    public static let withAccounts = allCases + (TemporarySchema.url == nil ? [] : [.postgresql])

    /// Makes empty stores that share users and sessions. PostgreSQL has only the accounts.
    ///
    /// - Parameter clock: The time for articles of sources without dates.
    public func open(clock: TestClock = TestClock()) async throws -> Stores {
        switch self {
        case .sqlite: return try Self.openSQLite(clock: clock)
        case .memory:
            let accounts = MemoryAccounts()
            let articles = MemoryArticles(clock: { clock.now }, isReader: accounts.isUser)
            return Stores(
                articles: articles, accounts: accounts, marks: articles, reading: accounts, keeping: accounts)
        case .postgresql:
            let storage = try await TemporarySchema()
            let articles = MemoryArticles(clock: { clock.now }, isReader: { _ in false })
            return Stores(
                articles: articles, accounts: PostgreSQLAccountStore(storage.server), marks: articles,
                reading: PostgreSQLReadingStateRepository(storage.server), keeping: storage)
        }
    }

    /// Makes empty stores in SQLite.
    public static func openSQLite(clock: TestClock = TestClock()) throws -> Stores {
        let storage = try TemporaryDatabase()
        let database = storage.database
        return Stores(
            articles: SQLiteArticleRepository(database: database, clock: { clock.now }).limitingSearches(to: nil),
            accounts: SQLiteAccountStore(database: database), marks: SQLiteMarkRepository(database: database),
            reading: SQLiteReadingStateRepository(database: database), keeping: storage)
    }
}

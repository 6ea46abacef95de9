import ArticleStore
import AuthService
@_exported public import SQLiteStores
public import TestSupport

/// A storage engine. Every contract suite runs on each engine; a new engine is a new case.
public enum StoreEngine: CaseIterable, Sendable {
    /// SQLite, the engine of the application.
    case sqlite
    /// Values in memory.
    case memory

    /// Makes empty stores that share users and sessions.
    ///
    /// - Parameter clock: The time for articles of sources without dates.
    public func open(clock: TestClock = TestClock()) throws -> Stores {
        switch self {
        case .sqlite:
            let storage = try TemporaryDatabase()
            let database = storage.database
            return Stores(
                articles: SQLiteArticleRepository(database: database, clock: { clock.now }).limitingSearches(to: nil),
                accounts: SQLiteAccountStore(database: database), marks: SQLiteMarkRepository(database: database),
                reading: SQLiteReadingStateRepository(database: database), keeping: storage)
        case .memory:
            let accounts = MemoryAccounts()
            let articles = MemoryArticles(clock: { clock.now }, isReader: accounts.isUser)
            return Stores(
                articles: articles, accounts: accounts, marks: articles, reading: accounts, keeping: accounts)
        }
    }
}

import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines

extension TemporaryDatabase {
    /// The library of the database, with a fixed clock.
    var articles: SQLiteArticleRepository {
        SQLiteArticleRepository(
            database: database, keepsLists: true, clock: { Date(timeIntervalSince1970: 1_700_000_000) })
    }
}

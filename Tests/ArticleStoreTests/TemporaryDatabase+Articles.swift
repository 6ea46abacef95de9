import ArticleStore
import Foundation
import StoreEngines

extension TemporaryDatabase {
    /// The library in it, where it is always the same time.
    var articles: SQLiteArticleRepository {
        SQLiteArticleRepository(database: database, clock: { Date(timeIntervalSince1970: 1_700_000_000) })
    }
}

import SQLiteStores
import ArticleStore
import Database

extension Context {
    /// The library, accessed directly by an operator. A person who can write the file does not need a session.
    func articles() throws -> SQLiteArticleRepository { articles(on: try database()) }

    /// The library in an open database.
    func articles(on database: Database) -> SQLiteArticleRepository {
        SQLiteArticleRepository(database: database, clock: clock)
    }
}

import ArticleStore
import Database

extension Context {
    /// The library, accessed directly by an operator: whoever can write the file needs no session.
    func articles() throws -> SQLiteArticleRepository { articles(on: try database()) }

    /// The library in an open database.
    func articles(on database: Database) -> SQLiteArticleRepository {
        SQLiteArticleRepository(database: database, clock: clock)
    }
}

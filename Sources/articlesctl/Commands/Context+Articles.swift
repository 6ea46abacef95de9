import ArticleStore
import Database

extension Context {
    /// The library itself, for what an operator does: who may write the file needs no session.
    func articles() throws -> SQLiteArticleRepository { articles(on: try database()) }

    /// The library in a database that is open.
    func articles(on database: Database) -> SQLiteArticleRepository {
        SQLiteArticleRepository(database: database, clock: clock)
    }
}

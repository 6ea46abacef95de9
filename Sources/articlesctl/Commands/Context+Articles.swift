import ArticleStore

extension Context {
    /// The library itself, for what an operator does: who may write the file needs no session.
    func articles() throws -> SQLiteArticleRepository {
        SQLiteArticleRepository(database: try database(), clock: clock)
    }
}

/// What changes articles, inside one transaction of ``ArticleRepository/write(_:)``; not to be used after it.
public protocol ArticleWriter {
    /// Puts an article in, or changes the one of the same slug into it.
    ///
    /// A draft without a date of publication keeps the one that the article has, and is of this moment where it is new.
    /// One without a date of change has that of its publication where it is new, and of this moment where it changes.
    func upsert(_ draft: ArticleDraft) throws -> Upsert

    /// Takes an article out, with everything that belongs to it.
    /// - Returns: false where there was none.
    func delete(id: Int64) throws -> Bool
}

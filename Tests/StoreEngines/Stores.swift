public import ArticleStore
public import AuthService

/// A repository of each kind, on one engine.
public struct Stores: Sendable {
    /// The library.
    public let articles: any ArticleRepository & ArticleLog
    /// The accounts.
    public let accounts: any AccountStore
    /// The reading states.
    public let reading: any ReadingStateRepository
    /// The marks.
    public let marks: any MarkRepository & MarkLog
    /// Keeps the storage alive while the repositories are used.
    let storage: any Sendable
}

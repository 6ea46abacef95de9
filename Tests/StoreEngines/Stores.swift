public import ArticleStore
public import AuthService
public import ReadingStore

/// A repository of each kind, on one engine.
public struct Stores: Sendable {
    /// The library.
    public let articles: any ArticleRepository & ArticleLog
    /// The accounts.
    public let users: any UserRepository
    /// Their sessions.
    public let sessions: any SessionRepository
    /// Their failed log-ins.
    public let throttle: any LogInThrottleRepository
    /// The devices that they have logged in from.
    public let devices: any DeviceRepository
    /// Their API tokens.
    public let tokens: any APITokenRepository
    /// Their second factors.
    public let secondFactors: any SecondFactorRepository
    /// The audit log.
    public let audit: any AuditLog
    /// The reading states.
    public let reading: any ReadingStateRepository
    /// The marks.
    public let marks: any MarkRepository & MarkLog
    /// The secrets in the addresses of their feeds.
    public let feeds: any FeedAddressRepository
    /// Keeps the storage alive as long as the repositories are used.
    let storage: any Sendable
}

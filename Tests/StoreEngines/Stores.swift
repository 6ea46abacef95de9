public import ArticleStore
public import AuthService

/// A repository of each kind, on one engine.
public struct Stores: Sendable {
    /// The library.
    public let articles: any ArticleRepository & ArticleLog
    /// The accounts.
    public let users: any UserRepository
    /// The sessions.
    public let sessions: any SessionRepository
    /// The failed log-ins.
    public let throttle: any LogInThrottleRepository
    /// The known devices.
    public let devices: any DeviceRepository
    /// The API tokens.
    public let tokens: any APITokenRepository
    /// The second factors.
    public let secondFactors: any SecondFactorRepository
    /// The audit log.
    public let audit: any AuditLog
    /// The reading states.
    public let reading: any ReadingStateRepository
    /// The marks.
    public let marks: any MarkRepository & MarkLog
    /// The secrets in the addresses of feeds.
    public let feeds: any FeedAddressRepository
    /// Keeps the storage alive while the repositories are used.
    let storage: any Sendable
}

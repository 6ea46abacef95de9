/// The data that this module stores about a user, as an export for that user.
public struct AccountRecords: Sendable {
    /// The user.
    public let user: User
    /// The sessions of the user, the most recently used first.
    public let sessions: [Session]
    /// The API tokens of the user, by name.
    public let tokens: [APIToken]
    /// The second factor of the user; nil if there is none.
    public let secondFactor: SecondFactor?
    /// The events of the account, oldest first. If there are more than `eventLimit`, these are the latest.
    public let events: [AuditEvent]

    /// The maximum number of events.
    public static let eventLimit = 10_000
}

/// The data that this module stores about a user, as an export for that user.
public struct AccountRecords: Sendable {
    /// The user.
    public let user: User
    /// The sessions of the user, the last used first.
    public let sessions: [Session]
    /// The API tokens of the user, by name.
    public let tokens: [APIToken]
    /// The second factor of the user; nil when there is none.
    public let secondFactor: SecondFactor?
    /// The events of the account, the earliest first; of more than `eventLimit`, the latest.
    public let events: [AuditEvent]

    /// How many events there are at most.
    public static let eventLimit = 10_000
}

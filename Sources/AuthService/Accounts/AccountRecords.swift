/// What this module keeps about a user, for that user to have.
public struct AccountRecords: Sendable {
    /// The user.
    public let user: User
    /// Where the user is logged in, the last used first.
    public let sessions: [Session]
    /// The API tokens of the user, by name.
    public let tokens: [APIToken]
    /// The second factor of the user; nil when there is none.
    public let secondFactor: SecondFactor?
    /// What happened to the account, the first thing first; of more than `eventLimit`, the last.
    public let events: [AuditEvent]

    /// How many events there are at most.
    public static let eventLimit = 10_000
}

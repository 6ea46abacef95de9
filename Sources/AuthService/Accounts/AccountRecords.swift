/// What this module keeps about a user, for that user to have.
public struct AccountRecords: Sendable {
    /// The user.
    public let user: User
    /// Where the user is logged in, the last used first.
    public let sessions: [Session]
    /// What happened to the account, the first thing first.
    public let events: [AuditEvent]
}

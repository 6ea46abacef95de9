public import Essentials

/// Something that happened to an account. It holds no name that was typed, no password and no token.
public struct AuditEvent: Hashable, Sendable {
    /// What happened. The raw value is what is stored.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An account was made.
        case registered
        /// A session began.
        case loggedIn
        /// A password was wrong, or there is no such user.
        case logInFailed
        /// So many log-ins to one name failed that the next must wait. Attempts during the wait are not recorded.
        case throttled
        /// The user ended a session on its own client.
        case loggedOut
        /// The user ended all their sessions.
        case loggedOutEverywhere
        /// The user ended a session from another client.
        case sessionRevoked
        /// A session was found to have reached its end.
        case sessionExpired
        /// A session ended because its user opened more than there may be.
        case sessionReplaced
        /// All sessions of the user ended, as the database came back from a backup.
        case sessionsEndedByRestore
        /// The user chose another password, which ended all their sessions and began one.
        case passwordChanged
        /// The password was hashed anew with the present parameters.
        case passwordRehashed
    }

    /// What happened.
    public let kind: Kind
    /// When, in whole seconds.
    public let at: Date
    /// To whom; nil when there is no such user.
    public let userID: User.ID?
    /// In which session, or to which; nil for none or several.
    public let sessionID: Session.ID?
    /// Where: what the client said of itself.
    public let client: String

    /// An event.
    public init(
        _ kind: Kind, at: Date, userID: User.ID? = nil, sessionID: Session.ID? = nil, client: String
    ) {
        self.kind = kind
        self.at = at
        self.userID = userID
        self.sessionID = sessionID
        self.client = client
    }
}

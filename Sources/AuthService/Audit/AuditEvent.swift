public import Text

/// An event concerning an account, or an action of a user. It never contains a typed name, a password, or a token.
public struct AuditEvent: Hashable, Sendable {
    /// The kinds of events. The raw value is stored.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An account was created.
        case registered
        /// A session began.
        case loggedIn
        /// A password was wrong, or the user does not exist.
        case logInFailed
        /// The password of a login was correct, and a code was requested.
        case secondFactorAsked
        /// The code of a login was wrong, or was already used.
        case secondFactorFailed
        /// A recovery code was used. The detail is the number of remaining codes.
        case recoveryCodeUsed
        /// The user set up a second factor.
        case secondFactorAdded
        /// The second factor was removed, by the user or an operator.
        case secondFactorRemoved
        /// The user received new recovery codes.
        case recoveryCodesRenewed
        /// After too many failed logins with a name, the next attempt must wait. Attempts during the wait are not
        /// recorded.
        case throttled
        /// The user logged out.
        case loggedOut
        /// All sessions of a user were ended, by the user or an operator.
        case loggedOutEverywhere
        /// A session was ended from elsewhere by its user or an operator, and the detail is its ID; or it ended because
        /// of too many password guesses in it.
        case sessionRevoked
        /// A session had expired.
        case sessionExpired
        /// A session ended because its user exceeded the maximum number of sessions.
        case sessionReplaced
        /// All sessions of the user ended because the database was restored from a backup.
        case sessionsEndedByRestore
        /// The user changed the password, which ended all their sessions and opened one.
        case passwordChanged
        /// The user confirmed the password in a session.
        case passwordConfirmed
        /// The user renamed a session. The detail is its ID.
        case sessionRenamed
        /// The password was hashed again with the current parameters.
        case passwordRehashed
        /// The user requested something that their role does not permit.
        case accessRefused
        /// The role of the user was changed. The detail is the new role.
        case roleChanged
        /// A user was disabled, which ended all their sessions.
        case disabled
        /// A disabled user was enabled again.
        case enabled
        /// An attempt to log in as a disabled user, whatever the password.
        case logInRefused
        /// The user has a new name.
        case renamed
        /// The user has a new region.
        case regionChanged
        /// The account was deleted.
        case deleted
        /// A code with which the user can choose a new password was issued.
        case resetIssued
        /// The user chose a new password with such a code, which ended all their sessions.
        case passwordReset
        /// Such a code was wrong, used, or expired.
        case resetRefused
        /// The user created an API token. The detail is its ID and scope.
        case tokenCreated
        /// The user revoked an API token. The detail is its ID.
        case tokenRevoked
        /// The user created a new secret for their feed addresses.
        case feedAddressMade
        /// The user removed the secret for their feed addresses.
        case feedAddressRemoved
        /// An invitation was issued.
        case invited
        /// The rule for registration was changed. The detail is the rule.
        case registrationChanged
        /// Old events were removed from the log. The detail is their number.
        case logPruned
        /// Articles or sources are about to be imported, added, changed, or removed. The detail names them.
        case libraryChanged
        /// Articles are about to be exported. The detail is the format.
        case exported
    }

    /// The outcome of an event.
    public enum Outcome: String, Hashable, Sendable {
        /// It succeeded.
        case success
        /// It was attempted and failed.
        case failure
        /// It was refused.
        case refusal
    }

    /// The person or program that caused an event.
    public enum Actor: Hashable, Sendable {
        /// The user whom the event concerns, or a person who claimed to be that user.
        case holder
        /// Another user.
        case user(User.ID)
        /// A program with an API token of the user.
        case token(APIToken.ID)
        /// The operating system's user with this name, who can write the database file.
        case system(String)
    }

    /// The kind of the event.
    public let kind: Kind
    /// The time, in whole seconds.
    public let at: Date
    /// The user whom it concerns; nil if there is none.
    public internal(set) var userID: User.ID?
    /// The session in which it happened or that it concerns; nil for none or several.
    public let sessionID: Session.ID?
    /// The description that the client gave of itself.
    public let client: String
    /// The person or program that caused it.
    public let actor: Actor
    /// The origin of the client, as the service saw it.
    public let origin: Origin
    /// Further facts; empty if there are none.
    public package(set) var detail: String

    /// Creates an event.
    public init(
        _ kind: Kind, at: Date, userID: User.ID? = nil, sessionID: Session.ID? = nil, client: String,
        actor: Actor = .holder, origin: Origin = .unknown, detail: String = ""
    ) {
        self.kind = kind
        self.at = at
        self.userID = userID
        self.sessionID = sessionID
        self.client = client
        self.actor = actor
        self.origin = origin
        self.detail = detail
    }

    /// Returns the event; if it does not name a user, it is about `user`.
    public func about(_ user: User.ID?) -> AuditEvent {
        var event = self
        event.userID = userID ?? user
        return event
    }
}

extension AuditEvent.Kind {
    /// The outcome of events of this kind.
    public var outcome: AuditEvent.Outcome {
        switch self {
        case .logInFailed, .secondFactorFailed, .resetRefused: .failure
        case .throttled, .logInRefused, .accessRefused: .refusal
        default: .success
        }
    }
}

extension AuditEvent.Actor: LosslessStringConvertible {
    /// The stored form: empty for the holder, `user:7`, `token:` with the ID, or `system:ada`.
    public var description: String {
        switch self {
        case .holder: ""
        case .user(let id): "user:\(id)"
        case .token(let id): "token:\(id)"
        case .system(let name): "system:\(name)"
        }
    }

    /// Parses the stored form.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("", 1): self = .holder
        case ("user", 2):
            guard let id = User.ID(parts[1]) else { return nil }
            self = .user(id)
        case ("token", 2):
            guard let id = APIToken.ID(parts[1]) else { return nil }
            self = .token(id)
        case ("system", 2): self = .system(parts[1])
        default: return nil
        }
    }
}

/// A selection of events in the log. A property that is nil selects all events.
public struct AuditQuery: Hashable, Sendable {
    /// The user whom the events concern.
    public var user: User.ID?
    /// The kind of the events.
    public var kind: AuditEvent.Kind?
    /// The time from which events count.
    public var since: Date?
    /// The time before which events count.
    public var until: Date?
    /// The maximum number of events.
    public var limit: Int

    /// Creates a query. Without conditions it selects all events.
    public init(
        user: User.ID? = nil, kind: AuditEvent.Kind? = nil, since: Date? = nil, until: Date? = nil, limit: Int = 100
    ) {
        self.user = user
        self.kind = kind
        self.since = since
        self.until = until
        self.limit = limit
    }
}

/// An event in the log.
public struct AuditRecord: Identifiable, Hashable, Sendable {
    /// Its number. Numbers are consecutive.
    public let id: Int64
    /// The event.
    public let event: AuditEvent

    /// Creates a record.
    public init(id: Int64, event: AuditEvent) {
        self.id = id
        self.event = event
    }
}

/// The first place where the log was modified.
public enum AuditFault: Error, Hashable, Sendable {
    /// The record with this number is missing.
    case missing(Int64)
    /// The record with this number was changed.
    case changed(Int64)
    /// The start and the end of the log are unknown.
    case noChain
}

extension AuditFault: CustomStringConvertible {
    /// The fault in words for the user.
    public var description: String {
        switch self {
        case .missing(let id): "record \(id) of the log is missing, and possibly later ones"
        case .changed(let id): "record \(id) of the log was changed"
        case .noChain: "the start and the end of the log are unknown"
        }
    }
}

public import Essentials

/// Something that happened to an account, or that somebody did. It holds no name that was typed, no password and no token.
public struct AuditEvent: Hashable, Sendable {
    /// The kinds of events. The raw value is stored.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An account was made.
        case registered
        /// A session began.
        case loggedIn
        /// A password was wrong, or the user does not exist.
        case logInFailed
        /// The password of a log-in was right, and a code was asked for.
        case secondFactorAsked
        /// The code of a log-in was wrong, or used.
        case secondFactorFailed
        /// A recovery code was used; the detail says how many are left.
        case recoveryCodeUsed
        /// The user set up a second factor.
        case secondFactorAdded
        /// The second factor was removed, by the user or an operator.
        case secondFactorRemoved
        /// The user was given other recovery codes.
        case recoveryCodesRenewed
        /// So many log-ins to one name failed that the next must wait. Attempts during the wait are not recorded.
        case throttled
        /// The user ended a session on its own client.
        case loggedOut
        /// All sessions of a user were ended, by the user or an operator.
        case loggedOutEverywhere
        /// A session was ended from elsewhere, by its user or an operator, and the detail is its id; or it ended because the
        /// password was guessed in it too often.
        case sessionRevoked
        /// A session was found to have reached its end.
        case sessionExpired
        /// A session ended because its user opened more than there may be.
        case sessionReplaced
        /// All sessions of the user ended, as the database came back from a backup.
        case sessionsEndedByRestore
        /// The user chose another password, which ended all their sessions and began one.
        case passwordChanged
        /// The user gave the password once more in a session.
        case passwordConfirmed
        /// The user gave a session another name; the detail is its id.
        case sessionRenamed
        /// The password was hashed again with the present parameters.
        case passwordRehashed
        /// Something was asked for that the role of the user does not allow.
        case accessRefused
        /// The user may do something else from now on; the detail is the role.
        case roleChanged
        /// A user was disabled, which ended all their sessions.
        case disabled
        /// A user who was disabled can log in again.
        case enabled
        /// Somebody tried to log in as a user who is disabled, with whatever password.
        case logInRefused
        /// The user has another name.
        case renamed
        /// The user lives somewhere else.
        case regionChanged
        /// The account was deleted.
        case deleted
        /// A code was issued by which the user can choose another password.
        case resetIssued
        /// The user chose another password by such a code, which ended all their sessions.
        case passwordReset
        /// Such a code was wrong, used, or at its end.
        case resetRefused
        /// The user made an API token; the detail is its id and what it may be used for.
        case tokenCreated
        /// The user ended an API token; the detail is its id.
        case tokenRevoked
        /// The user made another secret for the addresses of their feeds.
        case feedAddressMade
        /// The user removed it.
        case feedAddressRemoved
        /// An invitation to make an account was issued.
        case invited
        /// The rule for registration was set; the detail is the policy.
        case registrationChanged
        /// Old events were removed from the log; the detail is their number.
        case logPruned
        /// Articles or sources were about to be imported, added, changed or removed; the detail says which.
        case libraryChanged
        /// Articles were about to be written out of the library; the detail says in which form.
        case exported
    }

    /// How it went.
    public enum Outcome: String, Hashable, Sendable {
        /// It was done.
        case success
        /// It was tried, and did not succeed.
        case failure
        /// It was not let be tried, or not let be done.
        case refusal
    }

    /// The person or program that caused an event.
    public enum Actor: Hashable, Sendable {
        /// The user whom it happened to, or whoever claimed to be.
        case holder
        /// Another user.
        case user(User.ID)
        /// A program with an API token of the user.
        case token(APIToken.ID)
        /// A person who may write the file of the database, by their user name on the machine.
        case system(String)
    }

    /// The kind of the event.
    public let kind: Kind
    /// When, in whole seconds.
    public let at: Date
    /// The user whom it concerns; nil if there is none.
    public internal(set) var userID: User.ID?
    /// In which session, or to which; nil for none or several.
    public let sessionID: Session.ID?
    /// Where: what the client said of itself.
    public let client: String
    /// The person or program that caused it.
    public let actor: Actor
    /// The origin of the client, as the service saw it.
    public let origin: Origin
    /// Further facts; empty for none.
    public internal(set) var detail: String

    /// An event.
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

    /// The event, about a user where it names nobody.
    public func about(_ user: User.ID?) -> AuditEvent {
        var event = self
        event.userID = userID ?? user
        return event
    }
}

extension AuditEvent.Kind {
    /// How it went.
    public var outcome: AuditEvent.Outcome {
        switch self {
        case .logInFailed, .secondFactorFailed, .resetRefused: .failure
        case .throttled, .logInRefused, .accessRefused: .refusal
        default: .success
        }
    }
}

extension AuditEvent.Actor: LosslessStringConvertible {
    /// As it is stored: empty for the holder, `user:7`, `token:` and its id, `system:ada`.
    public var description: String {
        switch self {
        case .holder: ""
        case .user(let id): "user:\(id)"
        case .token(let id): "token:\(id)"
        case .system(let name): "system:\(name)"
        }
    }

    /// Reads what `description` gave.
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

public import Text

/// The result of a login with the correct password.
public enum LoginResult: Sendable {
    /// A session is open.
    case loggedIn(NewSession)
    /// The user has a second factor. `AuthService.completeLogIn(_:code:)` opens the session.
    case codeNeeded(PendingLogin)

    /// The new session, for callers that cannot ask for a code.
    ///
    /// - Throws: `AuthError.secondFactorNeeded` if a code is needed.
    public var newSession: NewSession {
        get throws(AuthError) {
            guard case .loggedIn(let opened) = self else { throw .secondFactorNeeded }
            return opened
        }
    }
}

/// A session that was just opened, with its secrets. They cannot be retrieved later.
public struct NewSession: Sendable {
    /// The session.
    public let session: Session
    /// The token of the session.
    public let token: SessionToken
    /// The device token to store for the next login.
    public let device: DeviceToken
}

/// A login whose password was correct, and which needs a code of the second factor: see
/// `AuthService.completeLogIn(_:code:)`.
///
/// Only the service creates this value, and it does not store it, so it proves that the password was given. It expires
/// after `AccountPolicy.pendingLifetime`, and becomes invalid when the password changes.
public struct PendingLogin: Sendable {
    /// The user.
    public let user: User
    /// The time until which a code is accepted.
    public let expiresAt: Date

    let client: String
    let origin: Origin
    let standing: Standing
    let startedAt: Date
    let id: Session.ID

    init(
        id: Session.ID, user: User, client: String, origin: Origin, standing: Standing, startedAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self.user = user
        self.client = client
        self.origin = origin
        self.standing = standing
        self.startedAt = startedAt
        self.expiresAt = expiresAt
    }

    /// Returns whether a code is accepted at `now`. A clock that was set back does not extend the time.
    func isOpen(at now: Date) -> Bool {
        let lifetime = expiresAt.timeIntervalSince(startedAt)
        return now < expiresAt && now > startedAt.addingTimeInterval(-lifetime)
    }
}

extension PendingLogin: Hashable {
    /// Whether both are the same login.
    public static func == (first: PendingLogin, second: PendingLogin) -> Bool { first.id == second.id }

    /// Hashes the identity of the login.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

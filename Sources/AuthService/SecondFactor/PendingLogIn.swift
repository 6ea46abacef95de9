public import Essentials

/// A log-in whose password was right, and which a code of the second factor is still to complete: see
/// `AuthService.completeLogIn(_:code:)`.
///
/// Only the service makes one, and it is not stored: whoever holds the value has proven the password. It ends after
/// `AccountPolicy.pendingLifetime`, and when the password changes.
public struct PendingLogIn: Sendable {
    /// Who is about to log in.
    public let user: User
    /// Until when a code is taken.
    public let expiresAt: Date

    let client: String
    let origin: Origin
    let standing: Standing
    let startedAt: Date
    private let id: Session.ID

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

    /// Whether a code is taken at `now`. A clock that was set back makes it last no longer.
    func isOpen(at now: Date) -> Bool {
        let lifetime = expiresAt.timeIntervalSince(startedAt)
        return now < expiresAt && now > startedAt.addingTimeInterval(-lifetime)
    }
}

extension PendingLogIn: Hashable {
    /// Whether both are one log-in.
    public static func == (first: PendingLogIn, second: PendingLogIn) -> Bool { first.id == second.id }

    /// Hashes which log-in it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

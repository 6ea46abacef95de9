import AuthService
import FoundationEssentials
import StoreEngines
import Testing

/// A time, in seconds after a fixed start.
func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

func event(
    _ kind: AuditEvent.Kind, at seconds: Double = 0, user: User? = nil, session: Session? = nil,
    client: String = "laptop"
) -> AuditEvent {
    AuditEvent(kind, at: time(seconds), userID: user?.id, sessionID: session?.id, client: client)
}

extension Stores {
    func insert(_ name: String, at seconds: Double = 0) async throws -> User {
        try await accounts.createUser(
            username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "hash of \(name)"),
            invitation: nil, recording: event(.registered, at: seconds))
    }

    /// A session that is not stored yet; `number` determines its ID and its secret.
    func session(_ number: UInt8, of user: User, at seconds: Double = 0, client: String = "laptop") throws
        -> StoredSession
    {
        let digits = String(number, radix: 16)
        let id = try #require(Session.ID(String(repeating: "0", count: 16 - digits.count) + digits))
        return StoredSession(
            session: Session(
                id: id, user: user, client: client, origin: .home, createdAt: time(seconds), lastUsedAt: time(seconds),
                confirmedAt: time(seconds), expiresAt: time(seconds + 1_000)),
            secretHash: [UInt8](repeating: number, count: 32))
    }

    @discardableResult
    func open(_ number: UInt8, of user: User, at seconds: Double = 0, keeping limit: Int = 100) async throws
        -> StoredSession
    {
        let stored = try session(number, of: user, at: seconds)
        let isOpen = try await accounts.openSession(
            stored, keeping: limit, recording: event(.loggedIn, at: seconds, user: user, session: stored.session))
        try #require(isOpen)
        return stored
    }

    /// The events of a user, oldest first.
    func kinds(of user: User) async throws -> [AuditEvent.Kind] {
        try await accounts.events(of: user.id, limit: 100).reversed().map(\.kind)
    }
}

import AuthService
import FoundationEssentials
import StoreEngines
import Testing

/// The ways to end a session.
enum SessionEnd: CaseIterable {
    case logOut
    case logOutEverywhere
    case time
}

extension Stores {
    /// Returns the ID of the session with this number.
    static func sessionID(_ number: Int) -> String { String(repeating: "0", count: 15) + String(number) }

    private static var start: Date { Date(timeIntervalSince1970: 1_700_000_000) }

    private func event(_ kind: AuditEvent.Kind) -> AuditEvent { AuditEvent(kind, at: Self.start, client: "laptop") }

    func user(_ name: String) async throws -> User {
        try await accounts.createUser(
            username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "hash of \(name)"),
            invitation: nil, recording: event(.registered))
    }

    /// Opens the session with this number, and returns its ID.
    func session(_ number: Int, of user: User) async throws -> String {
        let id = try #require(Session.ID(Self.sessionID(number)))
        let session = Session(
            id: id, user: user, client: "laptop", origin: Origin("home"), createdAt: Self.start,
            lastUsedAt: Self.start, confirmedAt: Self.start, expiresAt: Self.start.addingTimeInterval(1_000))
        let stored = StoredSession(session: session, secretHash: [UInt8](repeating: UInt8(number), count: 32))
        try #require(try await accounts.openSession(stored, keeping: 100, recording: event(.loggedIn)))
        return id.description
    }

    func delete(_ user: User) async throws {
        try #require(try await accounts.change(.deletion, of: user.id, recording: event(.deleted)))
    }

    func end(_ session: String, of user: User, by end: SessionEnd) async throws {
        switch end {
        case .logOut:
            let id = try #require(Session.ID(session))
            _ = try await accounts.endSession(id, of: user.id, recording: event(.loggedOut))
        case .logOutEverywhere: _ = try await accounts.endSessions(of: user.id, recording: event(.loggedOutEverywhere))
        case .time:
            let later = Self.start.addingTimeInterval(10_000)
            try await accounts.removeExpired(
                at: later, idleSince: later, eventsBefore: Self.start, onceBefore: Self.start,
                recording: event(.logPruned))
        }
    }
}

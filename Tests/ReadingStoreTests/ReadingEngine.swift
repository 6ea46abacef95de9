import AuthService
import Database
import FoundationEssentials
import Migrations
import ReadingStore
import TestSupport
import Testing

/// The engines that the contract suite is run on. A second engine is another case.
enum ReadingEngine: CaseIterable {
    case sqlite

    /// How a session ends.
    enum End: CaseIterable {
        case logOut
        case logOutEverywhere
        case time
    }

    /// An empty repository, beside users and sessions for it to refer to.
    func open() throws -> Readers {
        switch self {
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.path + "/test.db"
            _ = try Migrator(path: path, schema: .articlesctl).migrate(backup: false)
            let database = try Database(path: path, schema: .articlesctl)
            return Readers(
                storage: folder, users: SQLiteUserRepository(database: database),
                sessions: SQLiteSessionRepository(database: database),
                reading: SQLiteReadingStateRepository(database: database))
        }
    }

    /// The id of the session of that number.
    static func sessionID(_ number: Int) -> String { String(repeating: "0", count: 15) + String(number) }
}

/// A repository, and the users and sessions that it refers to.
struct Readers {
    /// What must live as long as the repositories are used.
    let storage: any Sendable
    let users: any UserRepository
    let sessions: any SessionRepository
    let reading: any ReadingStateRepository

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func event(_ kind: AuditEvent.Kind) -> AuditEvent { AuditEvent(kind, at: Self.start, client: "laptop") }

    func user(_ name: String) async throws -> User {
        try await users.insert(
            username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "hash of \(name)"),
            recording: event(.registered))
    }

    /// Opens the session of that number, and gives its id.
    func session(_ number: Int, of user: User) async throws -> String {
        let id = try #require(Session.ID(ReadingEngine.sessionID(number)))
        let session = Session(
            id: id, user: user, client: "laptop", createdAt: Self.start, lastUsedAt: Self.start,
            expiresAt: Self.start.addingTimeInterval(1_000))
        let stored = StoredSession(session: session, secretHash: [UInt8](repeating: UInt8(number), count: 32))
        try #require(try await sessions.open(stored, recording: event(.loggedIn)))
        return id.description
    }

    func end(_ session: String, of user: User, by end: ReadingEngine.End) async throws {
        switch end {
        case .logOut:
            let id = try #require(Session.ID(session))
            _ = try await sessions.end(id, of: user.id, recording: event(.loggedOut))
        case .logOutEverywhere: _ = try await sessions.endAll(of: user.id, recording: event(.loggedOutEverywhere))
        case .time:
            let later = Self.start.addingTimeInterval(10_000)
            try await sessions.endExpired(at: later, idleSince: later)
        }
    }
}

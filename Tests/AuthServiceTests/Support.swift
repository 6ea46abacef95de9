import SQLiteStores
import AuthService
import Database
import FoundationEssentials
import StoreEngines
import TestSupport

extension TemporaryDatabase {
    func count(_ sql: String) throws -> Int {
        try database.read { try $0.first(sql) { try $0.value(0) as Int } ?? -1 }
    }

    /// The content of all tables, as text.
    func dump() throws -> String {
        try database.read { snapshot in
            let user = try snapshot.query("SELECT username || region || password_hash FROM user") {
                try $0.value(0) as String
            }
            let session = try snapshot.query("SELECT id || hex(secret_hash) || client FROM session") {
                try $0.value(0) as String
            }
            let throttle = try snapshot.query("SELECT hex(key) FROM attempt_counter") {
                try $0.value(0) as String
            }
            let audit = try snapshot.query("SELECT event || ifnull(session_id, '') || client FROM audit") {
                try $0.value(0) as String
            }
            let device = try snapshot.query("SELECT hex(secret_hash) FROM device") { try $0.value(0) as String }
            return (user + session + throttle + device + audit).joined(separator: "\n")
        }
    }
}

extension Origin {
    static let home = Origin("home")
    /// The origins of guesses.
    static let away = Origin("away")

    /// An origin of many.
    static func away(_ number: Int) -> Origin { Origin("away \(number)") }
}

let minute: TimeInterval = 60
let day: TimeInterval = 86_400

extension Password {
    static let good = Password("velvet-tundra-ostrich")
    static let other = Password("maple.quartz.lantern")
    static let wrong = Password("violet-tundra-ostrich")
}

/// Leaks that contain `Password.other`.
struct Leaks: BreachCheck {
    func isBreached(_ password: Password) async throws -> Bool {
        password.withUTF8 { $0.elementsEqual("maple.quartz.lantern".utf8) }
    }
}

/// An `AuthService` with its own database and a clock to move.
struct World {
    let storage: TemporaryDatabase
    let clock = TestClock()
    let auth: AuthService

    init(parameters: PasswordHasher.Parameters = .weakest) throws {
        storage = try TemporaryDatabase()
        auth = Self.service(on: storage, clock: clock, hasher: PasswordHasher(parameters: parameters))
    }

    /// Makes a world whose service delays attempts.
    ///
    /// - Parameter pause: called during a delay with the clock and the seconds.
    init(patience: Int, pause: @escaping @Sendable (TestClock, Int) async -> Void) throws {
        let clock = clock
        storage = try TemporaryDatabase()
        auth = AuthService(
            store: SQLiteAccountStore(database: storage.database), hasher: PasswordHasher(parameters: .weakest),
            throttlePolicy: ThrottlePolicy(patience: patience), clock: { clock.now }, pause: { await pause(clock, $0) })
    }

    /// Makes a world with other policies.
    init(throttling throttle: ThrottlePolicy = ThrottlePolicy(), sessions: SessionPolicy = SessionPolicy()) throws {
        let clock = clock
        storage = try TemporaryDatabase()
        auth = AuthService(
            store: SQLiteAccountStore(database: storage.database), hasher: PasswordHasher(parameters: .weakest),
            sessionPolicy: sessions,
            throttlePolicy: throttle, clock: { clock.now })
    }

    /// Returns a service as another process would create it.
    func service(parameters: PasswordHasher.Parameters) -> AuthService {
        service(hasher: PasswordHasher(parameters: parameters))
    }

    /// Returns a service with this hasher.
    func service(hasher: PasswordHasher) -> AuthService {
        Self.service(on: storage, clock: clock, hasher: hasher)
    }

    private static func service(
        on storage: TemporaryDatabase, clock: TestClock, hasher: PasswordHasher
    ) -> AuthService {
        AuthService(store: SQLiteAccountStore(database: storage.database), hasher: hasher, clock: { clock.now })
    }

    @discardableResult
    func register(_ name: String = "alice", password: Password = .good, from origin: Origin = .home) async throws
        -> User
    {
        try await auth.register(username: Username(name), password: password, region: Region("DE"), from: origin)
    }

    func logIn(
        _ name: String = "alice", password: Password = .good, client: String = "laptop", from origin: Origin = .home
    ) async throws -> (session: Session, token: SessionToken) {
        let opened = try await auth.logIn(username: name, password: password, client: client, from: origin)
            .newSession
        return (opened.session, opened.token)
    }

    /// Logs in from a device that may be known, and returns the device's new secret.
    @discardableResult
    func logIn(
        _ name: String = "alice", password: Password = .good, on device: DeviceToken?, from origin: Origin = .home
    )
        async throws -> DeviceToken
    {
        try await auth.logIn(username: name, password: password, client: "laptop", from: origin, device: device)
            .newSession.device
    }

    /// The events of a user, oldest first.
    func events(of user: User) async throws -> [AuditEvent.Kind] {
        try await SQLiteAccountStore(database: storage.database).events(of: user.id, limit: 100).reversed().map(\.kind)
    }
}

extension LoginResult {
    /// The login that waits for a code; nil if a session is open.
    var pending: PendingLogin? {
        if case .codeNeeded(let pending) = self { pending } else { nil }
    }
}

/// The text of a token with one of its characters replaced.
func replacing(_ index: Int, in text: String, by character: Character) -> String {
    var characters = Array(text)
    characters[index] = character
    return String(characters)
}

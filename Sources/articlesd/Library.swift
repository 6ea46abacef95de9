import Arguments
import ArticleStore
import AuthService
import Database
import Essentials
import FlowCoordinators
import Migrations
import Platform
import ReadingStore

/// The database that is served, and what works on it.
struct Library: Sendable {
    let services: Services
    private let database: Database
    private let indexing: SQLiteArticleRepository

    /// How long a request waits for another that writes, in this process or another, in seconds.
    static let patience = 5.0
    /// How many requests may wait for that, so that others are worked on as well.
    private static let waitingWrites = 256

    /// Opens a database, and creates it if it does not exist. A database of an earlier version is not changed.
    ///
    /// - Parameters:
    ///   - patience: how long a request waits for another that writes, in seconds.
    ///   - say: prints messages for the operator.
    /// - Throws: `ServerError` and `DatabaseError`.
    init(
        path: String, patience: Double = patience, clock: @escaping @Sendable () -> Date, say: (String) -> Void
    ) throws {
        if access(path, F_OK) != 0, errno == ENOENT {
            try Self.makeFolder(of: path)
            _ = try Migrator(path: path, schema: .articlesctl, clock: clock).migrate()
        }
        // Reading writes as well: sessions, marks, places in texts.
        guard access(path, W_OK) == 0 else {
            throw ServerError(
                "\(path) cannot be written: \(SystemError.current)",
                hint: "run the server as the user whom the file is of, or give it to that user", code: .cannotCreate)
        }
        for opened in try FileCheck(path: path).closeToOthers(applicationID: Schema.articlesctl.applicationID) {
            say("\(opened) could be read or written by others; it is yours alone now")
        }
        var configuration = Database.Configuration(busyTimeout: patience, waitingWrites: Self.waitingWrites)
        database = try Database(path: path, schema: .articlesctl, configuration: configuration)
        // Places in texts are written very often and need not be durable.
        configuration.isDurable = false
        let reading = try Database(path: path, schema: .articlesctl, configuration: configuration)
        indexing = SQLiteArticleRepository(database: reading, clock: clock)
        services = Services(
            auth: AuthService(
                database: database, hasher: PasswordHasher(on: FewThreads(2, called: "passwords")),
                passwordPolicy: PasswordPolicy(contextWords: ["articlesctl", "articlesd"]),
                throttlePolicy: ThrottlePolicy(patience: 0), clock: clock),
            articles: SQLiteArticleRepository(database: database, clock: clock),
            marks: SQLiteMarkRepository(database: database),
            feeds: SQLiteFeedAddressRepository(database: database),
            reading: SQLiteReadingStateRepository(database: reading), clock: clock)
    }

    /// The reason why the server should not get requests now, in words; nil if there is none.
    func reasonNotReady() async -> String? {
        guard (try? await services.auth.registration()) != nil else { return "the library cannot be read" }
        guard database.hasRoom(forBytes: Self.requiredRoom) else { return "the disk is full" }
        return nil
    }

    /// The space that the writes of a moment may take: a request is 1 MiB at most.
    private static let requiredRoom = 1 << 20

    /// Whether whoever makes an account next is the operator, since there is none yet.
    func awaitsOperator() async -> Bool {
        guard let policy = try? await services.auth.registration(), policy != .closed else { return false }
        return (try? await SQLiteUserRepository(database: database).users().isEmpty) ?? false
    }

    /// Lets searches find what others have brought in, in small steps, until it is cancelled.
    func index() async {
        while !Task.isCancelled {
            let waiting = try? await indexing.advanceSearchBriefly()
            if waiting ?? 0 == 0 { try? await Task.sleep(for: .seconds(2)) }
        }
    }

    private static func makeFolder(of path: String) throws {
        guard let end = path.lastIndex(of: "/") else { return }
        var partial = path.hasPrefix("/") ? "/" : ""
        for component in path[..<end].split(separator: "/") {
            partial += component + "/"
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw ServerError("cannot make the folder \(partial): \(SystemError.current)", code: .cannotCreate)
            }
        }
    }
}

import SQLiteStores
import Arguments
import ArticleStore
import AuthService
import Database
import Text
import FlowCoordinators
import Migrations
import Platform

/// The database of the server, and the services on it.
struct Library: Sendable {
    let services: Services
    private let database: Database
    private let indexing: SQLiteArticleRepository

    /// The time in seconds that a request waits for another writer, in this process or another.
    static let patience = 5.0
    /// The maximum number of requests that may wait for it, so that other requests still make progress.
    private static let waitingWrites = 256

    /// Opens a database, and creates it if it does not exist. A database of an earlier version is not changed.
    ///
    /// - Parameters:
    ///   - patience: the time in seconds that a request waits for another writer.
    ///   - say: prints messages for the operator.
    /// - Throws: `ServerError` and `DatabaseError`.
    init(
        path: String, patience: Double = patience, clock: @escaping @Sendable () -> Date, say: (String) -> Void
    ) throws {
        if access(path, F_OK) != 0, errno == ENOENT {
            try Self.makeFolder(of: path)
            _ = try Migrator(path: path, schema: .articlesctl, clock: clock).migrate()
        }
        // Even reading writes: sessions, marks, and reading positions.
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
        // Reading positions are written very often and need not be durable.
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
            reading: SQLiteReadingStateRepository(database: reading), clock: clock)
    }

    /// The reason why the server should not get requests now, in words; nil if there is none.
    func reasonNotReady() async -> String? {
        guard (try? await services.auth.registration()) != nil else { return "the library cannot be read" }
        guard database.hasRoom(forBytes: Self.requiredRoom) else { return "the disk is full" }
        return nil
    }

    /// The free space that is required for the next writes. A request has at most 1 MiB.
    private static let requiredRoom = 1 << 20

    /// Whether the next new account becomes the operator, because none exists yet.
    func awaitsOperator() async -> Bool {
        guard let policy = try? await services.auth.registration(), policy != .closed else { return false }
        return (try? await SQLiteAccountStore(database: database).users().isEmpty) ?? false
    }

    /// Adds other processes' imports to the search index in small steps until it is canceled.
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

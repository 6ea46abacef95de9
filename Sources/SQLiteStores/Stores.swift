public import ArticleStore
public import AuthService
import Database
import Migrations
public import Text

/// The repositories of a library: accounts, articles, marks, and reading states.
///
/// ```swift
/// try Stores.migrate(path)
/// let stores = try Stores.open(path)
/// let auth = AuthService(store: stores.accounts)
/// ```
///
/// A process opens a library once and uses these repositories everywhere. They share one connection that writes and a
/// pool of connections that read.
public struct Stores: Sendable {
    /// The settings of an open library. The defaults suit a command.
    public struct Options: Sendable {
        /// The time in seconds that a write waits for another process before it fails with `StoreError.Kind.busy`.
        public var busyTimeout: Double = 30
        /// The same time for marks, bookmarks, and preferences, if it is shorter; nil if it is the same.
        ///
        /// These writes then have a connection of their own. Otherwise a mark of the user would wait behind an import of
        /// the same process, which itself waits up to `busyTimeout` for another process.
        public var screenTimeout: Double?
        /// The maximum number of tasks that wait to write. A further one fails with `StoreError.Kind.busy`.
        public var waitingWrites = Int.max
        /// Whether to remove other users' access rights to the file. It contains private marks and password hashes.
        public var makesPrivate = true
        /// Returns the present time, for articles whose source does not give a date.
        public var clock: @Sendable () -> Date = { Date() }
        /// Called repeatedly while a write waits for another process. If it returns true, the write fails with
        /// `StoreError.Kind.interrupted`.
        public var isInterrupted: @Sendable () -> Bool = { false }

        /// Creates the default options.
        public init() {}
    }

    /// The library.
    public let articles: any ArticleRepository & ArticleLog
    /// The accounts.
    public let accounts: any AccountStore
    /// The marks.
    public let marks: any MarkRepository & MarkLog
    /// The bookmarks and preferences. A bookmark changes with every page, so saving it does not wait for the disk.
    public let reading: any ReadingStateRepository
    private let recordingChanges: @Sendable (@escaping @Sendable () -> AuditEvent?) -> any ArticleRepository
    private let hasRoom: @Sendable (Int) -> Bool

    /// Creates a library in a new file, or updates the schema of an existing one after a backup beside it.
    ///
    /// - Throws: `StoreError`.
    public static func migrate(_ path: String, clock: @escaping @Sendable () -> Date = { Date() }) throws {
        try translating { _ = try Migrator(path: path, schema: .articlesctl, clock: clock).migrate() }
    }

    /// Opens the library in a file, which must exist and be up to date.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - options: the settings.
    ///   - onClosing: called with each file that other users could access until now.
    /// - Throws: `StoreError`.
    public static func open(
        _ path: String, options: Options = Options(), onClosing: (String) -> Void = { _ in }
    ) throws -> Stores {
        try translating {
            if options.makesPrivate {
                try FileCheck(path: path).closeToOthers(applicationID: Schema.articlesctl.applicationID)
                    .forEach(onClosing)
            }
            var configuration = Database.Configuration(
                busyTimeout: options.busyTimeout, waitingWrites: options.waitingWrites,
                isInterrupted: options.isInterrupted)
            let library = try Database(path: path, schema: .articlesctl, configuration: configuration)
            var screen = library
            if let timeout = options.screenTimeout, timeout < options.busyTimeout {
                configuration.busyTimeout = timeout
                screen = try Database(path: path, schema: .articlesctl, configuration: configuration)
            }
            return Stores(library: library, screen: screen, clock: options.clock)
        }
    }

    private init(library: Database, screen: Database, clock: @escaping @Sendable () -> Date) {
        let repository = SQLiteArticleRepository(database: library, clock: clock)
        articles = repository
        accounts = SQLiteAccountStore(database: library)
        marks = SQLiteMarkRepository(database: screen)
        reading = SQLiteReadingStateRepository(database: screen)
        recordingChanges = { repository.recordingChanges($0) }
        hasRoom = { library.hasRoom(forBytes: $0) }
    }

    /// Combines repositories of any engine, for tests.
    package init(
        articles: any ArticleRepository & ArticleLog, accounts: any AccountStore,
        marks: any MarkRepository & MarkLog, reading: any ReadingStateRepository, keeping storage: any Sendable
    ) {
        (self.articles, self.accounts, self.marks, self.reading) = (articles, accounts, marks, reading)
        recordingChanges = { _ in articles }
        // The storage lives as long as this value.
        hasRoom = { _ in withExtendedLifetime(storage) { true } }
    }

    /// Returns the library, which adds events to the audit log in the transactions of its changes.
    ///
    /// - Parameter event: called at the end of each transaction that changed something; nil if it needs no event.
    public func articles(
        recordingChanges event: @escaping @Sendable () -> AuditEvent?
    ) -> any ArticleRepository { recordingChanges(event) }

    /// Returns whether `bytes` more fit on the disk: false if the disk or the quota is full.
    public func hasRoom(forBytes bytes: Int) -> Bool { hasRoom(bytes) }
}

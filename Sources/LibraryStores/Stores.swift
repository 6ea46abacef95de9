public import ArticleStore
public import AuthService
internal import PostgreSQL
public import Text

/// The repositories of a library: accounts, articles, marks, and reading states.
///
/// ```swift
/// let place = StorePlace.file(path)
/// try await Stores.migrate(place)
/// let stores = try await Stores.open(place)
/// let auth = AuthService(store: stores.accounts)
/// ```
///
/// A process opens a library once and uses these repositories everywhere. In a file, they share one connection that
/// writes and a pool of connections that read. On a server, they share one pool of connections.
public struct Stores: Sendable {
    /// The settings of an open library. The defaults suit a command.
    public struct Options: Sendable {
        /// The time in seconds that a write waits for another process before it fails with `StoreError.Kind.busy`.
        ///
        /// A server has as long to answer, but at least 5 s.
        public var busyTimeout: Double = 30
        /// The same time for marks, bookmarks, and preferences, if it is shorter; nil if it is the same.
        ///
        /// In a file, these writes then have a connection of their own. Otherwise a mark of the user would wait behind
        /// an import of the same process, which itself waits up to `busyTimeout` for another process. On a server, each
        /// write has its own connection.
        public var screenTimeout: Double?
        /// The maximum number of tasks that wait to write or, on a server, for a connection. A further one fails with
        /// `StoreError.Kind.busy`.
        public var waitingWrites = Int.max
        /// Whether to remove other users' access rights to the file. It contains private marks and password hashes.
        public var makesPrivate = true
        /// Whether to keep lists that were read from a file in memory until the library changes, for programs that show the
        /// same lists again and again.
        public var keepsLists = false
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
    /// The subscriptions of sources.
    package let subscriptions: any SubscriptionRepository
    /// The pictures of articles.
    package let pictures: any PictureRepository
    /// The visits of browsers.
    package let visits: any VisitRepository
    /// The requests that all servers of the library have counted; nil for a file, which has only one server.
    package let requestCounts: (any RequestCounts)?
    /// The versions of the library; nil if the engine has none.
    package let versions: (any LibraryVersions)?
    private let recordingChanges: @Sendable (@escaping @Sendable () -> AuditEvent?) -> any ArticleRepository
    private let hasRoom: @Sendable (Int) -> Bool

    /// Creates a library, or updates the schema of an existing one. An existing file is copied to a backup beside it first.
    ///
    /// - Throws: `StoreError`.
    public static func migrate(
        _ place: StorePlace, clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        var options = Options()
        options.clock = clock
        _ = try await applyMigrations(to: place, options: options)
    }

    /// Whether a library of any version is there: a file, or a database with its schema.
    ///
    /// - Throws: `StoreError` if the server cannot tell.
    package static func exists(at place: StorePlace, options: Options) async throws -> Bool {
        switch place {
        case .file(let path): fileExists(path)
        case .server(let url): try await serverHasLibrary(url, options)
        }
    }

    /// Updates the schema.
    ///
    /// - Returns: the applied steps.
    /// - Throws: `StoreError`.
    package static func applyMigrations(to place: StorePlace, options: Options) async throws -> [SchemaStep] {
        switch place {
        case .file(let path): try migrateFile(path, options)
        case .server(let url): try await migrateServer(url, options)
        }
    }

    /// Returns the steps of the schema.
    ///
    /// - Throws: `StoreError`.
    package static func schemaSteps(of place: StorePlace, options: Options) async throws -> [SchemaStep] {
        switch place {
        case .file(let path): try fileSteps(path, options)
        case .server(let url): try await serverSteps(url, options)
        }
    }

    /// Opens a library, which must exist and be up to date.
    ///
    /// - Parameters:
    ///   - place: the place of the library.
    ///   - options: the settings.
    ///   - onClosing: called with each file that other users could access until now.
    /// - Throws: `StoreError`.
    public static func open(
        _ place: StorePlace, options: Options = Options(), onClosing: (String) -> Void = { _ in }
    ) async throws -> Stores {
        switch place {
        case .file(let path): try openFile(path, options, onClosing: onClosing)
        case .server(let url): try await openServer(url, options)
        }
    }

    init(
        articles: any ArticleRepository & ArticleLog, accounts: any AccountStore,
        marks: any MarkRepository & MarkLog, reading: any ReadingStateRepository,
        subscriptions: any SubscriptionRepository, pictures: any PictureRepository, visits: any VisitRepository,
        requestCounts: (any RequestCounts)? = nil, versions: (any LibraryVersions)? = nil,
        recordingChanges: @escaping @Sendable (@escaping @Sendable () -> AuditEvent?) -> any ArticleRepository,
        hasRoom: @escaping @Sendable (Int) -> Bool
    ) {
        (self.articles, self.accounts, self.marks, self.reading) = (articles, accounts, marks, reading)
        (self.subscriptions, self.pictures) = (subscriptions, pictures)
        (self.visits, self.requestCounts, self.versions) = (visits, requestCounts, versions)
        (self.recordingChanges, self.hasRoom) = (recordingChanges, hasRoom)
    }

    /// Combines repositories of any engine, for tests.
    package init(
        articles: any ArticleRepository & ArticleLog, accounts: any AccountStore,
        marks: any MarkRepository & MarkLog, reading: any ReadingStateRepository,
        subscriptions: any SubscriptionRepository, pictures: any PictureRepository, visits: any VisitRepository,
        versions: (any LibraryVersions)? = nil, keeping storage: any Sendable
    ) {
        self.init(
            articles: articles, accounts: accounts, marks: marks, reading: reading, subscriptions: subscriptions,
            pictures: pictures, visits: visits, versions: versions, recordingChanges: { _ in articles },
            // The storage lives as long as this value.
            hasRoom: { _ in withExtendedLifetime(storage) { true } })
    }

    /// Returns the library, which adds events to the audit log in the transactions of its changes.
    ///
    /// - Parameter event: called at the end of each transaction that changed something; nil if it needs no event.
    public func articles(
        recordingChanges event: @escaping @Sendable () -> AuditEvent?
    ) -> any ArticleRepository { recordingChanges(event) }

    /// Returns whether `bytes` more fit on the disk: false if the disk or the quota is full. The disk of a server is not
    /// known, so the answer is true.
    public func hasRoom(forBytes bytes: Int) -> Bool { hasRoom(bytes) }
}

/// A step of the schema of a library, and whether it was applied there.
package struct SchemaStep: Sendable {
    /// Its version, which follows that of the step before.
    package let version: Int
    /// The name, which is part of the file name.
    package let name: String
    /// The statements.
    package let sql: String
    /// The time at which it was applied; nil if it was not applied yet.
    package let appliedAt: Date?
    /// Whether the applied step is the one of this program.
    package let isUnchanged: Bool
}

/// The place of a library.
public enum StorePlace: Sendable, Hashable, CustomStringConvertible {
    /// A SQLite file with this path.
    case file(String)
    /// A database on a PostgreSQL server with this URL, such as `postgres://reader@db.example/articles`.
    ///
    /// The URL must not contain a password. libpq reads it from `~/.pgpass`, or from the file that `PGPASSFILE`, a service
    /// file, or the parameter `passfile` of the URL names.
    case server(String)

    /// Creates the place that a user has typed: a URL of PostgreSQL, or a path.
    public init(_ text: String) { self = ServerAddress.isAddress(text) ? .server(text) : .file(text) }

    /// The path or the URL.
    public var description: String {
        switch self {
        case .file(let text), .server(let text): text
        }
    }
}

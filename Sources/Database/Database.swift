internal import CPlatform
internal import CSQLite
internal import Synchronization

/// A SQLite database with one writer and any number of concurrent readers.
///
/// ```swift
/// let database = try Database(path: path, schema: schema)
/// let titles = try database.read { try $0.query("SELECT title FROM article") { try $0.value(0) as String } }
/// try database.write { try $0.run("DELETE FROM article WHERE id = ?", [1]) }
/// ```
///
/// - **Open**: `init(path:schema:configuration:)` opens a file that is up to date; `Migrator` updates it.
/// - **Use**: `read(_:)`, `write(_:)`, `interrupt()`, and single statements: `first`, `query`, `forEach`.
/// - **Maintain**: `backUp(to:progress:)`, `integrityProblems()`, `logState()`, `leftovers`.
///
/// Connections are opened when they are first needed, and then kept. The database is in WAL mode, in which readers and
/// the writer do not wait for each other. On a network file system, it uses a rollback journal instead.
public final class Database: Sendable {
    /// The settings of a database. The defaults suit a program on a local disk.
    public struct Configuration: Sendable {
        /// The time in seconds that a write waits for another process before it fails with `DatabaseError.busy`.
        public var busyTimeout: Double
        /// The number of readers that stay open between reads.
        public var idleReaders: Int
        /// The number of pages (of 4,096 bytes) in the log at which it is moved into the database file. The log must
        /// also be half as long again as the last transaction, so that after consecutive large transactions that write
        /// the same pages, it is moved only once per two of them.
        public var checkpointFrames: Int
        /// Whether the file is on a network file system, where WAL does not work; nil to ask the operating system.
        public var isOnNetwork: Bool?
        /// The maximum number of tasks of this process that wait to write. A further one fails immediately with
        /// `DatabaseError.busy`.
        public var waitingWrites: Int
        /// Called repeatedly on the waiting thread while another process is waited for. If it returns true, the wait
        /// ends with `DatabaseError.interrupted`.
        public var isInterrupted: @Sendable () -> Bool

        /// Creates a configuration.
        public init(
            busyTimeout: Double = 30, idleReaders: Int = 4, checkpointFrames: Int = 1000,
            isOnNetwork: Bool? = nil, waitingWrites: Int = .max,
            isInterrupted: @escaping @Sendable () -> Bool = { false }
        ) {
            self.isInterrupted = isInterrupted
            self.busyTimeout = busyTimeout
            self.idleReaders = idleReaders
            self.checkpointFrames = checkpointFrames
            self.isOnNetwork = isOnNetwork
            self.waitingWrites = waitingWrites
        }
    }

    /// The version of the SQLite library, such as `3.40.1`.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// The path of the file.
    public let path: String

    /// The path without symbolic links. It is absolute, because SQLite treats names like `:memory:` specially.
    private let resolvedPath: String
    /// The identity of the file when it was opened.
    private let identity: DatabaseFile.Identity?
    /// The identities of the open log and its index; nil before a connection has opened them.
    private let companions = Mutex<DatabaseFile.Companions?>(nil)
    private let applicationID: Int32
    private let configuration: Configuration
    private let turns = WriteTurns()
    private let lock: WriteLock
    /// Use it only with the turn and the lock.
    private let writer = Mutex<Writer?>(nil)
    private let readers = Mutex<[Reader]>([])
    /// The connection for ``version()``, because each connection counts by itself.
    private let watcher = Mutex<Reader?>(nil)
    /// The interrupters of all open connections.
    private let interrupters = Mutex<[Interrupter]>([])

    /// Opens a database that exists and is up to date. Otherwise nothing is changed. A database that cannot be written,
    /// such as on read-only media, can be read.
    ///
    /// - Throws: `DatabaseError`: `missing`, `notAFile`, `notADatabase`, `foreign`, `linked`, `lost`, `newerSchema`,
    ///   `unknownSchema`, `needsMigration`, `migrationChanged`, `unfinished`, `cannotOpen`, or an error of SQLite.
    public convenience init(path: String, schema: Schema, configuration: Configuration = Configuration()) throws {
        try self.init(path: path, applicationID: schema.applicationID, configuration: configuration)
        let record = try schemaRecord(supported: schema.version)
        if record.version < schema.version {
            throw DatabaseError.needsMigration(path: path, found: record.version, required: schema.version)
        }
        try record.check(schema, path: path)
    }

    /// Opens a database with any schema version, for the migrator and for maintenance.
    package init(path: String, applicationID: Int32, configuration: Configuration) throws {
        let file = DatabaseFile(path: path)
        switch try file.content() {
        case .missing: throw DatabaseError.missing(path: path)
        case .empty: break
        case .database(applicationID): break
        case .database(let other): throw DatabaseError.foreign(path: path, applicationID: other)
        }
        self.path = path
        self.applicationID = applicationID
        self.configuration = configuration
        resolvedPath = file.resolvedPath
        identity = file.identity
        // Use the resolved path, so that all names of the file have the same lock.
        lock = WriteLock(databasePath: resolvedPath, isInterrupted: configuration.isInterrupted)
        // Set the journal mode now: in WAL mode, even readers would use shared memory.
        if isOnNetwork, !file.isUnchanging { try withWriteLock { _ in } }
    }

    deinit {
        // Move the log into the database file, because people copy only that. Wait only briefly for other writers and
        // readers: a child process that is being started may temporarily hold copies of the descriptors.
        guard let writer = writer.withLock({ $0.take() }), writer.log.frames > 0, isInPlace else { return }
        guard missingCompanion == nil || isAlone else { return }
        guard let held = try? lock.acquire(timeout: 0.05) else { return }
        _ = try? writer.connection.checkpoint(.truncate)
        held.release()
    }

    /// Reads from one consistent view of the database. Readers wait neither for the writer nor for each other.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func read<T: Sendable>(_ body: (Snapshot) throws -> T) throws -> T {
        try withReader { connection in
            try connection.begin(.deferred)
            do {
                let result = try body(Snapshot(connection: connection))
                try connection.commit()
                return result
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Returns a number that each commit changes, in this process or another. Only numbers of the same `Database` can be
    /// compared. It is nil if the file cannot change, as on read-only media. Source: SQLite's `PRAGMA data_version`.
    ///
    /// - Throws: `DatabaseError`.
    public func version() throws -> Int64? {
        try requireInPlace()
        let reader = try watcher.withLock { watcher in
            if watcher == nil { watcher = try openReader() }
            return watcher
        }
        return try reader?.connection.withLock { connection in
            try connection.first("PRAGMA data_version", []) { try $0.value(0) }
        }
    }

    private func withReader<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
        try requireInPlace()
        guard let reader = try readers.withLock({ $0.popLast() }) ?? openReader() else {
            // Do not keep this connection: the file may be changed before the next read.
            return try body(open(.immutable))
        }
        defer { readers.withLock { if $0.count < configuration.idleReaders { $0.append(reader) } } }
        let result = try reader.connection.withLock { try body($0) }
        if configuration.idleReaders > 0 { rememberCompanions() }
        return result
    }

    /// - Returns: nil if the file must be read as immutable.
    private func openReader() throws -> Reader? {
        guard !DatabaseFile(path: resolvedPath).isUnchanging else { return nil }
        do {
            return Reader(connection: try open(.readOnly))
        } catch is Connection.HotJournalError {
            // A writer that was killed left a journal. Opening the writer rolls it back.
            try withWriteLock { _ in }
            return Reader(connection: try open(.readOnly))
        }
    }

    private var isInPlace: Bool { DatabaseFile(path: resolvedPath).identity == identity }

    /// - Throws: `replaced` if the file, its log, or the index of its log is no longer at its path.
    private func requireInPlace() throws(DatabaseError) {
        guard isInPlace else { throw .replaced(path: path) }
        if let missing = missingCompanion { throw .replaced(path: missing) }
    }

    /// Remembers the identities of the log and its index. Call it only while a connection has them open: SQLite deletes
    /// both when the last connection closes.
    private func rememberCompanions() {
        companions.withLock { if $0 == nil { $0 = DatabaseFile(path: resolvedPath).companions } }
    }

    /// The path of the log or its index, if it was moved, replaced, or deleted. The contents of a deleted log would be
    /// lost if the process is killed.
    private var missingCompanion: String? {
        guard let companions = companions.withLock({ $0 }) else { return nil }
        return DatabaseFile(path: resolvedPath).missing(of: companions)
    }

    /// Whether no other process can have created another log or index in place of the open ones.
    private var isAlone: Bool {
        let file = DatabaseFile(path: resolvedPath)
        guard let known = companions.withLock({ $0 }), let present = file.companions else { return true }
        return (present.log == known.log || file.log.size == 0)
            && (present.index == known.index || present.index == nil)
    }

    /// Changes the database in one transaction. If `body` throws, nothing is changed.
    ///
    /// The write lock is held during the whole call, so keep it short. Writes cannot be nested: a write inside a write
    /// would wait for itself; use `Transaction.savepoint(_:)`.
    ///
    /// Waiting blocks the thread. In a task, use the asynchronous `write`.
    ///
    /// - Parameters:
    ///   - timeout: the time in seconds to wait for another process; nil for the configuration's `busyTimeout`. With 0,
    ///     the call does not wait for other threads of this process either.
    ///   - isDurable: whether the transaction is on the disk when the call returns. If not, it survives a crash of the
    ///     process, but possibly not of the machine, and the call does not wait for the disk. The database stays
    ///     consistent in both cases. Source: SQLite's `PRAGMA synchronous`.
    ///   - body: the work in the transaction.
    /// - Throws: `DatabaseError` (`busy` if another process does not finish in time, `replaced` if the file is no
    ///   longer the one that was opened), or the error of `body`.
    @discardableResult
    public func write<T: Sendable>(
        timeout: Double? = nil, isDurable: Bool = true, _ body: (Transaction) throws -> T
    ) throws -> T {
        try withWriteLock(timeout: timeout) { try transaction(on: $0, isDurable: isDurable, body) }
    }

    /// Changes the database in one transaction, like the synchronous `write`. While it waits for other writers, in this
    /// process or another, it does not block a thread of the pool for tasks.
    ///
    /// The transaction itself runs where the task runs.
    ///
    /// - Parameters:
    ///   - timeout: the total time in seconds to wait; nil for the configuration's `busyTimeout`. With 0, the call does
    ///     not wait.
    ///   - isDurable: whether the transaction is on the disk when the call returns, as in the synchronous `write`.
    ///   - overwritesFreedPages: whether the pages that the transaction frees are overwritten, if SQLite was built to do
    ///     that, as on Debian. It doubles the bytes that a transaction writes if it frees as many pages as it fills.
    ///   - body: the work in the transaction.
    /// - Throws: `DatabaseError` (`busy` if other writers do not finish in time, or too many wait already; `replaced`
    ///   if the file is no longer the one that was opened), or the error of `body`.
    @discardableResult
    public func write<T: Sendable>(
        timeout: Double? = nil, isDurable: Bool = true, overwritesFreedPages: Bool = true,
        _ body: (Transaction) throws -> T
    ) async throws -> T {
        let timeout = timeout ?? configuration.busyTimeout
        let end = ContinuousClock.now + .seconds(timeout)
        let most = timeout > 0 ? configuration.waitingWrites : 0
        guard let turn = await turns.acquire(waitingAtMost: most) else {
            throw DatabaseError.busy(path: path, seconds: 0)
        }
        let held: WriteLock.Held
        do throws(DatabaseError) {
            held = try await lock.acquireInTask(timeout: max(0, ContinuousClock.now.duration(to: end) / .seconds(1)))
        } catch {
            guard case .busy(let path, _) = error else { throw error }
            throw DatabaseError.busy(path: path, seconds: timeout)
        }
        let result = try use {
            try transaction(on: $0, isDurable: isDurable, overwritesFreedPages: overwritesFreedPages, body)
        }
        held.release()
        turn.end()
        return result
    }

    private func transaction<T>(
        on connection: Connection, isDurable: Bool, overwritesFreedPages: Bool = true,
        _ body: (Transaction) throws -> T
    ) throws -> T {
        try connection.setDurable(isDurable)
        try connection.setOverwriting(overwritesFreedPages)
        try connection.begin(.immediate)
        do {
            let result = try body(Transaction(connection: connection))
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Makes all running statements fail with `DatabaseError.interrupted`. Their transactions are rolled back. Any
    /// thread may call it.
    public func interrupt() {
        for interrupter in interrupters.withLock({ $0 }) { interrupter.interrupt() }
    }

    /// Returns the findings of `PRAGMA integrity_check` and `PRAGMA foreign_key_check`, a sentence each.
    ///
    /// - Throws: `DatabaseError`.
    public func integrityProblems() throws -> [String] {
        try read { try $0.connection.damage() + $0.connection.orphans() }
    }

    /// Returns the present state of the log; nil if there is none, as on a network file system or on read-only media.
    ///
    /// - Throws: `DatabaseError`.
    public func logState() throws -> LogState? {
        try withReader { connection in
            // This statement also maps the index of the log.
            let mode: String? = try connection.first("PRAGMA journal_mode", []) { try $0.value(0) }
            guard mode == "wal" else { return nil }
            return connection.logState().map { LogState($0, file: DatabaseFile(path: resolvedPath)) }
        }
    }

    /// The files beside the database that a killed process left and that are useless. The next writer removes them.
    public var leftovers: [String] { DatabaseFile(path: resolvedPath).leftovers }

    /// Returns whether `bytes` more fit on the disk: false if the disk or the quota is full.
    public func hasRoom(forBytes bytes: Int) -> Bool {
        platform_try_room(DatabaseFile(path: resolvedPath).folder, Int64(bytes)) == 0
    }

    /// Checks that the database is not an unfinished copy of another one, for maintenance at any schema version.
    ///
    /// - Throws: `unfinished`, or an error of SQLite.
    package func requireFinished() throws {
        let isUnfinished = try first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(Schema.unfinishedTable)]) {
            _ in true
        }
        if isUnfinished == true { throw DatabaseError.unfinished(path: path) }
    }

    /// Returns the record of the schema in the file.
    ///
    /// - Throws: `newerSchema` if the version is above `supported`, `unknownSchema`, or an error of SQLite.
    func schemaRecord(supported: Int) throws -> SchemaRecord {
        try read { try SchemaRecord($0, path: path, supported: supported) }
    }

    /// Runs `body` on the writer's connection while holding the write lock, outside of a transaction. Afterwards, it
    /// moves the log into the database if the log is long.
    func withWriteLock<T: Sendable>(timeout: Double? = nil, _ body: (Connection) throws -> T) throws -> T {
        let timeout = timeout ?? configuration.busyTimeout
        guard let turn = timeout > 0 ? turns.acquireOnThread() : turns.acquireIfFree() else {
            throw DatabaseError.busy(path: path, seconds: 0)
        }
        let held = try lock.acquire(timeout: timeout)
        let result = try use(body)
        held.release()
        turn.end()
        return result
    }

    /// Runs `body` on the writer's connection. The caller must have the turn and the lock.
    private func use<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
        try writer.withLock { writer in
            // Do not write to a file that was moved away: other processes would not see the data.
            do throws(DatabaseError) {
                try requireInPlace()
            } catch {
                if let writer, isInPlace { _ = saveLog(of: writer) }
                throw error
            }
            let current = try writer ?? openWriter()
            writer = current
            let result = try body(current.connection)
            if let missing = missingCompanion, !saveLog(of: current) { throw DatabaseError.replaced(path: missing) }
            let log = current.log
            if log.frames >= configuration.checkpointFrames, log.frames >= log.lastFrames + log.lastFrames / 2 {
                // The transaction is already in the log. A failed checkpoint is tried again after the next transaction.
                _ = try? current.connection.checkpoint(.passive)
            }
            return result
        }
    }

    /// Moves a log that was deleted, or whose index was, into the database file, so that its commits are not lost.
    ///
    /// - Returns: whether the whole log is in the database file.
    private func saveLog(of writer: Writer) -> Bool {
        isAlone && (try? writer.connection.checkpoint(.passive)) == true
    }

    private var isOnNetwork: Bool { configuration.isOnNetwork ?? DatabaseFile(path: path).isOnNetwork }

    private func openWriter() throws -> sending Writer {
        leftovers.forEach { try? DatabaseFile(path: $0).remove() }
        let file = DatabaseFile(path: path)
        // Only the header of an empty file must be read. The connection opens any other file.
        let isNew = try file.size == 0 && file.content() == .empty
        let connection = try open(.readWrite)
        // Mark the file as this program's before anything else is in it, so that an interrupted creation can be
        // continued.
        if isNew { try connection.execute("PRAGMA application_id=\(applicationID)") }
        let writer = try Writer(connection: connection, usesWAL: !isOnNetwork)
        rememberCompanions()
        return writer
    }

    private func open(_ access: Connection.Access) throws -> sending Connection {
        let connection = try Connection(
            path: resolvedPath, access: access,
            busyWait: BusyWait(timeout: configuration.busyTimeout, isInterrupted: configuration.isInterrupted))
        let interrupter = connection.interrupter
        interrupters.withLock { interrupters in
            interrupters.removeAll(where: \.isForgotten)
            interrupters.append(interrupter)
        }
        return connection
    }
}

/// A single statement has a consistent view without a transaction, and costs less than ``Database/read(_:)``.
extension Database: Queryable {
    /// Runs one statement and calls `body` for each row, in order.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withReader { try $0.forEach(sql, values, body) }
    }

    /// Runs one statement up to its first row, and calls `body` with it if there is one.
    ///
    /// - Throws: `DatabaseError`, or the error of `body`.
    public func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withReader { _ = try $0.first(sql, values, body) }
    }
}

/// A connection that reads. Only one thread uses it at a time.
private final class Reader: Sendable {
    let connection: Mutex<Connection>

    init(connection: sending Connection) {
        self.connection = Mutex(connection)
    }
}

/// The connection that writes, and the size of the log after its last commit.
private final class Writer {
    let connection: Connection
    let log = LogSize()

    /// Call it only while holding the write lock, because the journal mode is a property of the file.
    init(connection: Connection, usesWAL: Bool) throws {
        self.connection = connection
        try connection.execute("PRAGMA journal_mode=\(usesWAL ? "WAL" : "DELETE")")
        connection.onCommit(log)
    }
}

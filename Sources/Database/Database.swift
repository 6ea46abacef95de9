internal import CPlatform
internal import CSQLite
internal import Synchronization

/// A SQLite database: one writer, and as many readers at once as ask.
///
/// ```swift
/// let database = try Database(path: path, schema: schema)
/// let titles = try database.read { try $0.query("SELECT title FROM article") { try $0.value(0) as String } }
/// try database.write { try $0.run("DELETE FROM article WHERE id = ?", [1]) }
/// ```
///
/// - **Opening**: `init(path:schema:configuration:)` takes a file that is up to date; `Migrator` makes it so.
/// - **Working**: `read(_:)`, `write(_:)`, `interrupt()`, and one statement alone: `first`, `query`, `forEach`.
/// - **Keeping**: `backUp(to:progress:)`, `integrityProblems()`, `logState()`, `leftovers`.
///
/// Connections are opened when first needed and kept. The database is in WAL mode, where readers and the writer do not
/// wait for each other, except on a network file system, where it uses a rollback journal.
public final class Database: Sendable {
    /// How a database is used; the defaults suit a program on a machine of its own.
    public struct Configuration: Sendable {
        /// For how many seconds a write waits for another process before it fails with `DatabaseError.busy`.
        public var busyTimeout: Double
        /// How many readers stay open between reads.
        public var idleReaders: Int
        /// The log is moved into the database file when it holds this many pages (of 4,096 bytes), and half as many again
        /// as the last transaction wrote: what large transactions write over and over, one after the other, is moved once
        /// for two of them.
        public var checkpointFrames: Int
        /// Whether what is committed is on the disk when the write returns. If not, it outlives a crash of the process, but
        /// perhaps not of the machine, and a write need not wait for the disk; the database stays consistent either way.
        /// Source: SQLite's `PRAGMA synchronous`.
        public var isDurable: Bool
        /// Whether a file is on a network file system, where WAL does not work; nil asks the system.
        public var isOnNetwork: Bool?
        /// How many tasks of this process may wait to write; one more fails with `DatabaseError.busy` at once.
        public var waitingWrites: Int
        /// Asked again and again while another process is waited for, on the thread that waits: true ends the wait with
        /// `DatabaseError.interrupted`.
        public var isInterrupted: @Sendable () -> Bool

        /// A configuration.
        public init(
            busyTimeout: Double = 30, idleReaders: Int = 4, checkpointFrames: Int = 1000, isDurable: Bool = true,
            isOnNetwork: Bool? = nil, waitingWrites: Int = .max,
            isInterrupted: @escaping @Sendable () -> Bool = { false }
        ) {
            self.isInterrupted = isInterrupted
            self.busyTimeout = busyTimeout
            self.idleReaders = idleReaders
            self.checkpointFrames = checkpointFrames
            self.isDurable = isDurable
            self.isOnNetwork = isOnNetwork
            self.waitingWrites = waitingWrites
        }
    }

    /// The version of the SQLite library, such as `3.40.1`.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// The path of the file.
    public let path: String

    /// Absolute, so that SQLite takes no name for anything but a file.
    private let resolvedPath: String
    /// Which file was at the path when it was opened.
    private let identity: DatabaseFile.Identity?
    /// The log and its index that the connections have open; nil before a connection has opened them.
    private let companions = Mutex<DatabaseFile.Companions?>(nil)
    private let applicationID: Int32
    private let configuration: Configuration
    private let turns = WriteTurns()
    private let lock: WriteLock
    /// Only for who has the turn and the lock.
    private let writer = Mutex<Writer?>(nil)
    private let readers = Mutex<[Reader]>([])
    /// Of every connection that is open, so that all can be interrupted.
    private let interrupters = Mutex<[Interrupter]>([])

    /// Opens a database that exists and is up to date; otherwise changes nothing. A database that may not be written, as on
    /// read-only media, can be read.
    ///
    /// - Throws: `DatabaseError`: `missing`, `notAFile`, `notADatabase`, `foreign`, `linked`, `lost`, `newerSchema`,
    ///   `unknownSchema`, `needsMigration`, `migrationChanged`, `cannotOpen`, or SQLite's own.
    public convenience init(path: String, schema: Schema, configuration: Configuration = Configuration()) throws {
        try self.init(path: path, applicationID: schema.applicationID, configuration: configuration)
        let record = try schemaRecord(supported: schema.version)
        if record.version < schema.version {
            throw DatabaseError.needsMigration(path: path, found: record.version, required: schema.version)
        }
        try record.check(schema, path: path)
    }

    /// Opens a database whose schema may be of any version: for the migrator, and to keep it.
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
        // Of the file, by whatever name it is reached.
        lock = WriteLock(databasePath: resolvedPath, isInterrupted: configuration.isInterrupted)
        // Readers, too, would use shared memory on a file in WAL mode.
        if isOnNetwork, !file.isUnchanging { try withWriteLock { _ in } }
    }

    deinit {
        // Move the log into the file, which is the part that people copy. Wait for other writers and readers only
        // briefly: a child process that is being started may hold copies of our descriptors.
        guard let writer = writer.withLock({ $0.take() }), writer.log.frames > 0, isInPlace else { return }
        guard missingCompanion == nil || isAlone else { return }
        guard let held = try? lock.acquire(timeout: 0.05) else { return }
        _ = try? writer.connection.checkpoint(.truncate)
        held.release()
    }

    /// Reads from one unchanging view of the database. Readers do not wait for the writer, nor for each other.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
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

    private func withReader<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
        try requireInPlace()
        guard let reader = try readers.withLock({ $0.popLast() }) ?? openReader() else {
            // For this time only: by the next somebody may have begun to write.
            return try body(open(.immutable))
        }
        defer { readers.withLock { if $0.count < configuration.idleReaders { $0.append(reader) } } }
        let result = try reader.connection.withLock { try body($0) }
        if configuration.idleReaders > 0 { rememberCompanions() }
        return result
    }

    /// - Returns: nil where the file is to be read as one that does not change.
    private func openReader() throws -> Reader? {
        guard !DatabaseFile(path: resolvedPath).isUnchanging else { return nil }
        do {
            return Reader(connection: try open(.readOnly))
        } catch is Connection.HotJournalError {
            // A killed writer left a journal. Opening the writer rolls it back.
            try withWriteLock { _ in }
            return Reader(connection: try open(.readOnly))
        }
    }

    private var isInPlace: Bool { DatabaseFile(path: resolvedPath).identity == identity }

    /// - Throws: `replaced` if the file, its log, or the index of its log is not at its path any more.
    private func requireInPlace() throws(DatabaseError) {
        guard isInPlace else { throw .replaced(path: path) }
        if let missing = missingCompanion { throw .replaced(path: missing) }
    }

    /// Remembers the log and its index. Call it only while a connection has them open: SQLite deletes both when the last
    /// connection closes.
    private func rememberCompanions() {
        companions.withLock { if $0 == nil { $0 = DatabaseFile(path: resolvedPath).companions } }
    }

    /// The path of the log, or of its index, if it was moved, replaced, or deleted. A kill loses what is in a deleted log.
    private var missingCompanion: String? {
        guard let companions = companions.withLock({ $0 }) else { return nil }
        return DatabaseFile(path: resolvedPath).missing(of: companions)
    }

    /// Whether no other process can have written a log or an index in place of those that are open here.
    private var isAlone: Bool {
        let file = DatabaseFile(path: resolvedPath)
        guard let known = companions.withLock({ $0 }), let present = file.companions else { return true }
        return (present.log == known.log || file.log.size == 0)
            && (present.index == known.index || present.index == nil)
    }

    /// Changes the database in one transaction: all of it when `body` returns, none of it when `body` throws.
    ///
    /// The write lock is held for the whole of it, so keep it short. It cannot be nested: a write inside a write would
    /// wait for itself; use `Transaction.savepoint(_:)`.
    ///
    /// Waiting blocks the thread. In a task, use the asynchronous `write`.
    ///
    /// - Parameters:
    ///   - timeout: for how many seconds to wait for another process; nil for the configuration's `busyTimeout`. With 0,
    ///     another thread of this one is not waited for either.
    ///   - body: what to do in the transaction.
    /// - Throws: `DatabaseError` (`busy` when another process does not finish in time, `replaced` when the file is not the one
    ///   that was opened any more), or what `body` throws.
    @discardableResult
    public func write<T: Sendable>(timeout: Double? = nil, _ body: (Transaction) throws -> T) throws -> T {
        try withWriteLock(timeout: timeout) { try transaction(on: $0, body) }
    }

    /// Changes the database in one transaction, as the write does that is not waited for with `await`; but what waits for
    /// others who write, in this process or another, holds none of the threads that tasks share.
    ///
    /// The transaction itself is done where the task runs.
    ///
    /// - Parameters:
    ///   - timeout: for how many seconds to wait in all; nil for the configuration's `busyTimeout`. With 0, nobody is
    ///     waited for.
    ///   - body: what to do in the transaction.
    /// - Throws: `DatabaseError` (`busy` when others do not finish in time, or too many wait already; `replaced` when the file
    ///   is not the one that was opened any more), or what `body` throws.
    @discardableResult
    public func write<T: Sendable>(timeout: Double? = nil, _ body: (Transaction) throws -> T) async throws -> T {
        let timeout = timeout ?? configuration.busyTimeout
        let end = ContinuousClock.now + .seconds(timeout)
        let most = timeout > 0 ? configuration.waitingWrites : 0
        guard let turn = await turns.take(waitingAtMost: most) else { throw DatabaseError.busy(path: path, seconds: 0) }
        let held: WriteLock.Held
        do throws(DatabaseError) {
            held = try await lock.acquireInTask(timeout: max(0, ContinuousClock.now.duration(to: end) / .seconds(1)))
        } catch {
            guard case .busy(let path, _) = error else { throw error }
            throw DatabaseError.busy(path: path, seconds: timeout)
        }
        let result = try use { try transaction(on: $0, body) }
        held.release()
        turn.end()
        return result
    }

    private func transaction<T>(on connection: Connection, _ body: (Transaction) throws -> T) throws -> T {
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

    /// Makes every statement that is running fail with `DatabaseError.interrupted`; their transactions are undone.
    /// May be called from any thread.
    public func interrupt() {
        for interrupter in interrupters.withLock({ $0 }) { interrupter.interrupt() }
    }

    /// Returns the findings of `PRAGMA integrity_check` and `PRAGMA foreign_key_check`, a sentence each.
    ///
    /// - Throws: `DatabaseError`.
    public func integrityProblems() throws -> [String] {
        try read { try $0.connection.damage() + $0.connection.orphans() }
    }

    /// The log, as of now; nil where there is none, as on a network file system and on read-only media.
    ///
    /// - Throws: `DatabaseError`.
    public func logState() throws -> LogState? {
        try withReader { connection in
            // Maps the index, too.
            let mode: String? = try connection.first("PRAGMA journal_mode", []) { try $0.value(0) }
            guard mode == "wal" else { return nil }
            return connection.logState().map { LogState($0, file: DatabaseFile(path: resolvedPath)) }
        }
    }

    /// The files beside the database that a killed process left, and that nobody needs. The next writer removes them.
    public var leftovers: [String] { DatabaseFile(path: resolvedPath).leftovers }

    /// Returns whether `bytes` more fit on the disk of the file: false if the disk or the quota is full.
    public func hasRoom(forBytes bytes: Int) -> Bool {
        platform_try_room(DatabaseFile(path: resolvedPath).folder, Int64(bytes)) == 0
    }

    /// Returns the record of the schema in the file.
    ///
    /// - Throws: `newerSchema` when it is above version `supported`, `unknownSchema`, or SQLite's own.
    func schemaRecord(supported: Int) throws -> SchemaRecord {
        try read { try SchemaRecord($0, path: path, supported: supported) }
    }

    /// Runs `body` on the writer's connection, outside a transaction, with the write lock held; afterwards moves the log
    /// into the database when it has grown long.
    func withWriteLock<T: Sendable>(timeout: Double? = nil, _ body: (Connection) throws -> T) throws -> T {
        let timeout = timeout ?? configuration.busyTimeout
        guard let turn = timeout > 0 ? turns.takeOnThread() : turns.takeNow() else {
            throw DatabaseError.busy(path: path, seconds: 0)
        }
        let held = try lock.acquire(timeout: timeout)
        let result = try use(body)
        held.release()
        turn.end()
        return result
    }

    /// Lends the connection that writes to who has the turn and the lock.
    private func use<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
        try writer.withLock { writer in
            // Do not write to a file that has lost its path: no other process would see it.
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
                // The transaction is in the log already: a checkpoint that fails is tried again after the next.
                _ = try? current.connection.checkpoint(.passive)
            }
            return result
        }
    }

    /// Moves a log that has lost its name, or its index, into the database file, so that no commit is lost with it.
    ///
    /// - Returns: whether all of the log is in the database file.
    private func saveLog(of writer: Writer) -> Bool {
        isAlone && (try? writer.connection.checkpoint(.passive)) == true
    }

    private var isOnNetwork: Bool { configuration.isOnNetwork ?? DatabaseFile(path: path).isOnNetwork }

    private func openWriter() throws -> sending Writer {
        leftovers.forEach { try? DatabaseFile(path: $0).remove() }
        let isNew = try DatabaseFile(path: path).content() == .empty
        let connection = try open(.readWrite)
        // Marked as ours before anything else is in it, so that a creation that is cut short can be taken up again.
        if isNew { try connection.execute("PRAGMA application_id=\(applicationID)") }
        let writer = try Writer(connection: connection, usesWAL: !isOnNetwork)
        rememberCompanions()
        return writer
    }

    private func open(_ access: Connection.Access) throws -> sending Connection {
        let connection = try Connection(
            path: resolvedPath, access: access,
            patience: BusyWait(timeout: configuration.busyTimeout, isInterrupted: configuration.isInterrupted),
            isDurable: configuration.isDurable)
        let interrupter = connection.interrupter
        interrupters.withLock { interrupters in
            interrupters.removeAll(where: \.isForgotten)
            interrupters.append(interrupter)
        }
        return connection
    }
}

/// A single statement sees a consistent view without a transaction, and costs less than
/// ``Database/read(_:)``.
extension Database: Queryable {
    /// Runs one statement and hands each row to `body`, in order.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withReader { try $0.forEach(sql, values, body) }
    }

    /// Runs one statement as far as its first row and hands that to `body`; not at all when there is none.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    public func forFirst(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withReader { _ = try $0.first(sql, values, body) }
    }
}

/// A connection that reads, used by one thread at a time.
private final class Reader: Sendable {
    let connection: Mutex<Connection>

    init(connection: sending Connection) {
        self.connection = Mutex(connection)
    }
}

/// The connection that writes, and the length of the log after its last commit.
private final class Writer {
    let connection: Connection
    let log = LogSize()

    /// Only under the write lock: the journal mode is a property of the file.
    init(connection: Connection, usesWAL: Bool) throws {
        self.connection = connection
        try connection.execute("PRAGMA journal_mode=\(usesWAL ? "WAL" : "DELETE")")
        connection.onCommit(log)
    }
}

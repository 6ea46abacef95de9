internal import CSQLite
internal import CSearch

/// A connection to a database file. Only one thread may use it at a time: its owner keeps it in a `Mutex`.
final class Connection {
    enum Access {
        case readWrite
        /// The file is only read. In WAL mode, SQLite still creates the index of the log, and an empty log.
        case readOnly
        /// Nothing is changed, created, or locked. Use it only for a file that nobody changes.
        case immutable
    }

    let path: String
    let interrupter: Interrupter
    let handle: OpaquePointer
    /// The maximum size of the page cache: 64 MiB, in SQLite's notation. With the default of 2 MB, a count would read
    /// the file again each time, and a transaction of a thousand rows would write index pages twice.
    private static let cacheSize = -65536
    /// The time at which running statements end (``Snapshot/withDeadline(_:_:)``).
    var deadline: ContinuousClock.Instant?
    private let busyWait: BusyWait
    private var cache: StatementCache
    private var isDurable: Bool
    private var isOverwriting = true
    /// The setting of the SQLite library: 1 on Debian, and 0 by default.
    private var secureDelete = 0

    /// Opens an existing file.
    ///
    /// - Throws: `DatabaseError`; `HotJournalError` if the connection only reads.
    init(
        path: String, access: Access, busyWait: BusyWait, isDurable: Bool = true, statementCacheCapacity: Int = 64
    ) throws {
        var opened: OpaquePointer?
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = access == .immutable ? Self.immutableURI(path) : path
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = opened else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError.from(code, on: opened, path: path)
        }
        self.path = path
        self.handle = handle
        self.busyWait = busyWait
        self.isDurable = isDurable
        interrupter = Interrupter(handle)
        cache = StatementCache(capacity: statementCacheCapacity)

        // SQLite opens a file for reading if it cannot write it.
        guard access != .readWrite || sqlite3_db_readonly(handle, "main") == 0 else {
            throw DatabaseError.readOnly(path: path)
        }
        busyWait.install(on: handle)
        for (option, on): (Int32, Int32) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            // A checkpoint at close would run without the write lock.
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ] {
            guard csqlite_db_config(handle, option, on) == SQLITE_OK else {
                throw DatabaseError.from(SQLITE_MISUSE, on: nil, path: path)
            }
        }
        // Without its tokenizer, a table cannot be read, written, or dropped.
        guard csearch_register(handle) == SQLITE_OK else {
            throw DatabaseError.from(sqlite3_errcode(handle), on: handle, path: path)
        }
        sqlite3_wal_autocheckpoint(handle, 0)
        if access == .readOnly, needsRecovery { throw HotJournalError() }
        switch access {
        case .readOnly, .immutable: try execute("PRAGMA query_only=ON; PRAGMA cache_size=\(Self.cacheSize)")
        case .readWrite:
            try execute("PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL"); PRAGMA cache_size=\(Self.cacheSize)")
        }
    }

    deinit {
        interrupter.forget()
        cache = StatementCache(capacity: 0)
        sqlite3_close_v2(handle)
    }

    /// Returns the URI with which SQLite treats the file as immutable. Source: <https://www.sqlite.org/uri.html>.
    private static func immutableURI(_ path: String) -> String {
        let escaped = path.utf8.map { byte -> String in
            let isPlain =
                UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }

    /// A journal must be rolled back before reading, which requires a connection that writes.
    struct HotJournalError: Error {}

    private var needsRecovery: Bool {
        let code = sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
        // SQLITE_READONLY_ROLLBACK, which Swift does not import because it is a macro with arithmetic.
        return code == SQLITE_READONLY | (3 << 8)
    }

    /// Returns the size of the log, and the part of it that readers still need.
    func logState() -> csqlite_log? {
        var log = csqlite_log()
        return csqlite_log_state(handle, &log) == SQLITE_OK ? log : nil
    }

    /// Sets whether the next transaction is on the disk when it is committed. Call it outside of a transaction.
    func setDurable(_ isDurable: Bool) throws(DatabaseError) {
        guard isDurable != self.isDurable else { return }
        try execute("PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL")")
        self.isDurable = isDurable
    }

    /// Sets whether SQLite may overwrite the pages that the next transaction frees, if it was built to do that. Otherwise
    /// it only overwrites content in pages that it writes anyway. Call it outside of a transaction.
    func setOverwriting(_ isOverwriting: Bool) throws {
        guard isOverwriting != self.isOverwriting else { return }
        if isOverwriting {
            try execute("PRAGMA secure_delete=\(secureDelete)")
        } else {
            secureDelete = try first("PRAGMA secure_delete", []) { try $0.value(0) } ?? 0
            if secureDelete == 1 { try execute("PRAGMA secure_delete=FAST") }
        }
        self.isOverwriting = isOverwriting
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that were inserted, updated or deleted since the connection was opened.
    var changeCount: Int64 { sqlite3_total_changes64(handle) }

    var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs statements that return no rows, one after the other.
    func execute(_ script: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: script) }
    }

    /// Runs one statement to its end and returns the number of changed rows.
    func run(_ sql: String, _ values: [Value]) throws -> Int {
        try forEach(sql, values) { _ in }
        return Int(sqlite3_changes64(handle))
    }

    /// Runs one statement and calls `body` for each row.
    func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withStatement(sql, values) { statement in
            while try step(statement, sql) { try body(Row(statement)) }
        }
    }

    /// Runs one statement up to its first row.
    func first<T>(_ sql: String, _ values: [Value], _ body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, values) { statement in
            try step(statement, sql) ? body(Row(statement)) : nil
        }
    }

    /// The extent of a checkpoint.
    enum Checkpoint {
        /// Moves as many frames as possible without waiting for readers.
        case passive
        /// The whole log, which becomes an empty file.
        case truncate
    }

    /// Moves the frames of the log into the database file. Call it only while holding the write lock.
    ///
    /// - Returns: whether all frames are in the database file.
    /// - Throws: `DatabaseError`.
    func checkpoint(_ kind: Checkpoint) throws(DatabaseError) -> Bool {
        let timeout = busyWait.timeout
        // Do not wait for readers, as truncating otherwise would.
        busyWait.timeout = 0
        let mode = kind == .truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        var (frames, moved) = (Int32(-1), Int32(-1))
        let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &moved)
        busyWait.timeout = timeout
        // Busy means that a reader still needs frames of the log. The next checkpoint moves them.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw failure(code, sql: nil) }
        return code == SQLITE_OK && frames == moved
    }

    /// After each commit of this connection, stores the number of frames in `log`, which must outlive the connection's
    /// commits.
    func onCommit(_ log: LogSize) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, frames in
                guard let context else { return SQLITE_OK }
                Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().grow(to: Int(frames))
                return SQLITE_OK
            }, Unmanaged.passUnretained(log).toOpaque())
    }

    enum TransactionKind: String {
        case deferred = "BEGIN"
        /// Use it for writes: a deferred transaction that reads first and then writes fails immediately if another one
        /// wrote in between.
        case immediate = "BEGIN IMMEDIATE"
    }

    func begin(_ kind: TransactionKind) throws {
        _ = try run(kind.rawValue, [])
    }

    func commit() throws {
        _ = try run("COMMIT", [])
    }

    /// Rolls back the open transaction. After a full disk or an I/O error, SQLite may have done so already.
    func rollBack() {
        if isInTransaction { _ = try? run("ROLLBACK", []) }
    }

    private func step(_ statement: OpaquePointer, _ sql: String) throws(DatabaseError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code, sql: sql)
        }
    }

    private func withStatement<T>(_ sql: String, _ values: [Value], _ body: (OpaquePointer) throws -> T) throws -> T {
        let statement = try cache.remove(sql) ?? prepare(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
            cache.put(statement, for: sql)
        }
        let expected = Int(sqlite3_bind_parameter_count(statement))
        guard expected == values.count else {
            throw DatabaseError.sqlite(
                SQLiteFailure(
                    extendedCode: SQLITE_RANGE, message: "\(expected) values expected, \(values.count) given", sql: sql)
            )
        }
        return try bind(values, from: 0, to: statement, sql) { try body(statement) }
    }

    /// Binds values while their bytes stay in place, so that they are not copied.
    private func bind<T>(
        _ values: [Value], from index: Int, to statement: OpaquePointer, _ sql: String, _ body: () throws -> T
    ) throws -> T {
        var index = index
        while index < values.count {
            let position = Int32(index + 1)
            let code: Int32
            switch values[index] {
            case .null: code = sqlite3_bind_null(statement, position)
            case .integer(let value): code = sqlite3_bind_int64(statement, position, value)
            case .real(let value): code = sqlite3_bind_double(statement, position, value)
            case .text(var text):
                return try text.withUTF8 { bytes in
                    let code = csqlite_bind_text_nocopy(statement, position, bytes.baseAddress, UInt64(bytes.count))
                    guard code == SQLITE_OK else { throw failure(code, sql: sql) }
                    return try bind(values, from: index + 1, to: statement, sql, body)
                }
            case .blob(let blob):
                return try blob.withUnsafeBytes { bytes in
                    let code = csqlite_bind_blob_nocopy(statement, position, bytes.baseAddress, UInt64(bytes.count))
                    guard code == SQLITE_OK else { throw failure(code, sql: sql) }
                    return try bind(values, from: index + 1, to: statement, sql, body)
                }
            }
            guard code == SQLITE_OK else { throw failure(code, sql: sql) }
            index += 1
        }
        return try body()
    }

    private func prepare(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        var statement: OpaquePointer?
        var text = sql
        let (code, hasMore) = text.withUTF8 { bytes -> (Int32, Bool) in
            var tail: UnsafePointer<CChar>?
            return bytes.withMemoryRebound(to: CChar.self) { start in
                let code = sqlite3_prepare_v3(
                    handle, start.baseAddress, Int32(clamping: start.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &statement, &tail)
                let rest = tail.flatMap { tail in start.baseAddress.map { start.count - (tail - $0) } } ?? 0
                return (code, rest > 0)
            }
        }
        guard code == SQLITE_OK else { throw failure(code, sql: sql) }
        guard let statement, !hasMore else {
            sqlite3_finalize(statement)
            throw .sqlite(
                SQLiteFailure(extendedCode: SQLITE_MISUSE, message: "exactly one statement expected", sql: sql))
        }
        return statement
    }

    private func failure(_ code: Int32, sql: String?) -> DatabaseError {
        guard code & 0xFF == SQLITE_BUSY else { return .from(code, on: handle, path: path, sql: sql) }
        return busyWait.wasInterrupted ? .interrupted : .busy(path: path, seconds: busyWait.timeout)
    }
}

/// The number of frames in the write-ahead log, which SQLite reports at each commit.
final class LogSize {
    private(set) var frames = 0
    /// The number of frames that the last transaction wrote.
    private(set) var lastFrames = 0

    func grow(to frames: Int) {
        // After a complete checkpoint, the log is written from its beginning again.
        lastFrames = frames > self.frames ? frames - self.frames : frames
        self.frames = frames
    }
}

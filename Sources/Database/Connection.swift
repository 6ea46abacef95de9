internal import CSQLite
internal import CSearch

/// A connection to a database file, used by one thread at a time: its owner keeps it in a `Mutex`.
final class Connection {
    enum Access {
        case readWrite
        /// The file is not changed. SQLite makes the index of a log, and an empty log, to read in WAL mode.
        case readOnly
        /// Nothing is changed, made or locked: for a file that nobody changes.
        case immutable
    }

    let path: String
    let interrupter: Interrupter
    let handle: OpaquePointer
    /// Of pages, at most 64 MiB, in the words of SQLite. In its own 2 MB a count would read the file again each time, and a
    /// transaction of a thousand rows write the pages of its indexes twice.
    private static let cacheSize = -65536
    private let patience: BusyWait
    private var cache: StatementCache
    /// The names of the conditions that were defined.
    private var predicates: Set<String> = []

    /// Opens a file that exists.
    ///
    /// - Throws: `DatabaseError`; `HotJournalError` from one that only reads.
    init(
        path: String, access: Access, patience: BusyWait, isDurable: Bool = true, statementCacheCapacity: Int = 64
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
        self.patience = patience
        interrupter = Interrupter(handle)
        cache = StatementCache(capacity: statementCacheCapacity)

        // SQLite falls back to reading when it may not write.
        guard access != .readWrite || sqlite3_db_readonly(handle, "main") == 0 else {
            throw DatabaseError.readOnly(path: path)
        }
        patience.install(on: handle)
        for (option, on): (Int32, Int32) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            // A checkpoint at close would run outside the write lock.
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ] {
            guard csqlite_db_config(handle, option, on) == SQLITE_OK else {
                throw DatabaseError.from(SQLITE_MISUSE, on: nil, path: path)
            }
        }
        // A table whose tokenizer is not known can neither be read nor written, nor dropped.
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

    /// What SQLite takes for a file that never changes. Source: <https://www.sqlite.org/uri.html>.
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

    /// A journal must be rolled back before anything can be read, which only a connection that writes can do.
    struct HotJournalError: Error {}

    private var needsRecovery: Bool {
        let code = sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
        // SQLITE_READONLY_ROLLBACK, a macro with arithmetic in it.
        return code == SQLITE_READONLY | (3 << 8)
    }

    /// How far the log has come, and how much of it readers still need.
    func logState() -> csqlite_log? {
        var log = csqlite_log()
        return csqlite_log_state(handle, &log) == SQLITE_OK ? log : nil
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs statements that return no rows, one after another.
    func execute(_ script: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: script) }
    }

    /// Runs one statement to its end and returns how many rows it changed.
    func run(_ sql: String, _ values: [Value]) throws -> Int {
        try forEach(sql, values) { _ in }
        return Int(sqlite3_changes64(handle))
    }

    /// Runs one statement and hands each of its rows to `body`.
    func forEach(_ sql: String, _ values: [Value], _ body: (Row) throws -> Void) throws {
        try withStatement(sql, values) { statement in
            while try step(statement, sql) { try body(Row(statement)) }
        }
    }

    /// Runs one statement as far as its first row.
    func first<T>(_ sql: String, _ values: [Value], _ body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, values) { statement in
            try step(statement, sql) ? body(Row(statement)) : nil
        }
    }

    /// Makes a condition known to statements, unless one of its name is.
    func define(_ predicate: Predicate) throws(DatabaseError) {
        guard !predicates.contains(predicate.name) else { return }
        let code = predicate.define(on: handle)
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
        predicates.insert(predicate.name)
    }

    /// How far a checkpoint goes.
    enum Checkpoint {
        /// As far as it can without waiting for a reader.
        case passive
        /// To the end, and the log becomes an empty file.
        case truncate
    }

    /// Moves the frames of the log into the database file. Call it only under the write lock.
    ///
    /// - Returns: whether all frames are in the database file.
    /// - Throws: `DatabaseError`.
    func checkpoint(_ kind: Checkpoint) throws(DatabaseError) -> Bool {
        let timeout = patience.timeout
        // Truncating would wait for readers.
        patience.timeout = 0
        let mode = kind == .truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        var (frames, moved) = (Int32(-1), Int32(-1))
        let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &moved)
        patience.timeout = timeout
        // Busy: a reader still needs frames of the log; the next checkpoint moves them.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw failure(code, sql: nil) }
        return code == SQLITE_OK && frames == moved
    }

    /// Tells `log` after each commit of this connection how many frames the log holds. `log` must outlive the commits.
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
        /// A deferred transaction that reads first and writes later fails at once when another wrote in between.
        case immediate = "BEGIN IMMEDIATE"
    }

    func begin(_ kind: TransactionKind) throws {
        _ = try run(kind.rawValue, [])
    }

    func commit() throws {
        _ = try run("COMMIT", [])
    }

    /// Undoes the open transaction. After a full disk or an I/O error SQLite may have done so already.
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
        let statement = try cache.take(sql) ?? prepare(sql)
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

    /// Binds each value inside the scope in which its bytes stay in place, so that none is copied.
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
        return patience.wasInterrupted ? .interrupted : .busy(path: path, seconds: patience.timeout)
    }
}

/// The number of frames in the write-ahead log, as SQLite tells it at each commit.
final class LogSize {
    private(set) var frames = 0
    /// How many of them the last transaction wrote.
    private(set) var lastFrames = 0

    func grow(to frames: Int) {
        // After a complete checkpoint, the log starts from its beginning.
        lastFrames = frames > self.frames ? frames - self.frames : frames
        self.frames = frames
    }
}

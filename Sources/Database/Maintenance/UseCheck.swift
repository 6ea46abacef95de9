internal import CSQLite
internal import Platform

/// Checks the present use of a database: the log, the locks of other processes, and the version of the SQLite library.
public struct UseCheck: Check {
    private let database: Database

    /// Creates a check of an open database.
    public init(database: Database) { self.database = database }

    /// The size of the log in bytes above which it is a finding: much larger than at a checkpoint, and larger than a
    /// large import needs.
    static let longestLog = 64 << 20

    /// Returns the findings. See `Check` for the errors.
    public func findings() throws -> [Finding] {
        try libraryFindings + lockFindings + logFindings()
    }

    /// Repairs the findings that can be repaired.
    public func repair() throws {
        if DatabaseFile(path: path).log.size > Self.longestLog {
            _ = try database.withWriteLock { try $0.checkpoint(.truncate) }
        }
    }

    private var path: String { DatabaseFile(path: database.path).resolvedPath }

    private var libraryFindings: [Finding] {
        // Source: <https://www.sqlite.org/wal.html>, section 11.
        guard sqlite3_libversion_number() < 3_051_003 else { return [] }
        return [
            Finding(
                .sqlite, on: "SQLite",
                "SQLite \(Database.sqliteVersion) can damage a database if several processes write at "
                    + "once; this program prevents that with a lock",
                advice: "other programs must hold an exclusive flock on \(path)-lock while they write", isFault: false)
        ]
    }

    private var lockFindings: [Finding] {
        let writers = Set(FileLock.held(on: path + "-lock").filter { $0.bytes == nil }.map(\.processID))
        // In the database file, these bytes are locked by a process that writes without a log; in the index of the log,
        // this byte by one that writes the log. Source: <https://www.sqlite.org/walformat.html>, section 2.3.
        let inFile = FileLock.held(on: path).filter { $0.isExclusive && $0.touches(0x4000_0000...0x4000_01FF) }
        let inLog = FileLock.held(on: path + "-shm").filter { $0.isExclusive && $0.touches(120...120) }
        let foreign = Set((inFile + inLog).map(\.processID)).subtracting(writers).subtracting([getpid()])
        return foreign.sorted().map { number in
            let user = FileUser(processID: number)
            return Finding(
                .lock, on: user.description,
                "\(user) is writing to the database without the lock for writers",
                advice: "end it, or let it hold an exclusive flock on \(path)-lock while it writes")
        }
    }

    private func logFindings() throws -> [Finding] {
        guard let log = try database.logState(), log.size > Self.longestLog else { return [] }
        // A reader with the newest view does not prevent the log from being reset.
        let readers = log.readers.filter { $0.framesBehind > 0 }.map { FileUser(processID: $0.processID).description }
        return [
            Finding(
                .log, on: path + "-wal",
                "the log is \(log.size >> 20) MiB large"
                    + (readers.isEmpty
                        ? ""
                        : " and cannot be reset while these processes read it: \(readers.joined(separator: ", "))"),
                advice: readers.isEmpty
                    ? "it can be copied into the database" : "end processes that have been reading for a long time",
                isRepairable: readers.isEmpty)
        ]
    }
}

extension FileLock {
    /// Whether it locks one of these bytes.
    fileprivate func touches(_ range: ClosedRange<Int>) -> Bool { bytes?.overlaps(range) ?? false }
}

extension Finding.Kind {
    /// A known problem of the SQLite library.
    public static let sqlite = Finding.Kind("sqlite")
}

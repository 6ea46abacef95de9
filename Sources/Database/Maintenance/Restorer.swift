internal import CPlatform
public import Text
internal import Platform

/// Replaces a database with a backup.
///
/// The backup is copied next to the database, checked, and prepared, and then replaces it in one atomic step. If the
/// process is killed at any time, either the old or the restored database is in place. The replaced database is kept:
/// as a single file if it is intact, otherwise byte for byte with its log.
public struct Restorer: Sendable {
    /// The result of a restoration.
    public struct Outcome: Sendable {
        /// The schema version of the restored database. If it is lower than the program's, the database must be
        /// migrated.
        public let version: Int
        /// The path of the replaced database, or of its log if only that existed; nil if there was neither.
        public let keptPath: String?
        /// The row count of each table of the backup, by name.
        public let rows: [String: Int]
    }

    /// The backup and the database that it would replace.
    public struct Plan: Hashable, Sendable {
        /// The schema version of the backup.
        public let version: Int
        /// The row count of each table of the backup, by name.
        public let rows: [String: Int]
        /// Whether the backup replaces a database or a log.
        public let replaces: Bool
        /// The row count of each table of the replaced database, by name; empty if it cannot be read.
        public let replacedRows: [String: Int]
    }

    private let path: String
    private let schema: Schema
    private let configuration: Database.Configuration
    private let clock: @Sendable () -> Date

    /// Creates a restorer of the database at `path`, which may be damaged or missing.
    public init(
        path: String, schema: Schema, configuration: Database.Configuration = Database.Configuration(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.schema = schema
        self.configuration = configuration
        self.clock = clock
    }

    /// Replaces the database with the one at `backup`, and keeps the replaced one beside it. If an error occurs,
    /// nothing is changed.
    ///
    /// - Parameters:
    ///   - backup: a database of this program with the same or an earlier schema version. It is not changed.
    ///   - progress: called repeatedly with the progress of the copy. If it throws, the restoration ends.
    ///   - prepare: changes the copy before it becomes visible. It can read the replaced database, as far as it is
    ///     readable; nil if that is not a database of this program.
    /// - Throws: `DatabaseError`: the errors of `Database.init` for the backup, `foreign` also for the replaced
    ///   database, `unsound` if the backup is damaged, `inUse` if a process has the database open, `busy` if a process
    ///   writes it for too long; or the errors of `progress` and `prepare`.
    public func restore(
        from backup: String, progress: (Backup.Progress) throws -> Void = { _ in },
        prepare: (Transaction, Snapshot?) throws -> Void
    ) throws -> Outcome {
        let (source, target) = try checkedFiles(backup)
        try requireUnused(target)
        let keptPath = newKeptPath(target)
        let file = try PartialFile(of: keptPath)
        let (version, rows) = try copy(source, named: backup, to: file, progress: progress)

        let lock = try WriteLock(databasePath: target.path, isInterrupted: configuration.isInterrupted).acquire(
            timeout: configuration.busyTimeout)
        try requireUnused(target)
        try change(file, replacing: target, prepare)
        let kept = try replace(target, by: file, keeping: keptPath)
        lock.release()
        return Outcome(version: version, keptPath: kept, rows: rows)
    }

    /// Returns the effect that a restoration of `backup` would have. Nothing is changed.
    ///
    /// - Parameters:
    ///   - backup: the path of the backup.
    ///   - isChecked: whether to check every page and reference of the backup, which reads the whole file. The check is
    ///     also possible while a process has the database open.
    /// - Throws: `DatabaseError`, like `restore` for these files.
    public func plan(from backup: String, isChecked: Bool) throws -> Plan {
        let (source, target) = try checkedFiles(backup)
        if !isChecked { try requireUnused(target) }
        let (connection, version) = try open(source, named: backup)
        if isChecked {
            let problems = try connection.damage() + connection.orphans()
            guard problems.isEmpty else { throw DatabaseError.unsound(path: backup, problems: problems) }
        }
        let rows = try connection.rowCounts()
        let replaced = isOurs(target) ? try? Connection(path: target.path, access: .readOnly, busyWait: busyWait) : nil
        return Plan(
            version: version, rows: rows,
            replaces: target.isTaken || Self.logs.contains { DatabaseFile(path: target.path + $0).size > 0 },
            replacedRows: (try? replaced?.rowCounts()) ?? [:])
    }

    /// The infix in the names of replaced databases, after the name of the database.
    static let keptMark = ".before-restore-"

    private var busyWait: BusyWait {
        BusyWait(timeout: configuration.busyTimeout, isInterrupted: configuration.isInterrupted)
    }

    private func newKeptPath(_ target: DatabaseFile) -> String {
        let stamp = target.path + Self.keptMark + clock().fileStamp
        var (candidate, number) = (stamp, 1)
        // The kept file may be a log without a database.
        while ([""] + Self.logs).contains(where: { DatabaseFile(path: candidate + $0).isTaken }) {
            number += 1
            candidate = "\(stamp)-\(number)"
        }
        return candidate
    }

    /// Returns the files of the backup and the database, if the restoration may continue.
    private func checkedFiles(_ backup: String) throws -> (source: DatabaseFile, target: DatabaseFile) {
        let target = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
        let source = DatabaseFile(path: DatabaseFile(path: backup).resolvedPath)
        try requireOurs(source, named: backup)
        // Refuse to replace another program's database. An unreadable file is damaged, and is set aside below.
        if case .database(let other) = try? target.content(), other != schema.applicationID {
            throw DatabaseError.foreign(path: path, applicationID: other)
        }
        guard source.path != target.path else {
            throw DatabaseError.cannotOpen(path: backup, reason: "it is the database to replace")
        }
        return (source, target)
    }

    private func isOurs(_ file: DatabaseFile) -> Bool {
        (try? file.content()) == .database(applicationID: schema.applicationID)
    }

    private func requireOurs(_ source: DatabaseFile, named name: String) throws {
        let content: DatabaseFile.Content
        do throws(DatabaseError) {
            content = try source.content()
        } catch .notAFile {
            // Report the path that the user gave, which may be a symbolic link.
            throw DatabaseError.notAFile(path: name)
        } catch .cannotOpen(_, let reason) {
            throw DatabaseError.cannotOpen(path: name, reason: reason)
        }
        switch content {
        case .missing: throw DatabaseError.missing(path: name)
        case .empty: throw DatabaseError.notADatabase(path: name)
        case .database(schema.applicationID): break
        case .database(let other): throw DatabaseError.foreign(path: name, applicationID: other)
        }
    }

    private func requireUnused(_ target: DatabaseFile) throws {
        let users = FileUser.all(of: ["", "-wal", "-shm"].map { target.path + $0 })
        guard users.isEmpty else { throw DatabaseError.inUse(path: path, by: users) }
    }

    /// Opens a backup for reading.
    private func open(_ source: DatabaseFile, named name: String) throws -> (Connection, version: Int) {
        // Without a log, nobody writes the backup, and it can be read without creating files.
        let isWhole = DatabaseFile(path: source.path + "-wal").size == 0
        let connection: Connection
        do {
            connection = try Connection(
                path: source.path, access: isWhole ? .immutable : .readOnly, busyWait: busyWait)
        } catch is Connection.HotJournalError {
            throw DatabaseError.cannotOpen(path: name, reason: "a write to it was interrupted")
        }
        try connection.begin(.deferred)
        let record = try SchemaRecord(Snapshot(connection: connection), path: name, supported: schema.version)
        try record.check(schema, path: name)
        return (connection, record.version)
    }

    /// - Returns: the schema version, and the row count of each table.
    private func copy(
        _ source: DatabaseFile, named name: String, to file: PartialFile, progress: (Backup.Progress) throws -> Void
    ) throws -> (version: Int, rows: [String: Int]) {
        let (connection, version) = try open(source, named: name)
        let rows = try connection.rowCounts()
        try connection.copy(to: file, progress: progress)
        try connection.commit()
        try file.check(against: rows, of: name)
        return (version, rows)
    }

    private func change(
        _ file: PartialFile, replacing target: DatabaseFile, _ prepare: (Transaction, Snapshot?) throws -> Void
    ) throws {
        let replaced = isOurs(target) ? try? Connection(path: target.path, access: .readOnly, busyWait: busyWait) : nil
        let connection = try Connection(alone: file.path, access: .readWrite)
        try connection.begin(.immediate)
        do {
            try prepare(Transaction(connection: connection), replaced.map(Snapshot.init))
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    // MARK: Changing places

    /// - Returns: the path of the replaced database; nil if there was none.
    private func replace(_ target: DatabaseFile, by file: PartialFile, keeping keptPath: String) throws -> String? {
        // Prevent other processes from opening the database until it was replaced.
        let held = try lockInOneFile(target)
        defer { withExtendedLifetime(held) {} }
        let logs = Self.logs.filter { DatabaseFile(path: target.path + $0).size > 0 }
        guard logs.isEmpty else { return try replace(target, with: logs, by: file, keeping: keptPath) }
        // Rename the new database to the path for the old one, and then exchange the two. So a complete database exists
        // at every moment.
        try file.finish()
        let isKept = target.isTaken
        guard (isKept ? platform_exchange(keptPath, target.path) : platform_rename_new(keptPath, target.path)) == 0
        else {
            let reason = SystemError.current.description
            try? DatabaseFile(path: keptPath).remove()
            throw DatabaseError.cannotOpen(path: target.path, reason: reason)
        }
        try target.synchronize()
        // Remove an empty log and its index.
        try removeLogs(of: target)
        return isKept ? keptPath : nil
    }

    /// Replaces a database whose log cannot be merged. Next to another database, SQLite would apply the log to that
    /// one. So both files are first kept under second names, before the log is deleted.
    private func replace(
        _ target: DatabaseFile, with logs: [String], by file: PartialFile, keeping keptPath: String
    ) throws -> String {
        let kept = (target.isTaken ? [""] : []) + logs
        for ending in kept {
            guard link(target.path + ending, keptPath + ending) == 0 else {
                throw DatabaseError.cannotOpen(path: keptPath + ending, reason: SystemError.current.description)
            }
        }
        // Flush the file and the folder to the disk.
        try DatabaseFile(path: keptPath + (kept.last ?? "")).synchronize()
        try removeLogs(of: target)
        try file.finish(replacing: target.path)
        return keptPath + (kept.first ?? "")
    }

    private func removeLogs(of target: DatabaseFile) throws {
        for ending in Self.logs + ["-shm"] { try DatabaseFile(path: target.path + ending).remove() }
    }

    /// The suffixes of the files that contain a part of the database.
    private static let logs = ["-wal", "-journal"]

    /// Moves the contents of the log into the database file, and prevents other processes from opening it.
    ///
    /// - Returns: the connection that holds it; nil if the database is damaged, so that it is left byte for byte.
    private func lockInOneFile(_ target: DatabaseFile) throws -> Connection? {
        do {
            guard try target.content() == .database(applicationID: schema.applicationID) else { return nil }
            let connection = try Connection(path: target.path, access: .readWrite, busyWait: busyWait)
            guard try connection.damage().isEmpty else { return nil }
            // It fails if another process has the file open, even for reading.
            try connection.execute("PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE")
            return connection
        } catch let error as DatabaseError {
            switch error {
            case .busy:
                try requireUnused(target)
                throw error
            case .interrupted: throw error
            default: return nil
            }
        }
    }
}

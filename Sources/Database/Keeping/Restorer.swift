internal import CPlatform
public import Essentials
internal import Platform

/// Puts a backup in the place of a database.
///
/// The backup is copied, checked and made ready beside the database, and then takes its place in one step. Killed at any
/// point, this leaves either the old or the restored database. The replaced database is kept: in one file if it
/// is sound, otherwise byte for byte, with its log.
public struct Restorer: Sendable {
    /// The result of a restoration.
    public struct Outcome<Preparation: Sendable>: Sendable {
        /// The version of the schema that came back; lower than that of the program when it has to be migrated.
        public let version: Int
        /// The path of the replaced database, or of its log if only that was left; nil if there was neither.
        public let keptPath: String?
        /// How many rows each table of the backup has, by its name.
        public let rows: [String: Int]
        /// The result of the preparation.
        public let preparation: Preparation
    }

    /// The backup and the library that it would replace.
    public struct Plan: Hashable, Sendable {
        /// The schema version of the backup.
        public let version: Int
        /// The row count of each table of the backup, by name.
        public let rows: [String: Int]
        /// Whether the backup takes the place of a database, or of the log of one.
        public let replaces: Bool
        /// The row count of each table of the database that is replaced; empty if it cannot be read.
        public let replacedRows: [String: Int]
    }

    private let path: String
    private let schema: Schema
    private let configuration: Database.Configuration
    private let clock: @Sendable () -> Date

    /// A restorer of the database at `path`, which may be damaged or missing.
    public init(
        path: String, schema: Schema, configuration: Database.Configuration = Database.Configuration(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.schema = schema
        self.configuration = configuration
        self.clock = clock
    }

    /// Puts the database at `backup` in the place of this one, which is kept beside it. Nothing is changed when it fails.
    ///
    /// - Parameters:
    ///   - backup: a database of this program, of this version of the schema or an earlier one. It is left as it is.
    ///   - progress: told again and again how far the copy is; what it throws ends the restoration.
    ///   - prepare: changes the copy before it becomes visible. It can read the replaced database, as far as that can be
    ///     read; nil if it is not one of this program.
    /// - Throws: `DatabaseError`: what `Database.init` throws of a backup that is not ours or is newer, `foreign` also for the
    ///   database that is to be replaced, `unsound` when the backup is damaged, `inUse` when a process has the database open,
    ///   `busy` when one is writing it for too long; or what `progress` and `prepare` throw.
    public func restore<T: Sendable>(
        from backup: String, progress: (Backup.Progress) throws -> Void = { _ in },
        prepare: (Transaction, Snapshot?) throws -> T
    ) throws -> Outcome<T> {
        let (source, target) = try checkedFiles(backup)
        let keptPath = newKeptPath(target)
        let file = try PartialFile(of: keptPath)
        let (version, rows) = try copy(source, named: backup, to: file, progress: progress)

        let lock = try WriteLock(databasePath: target.path, isInterrupted: configuration.isInterrupted).acquire(
            timeout: configuration.busyTimeout)
        try requireUnused(target)
        let preparation = try prepared(file, replacing: target, prepare)
        let kept = try replace(target, by: file, keeping: keptPath)
        lock.release()
        return Outcome(version: version, keptPath: kept, rows: rows, preparation: preparation)
    }

    /// Returns what a restoration of `backup` would do. Nothing is changed.
    ///
    /// - Parameters:
    ///   - backup: the path of the backup.
    ///   - isChecked: whether to check every page and reference of the backup, which reads all of it.
    /// - Throws: `DatabaseError`, as `restore` does for these files.
    public func plan(from backup: String, isChecked: Bool) throws -> Plan {
        let (source, target) = try checkedFiles(backup)
        let (connection, version) = try open(source, named: backup)
        if isChecked {
            let problems = try connection.damage() + connection.orphans()
            guard problems.isEmpty else { throw DatabaseError.unsound(path: backup, problems: problems) }
        }
        let rows = try connection.rowCounts()
        let replaced = isOurs(target) ? try? Connection(path: target.path, access: .readOnly, patience: patience) : nil
        return Plan(
            version: version, rows: rows,
            replaces: target.isTaken || Self.logs.contains { DatabaseFile(path: target.path + $0).size > 0 },
            replacedRows: (try? replaced?.rowCounts()) ?? [:])
    }

    /// The infix in the names of replaced databases, after the name of the database.
    static let keptMark = ".before-restore-"

    private var patience: BusyWait {
        BusyWait(timeout: configuration.busyTimeout, isInterrupted: configuration.isInterrupted)
    }

    private func newKeptPath(_ target: DatabaseFile) -> String {
        let stamp = target.path + Self.keptMark + clock().fileStamp
        var (candidate, number) = (stamp, 1)
        // The kept file may be a log alone.
        while ([""] + Self.logs).contains(where: { DatabaseFile(path: candidate + $0).isTaken }) {
            number += 1
            candidate = "\(stamp)-\(number)"
        }
        return candidate
    }

    /// Returns the backup and the library if the restoration may continue.
    private func checkedFiles(_ backup: String) throws -> (source: DatabaseFile, target: DatabaseFile) {
        let target = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
        let source = DatabaseFile(path: DatabaseFile(path: backup).resolvedPath)
        try requireOurs(source, named: backup)
        // Refuse to replace another program's database. An unreadable file is damaged, and is set aside below.
        if case .database(let other) = try? target.content(), other != schema.applicationID {
            throw DatabaseError.foreign(path: path, applicationID: other)
        }
        guard source.path != target.path else {
            throw DatabaseError.cannotOpen(path: backup, reason: "it is the database that is to be replaced")
        }
        try requireUnused(target)
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
            // The name that the user gave, which a link may lead away from.
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

    /// Begins to read a backup.
    private func open(_ source: DatabaseFile, named name: String) throws -> (Connection, version: Int) {
        // Without a log, nobody is writing it, and nothing has to be made to read it.
        let isWhole = DatabaseFile(path: source.path + "-wal").size == 0
        let connection: Connection
        do {
            connection = try Connection(
                path: source.path, access: isWhole ? .immutable : .readOnly, patience: patience)
        } catch is Connection.HotJournalError {
            throw DatabaseError.cannotOpen(path: name, reason: "a write to it was cut short")
        }
        try connection.begin(.deferred)
        let record = try SchemaRecord(Snapshot(connection: connection), path: name, supported: schema.version)
        try record.check(schema, path: name)
        return (connection, record.version)
    }

    /// - Returns: the version of the schema, and how many rows each table has.
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

    private func prepared<T>(
        _ file: PartialFile, replacing target: DatabaseFile, _ prepare: (Transaction, Snapshot?) throws -> T
    ) throws -> T {
        let replaced = isOurs(target) ? try? Connection(path: target.path, access: .readOnly, patience: patience) : nil
        let connection = try Connection(alone: file.path, access: .readWrite)
        try connection.begin(.immediate)
        do {
            let result = try prepare(Transaction(connection: connection), replaced.map(Snapshot.init))
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    // MARK: Changing places

    /// - Returns: where what was there is; nil when there was nothing.
    private func replace(_ target: DatabaseFile, by file: PartialFile, keeping keptPath: String) throws -> String? {
        // Nobody begins to use it until its place is taken.
        let held = try holdInOneFile(target)
        defer { withExtendedLifetime(held) {} }
        let logs = Self.logs.filter { DatabaseFile(path: target.path + $0).size > 0 }
        guard logs.isEmpty else { return try replace(target, with: logs, by: file, keeping: keptPath) }
        // It takes the name of what is kept, and then they change places: there is a whole one at each moment.
        try file.finish()
        let isKept = target.isTaken
        guard (isKept ? platform_exchange(keptPath, target.path) : platform_rename_new(keptPath, target.path)) == 0
        else {
            let reason = SystemError.current.description
            try? DatabaseFile(path: keptPath).remove()
            throw DatabaseError.cannotOpen(path: target.path, reason: reason)
        }
        try target.synchronize()
        // An empty log, and an index of none.
        try removeLogs(of: target)
        return isKept ? keptPath : nil
    }

    /// Replaces a database whose log stays apart from it. Beside another database it would be taken for the log of that one,
    /// so that both are kept, by a second name, before the log goes.
    private func replace(
        _ target: DatabaseFile, with logs: [String], by file: PartialFile, keeping keptPath: String
    ) throws -> String {
        let kept = (target.isTaken ? [""] : []) + logs
        for ending in kept {
            guard link(target.path + ending, keptPath + ending) == 0 else {
                throw DatabaseError.cannotOpen(path: keptPath + ending, reason: SystemError.current.description)
            }
        }
        // On the disk, with the folder.
        try DatabaseFile(path: keptPath + (kept.last ?? "")).synchronize()
        try removeLogs(of: target)
        try file.finish(replacing: target.path)
        return keptPath + (kept.first ?? "")
    }

    private func removeLogs(of target: DatabaseFile) throws {
        for ending in Self.logs + ["-shm"] { try DatabaseFile(path: target.path + ending).remove() }
    }

    /// The ends of the names of what belongs to the content of a database.
    private static let logs = ["-wal", "-journal"]

    /// Moves what is in the log into the database, so that it is whole in one file, and keeps others from opening it.
    ///
    /// - Returns: what has it open; nil where it is not sound, and stays as it is, byte for byte.
    private func holdInOneFile(_ target: DatabaseFile) throws -> Connection? {
        do {
            guard try target.content() == .database(applicationID: schema.applicationID) else { return nil }
            let connection = try Connection(path: target.path, access: .readWrite, patience: patience)
            guard try connection.damage().isEmpty else { return nil }
            // This fails while any process has the file open, even for reading.
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

internal import CPlatform
public import Essentials
internal import Platform

/// Puts a backup in the place of a database.
///
/// The backup is copied, checked and made ready beside the database, and then takes its place in one step. Killed at any
/// point, this leaves the database that there was, or the one that was restored.
public struct Restorer: Sendable {
    /// What a restoration did.
    public struct Outcome<Preparation: Sendable>: Sendable {
        /// The version of the schema that came back; lower than that of the program when it has to be migrated.
        public let version: Int
        /// Where the database is that was replaced; nil when there was none.
        public let keptPath: String?
        /// What the preparation returned.
        public let preparation: Preparation
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
    ///   - prepare: changes what was copied before anybody sees it.
    /// - Throws: `DatabaseError`: what `Database.init` throws of a file that is not ours or is newer, `unsound` when the backup
    ///   is damaged, `inUse` when a process has the database open, `busy` when one is writing it for too long; or what
    ///   `progress` and `prepare` throw.
    public func restore<T: Sendable>(
        from backup: String, progress: (Backup.Progress) throws -> Void = { _ in },
        prepare: (Transaction) throws -> T
    ) throws -> Outcome<T> {
        let target = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
        let source = DatabaseFile(path: DatabaseFile(path: backup).resolvedPath)
        try requireOurs(source, named: backup)
        guard source.path != target.path else {
            throw DatabaseError.cannotOpen(path: backup, reason: "it is the database that is to be replaced")
        }
        try requireUnused(target)

        // It takes the name of what is kept when it is whole, and then they change places.
        let keptPath = newKeptPath(target)
        let file = try PartialFile(of: keptPath)
        let version = try copy(source, named: backup, to: file, progress: progress)
        let preparation = try prepared(file, prepare)

        let lock = try WriteLock(databasePath: target.path, isInterrupted: configuration.isInterrupted).acquire(
            timeout: configuration.busyTimeout)
        try requireUnused(target)
        try moveLog(of: target, toThatOf: keptPath)
        try file.finish()
        let isKept = target.isTaken
        guard (isKept ? platform_exchange(keptPath, target.path) : platform_rename_new(keptPath, target.path)) == 0
        else {
            let reason = SystemError.current.description
            try? DatabaseFile(path: keptPath).remove()
            throw DatabaseError.cannotOpen(path: target.path, reason: reason)
        }
        try target.synchronize()
        // The log is an empty file, and its index is that of the other database.
        for ending in ["-wal", "-shm"] { try DatabaseFile(path: target.path + ending).remove() }
        lock.release()
        return Outcome(version: version, keptPath: isKept ? keptPath : nil, preparation: preparation)
    }

    /// What the names of databases that were replaced have after that of the database.
    static let keptMark = ".before-restore-"

    private var patience: BusyWait {
        BusyWait(timeout: configuration.busyTimeout, isInterrupted: configuration.isInterrupted)
    }

    private func newKeptPath(_ target: DatabaseFile) -> String {
        let stamp = target.path + Self.keptMark + clock().fileStamp
        var (candidate, number) = (stamp, 1)
        while DatabaseFile(path: candidate).isTaken {
            number += 1
            candidate = "\(stamp)-\(number)"
        }
        return candidate
    }

    private func requireOurs(_ source: DatabaseFile, named name: String) throws {
        switch try source.content() {
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

    /// - Returns: the version of the schema.
    private func copy(
        _ source: DatabaseFile, named name: String, to file: PartialFile, progress: (Backup.Progress) throws -> Void
    ) throws -> Int {
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
        try connection.copy(to: file, progress: progress)
        try connection.commit()
        try file.check(of: name)
        return record.version
    }

    private func prepared<T>(_ file: PartialFile, _ prepare: (Transaction) throws -> T) throws -> T {
        let connection = try Connection(alone: file.path, access: .readWrite)
        try connection.begin(.immediate)
        do {
            let result = try prepare(Transaction(connection: connection))
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Moves what is in the log into the database, so that it is whole in one file. Where that cannot be done, as it is
    /// damaged, the log goes with it: beside another database, it would be taken for the log of that one.
    private func moveLog(of target: DatabaseFile, toThatOf keptPath: String) throws {
        if (try? target.content()) == .database(applicationID: schema.applicationID),
            let connection = try? Connection(
                path: target.path, access: .readWrite, patience: patience)
        {
            // Reading rolls back what a transaction left that was cut short.
            _ = try? connection.rowCounts()
            try? connection.checkpoint(.truncate)
        }
        for ending in ["-wal", "-journal"] where DatabaseFile(path: target.path + ending).size > 0 {
            guard platform_rename_new(target.path + ending, keptPath + ending) == 0 else {
                throw DatabaseError.cannotOpen(path: target.path + ending, reason: SystemError.current.description)
            }
        }
    }
}

internal import CPlatform
internal import CSQLite
internal import Platform

/// The file that a database is in, looked at without SQLite, so that one that is not ours is left as it is:
/// opening a database can already change it (a hot journal, the switch to WAL).
struct DatabaseFile {
    enum Content: Equatable {
        /// The file does not exist.
        case missing
        /// A file of no bytes: what a creation that was cut short leaves.
        case empty
        /// A SQLite database with this `application_id`.
        case database(applicationID: Int32)
    }

    let path: String

    /// Looks at the first 100 bytes. Source: <https://www.sqlite.org/fileformat.html#the_database_header>.
    ///
    /// - Throws: `notAFile`, `notADatabase`, `linked`, `lost`, `cannotOpen`.
    func content() throws(DatabaseError) -> Content {
        var info = stat()
        guard stat(path, &info) == 0 else {
            guard errno == ENOENT else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
            try requireNoLog()
            return .missing
        }
        // Opening a FIFO would wait for its other end.
        guard info.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard info.st_nlink <= 1 else { throw .linked(path: path, names: Int(info.st_nlink)) }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }

        var header = [UInt8](repeating: 0, count: 100)
        let count = csqlite_read_start(resolvedPath, &header, Int32(header.count))
        guard count >= 0 else { throw .cannotOpen(path: path, reason: "it cannot be read") }
        if count == 0 {
            try requireNoLog()
            return .empty
        }
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
            throw .notADatabase(path: path)
        }
        return .database(applicationID: Int32(bitPattern: header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }))
    }

    /// A log is only ever beside a database that has a first page: SQLite would delete it beside a file of no bytes, and take
    /// it for that of the next database of the name.
    private func requireNoLog() throws(DatabaseError) {
        if log.size > 0 { throw .lost(path: path, logPath: log.path) }
    }

    /// Its write-ahead log, whether or not there is one.
    var log: DatabaseFile { DatabaseFile(path: resolvedPath + "-wal") }

    /// The length in bytes; 0 if the file does not exist.
    var size: Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    /// Which of the file and those beside it a failure of SQLite is about, as far as that can be told.
    func culprit(of failure: SQLiteFailure) -> String {
        // Of the extended codes, those of shared memory. Source: <https://www.sqlite.org/rescode.html>.
        if failure.code == SQLITE_PROTOCOL || [18, 19, 20, 21].contains(failure.extendedCode >> 8) {
            return path + "-shm"
        }
        guard [SQLITE_CANTOPEN, SQLITE_READONLY].contains(failure.code) else { return path }
        return ["-wal", "-shm", "-journal"].map { path + $0 }.first { path in
            var info = stat()
            return stat(path, &info) == 0 && (info.st_mode & S_IFMT != S_IFREG || access(path, R_OK | W_OK) != 0)
        } ?? path
    }

    /// Identifies a file for as long as it exists.
    struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// The write-ahead log and its index, each nil if it does not exist.
    struct Companions {
        let log: Identity?
        let index: Identity?
    }

    /// The log and its index; nil if neither exists, as without a connection or with a rollback journal. `path` must not be a
    /// symbolic link.
    var companions: Companions? {
        let companions = Companions(log: Self(path: path + "-wal").identity, index: Self(path: path + "-shm").identity)
        return companions.log == nil && companions.index == nil ? nil : companions
    }

    /// The path of the log, or of its index, if it is not the same file as in `companions`.
    func missing(of companions: Companions) -> String? {
        [("-wal", companions.log), ("-shm", companions.index)].first { ending, identity in
            identity != nil && Self(path: path + ending).identity != identity
        }.map { path + $0.0 }
    }

    /// Which file is at the path; nil where there is none.
    var identity: Identity? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Identity(device: UInt64(info.st_dev), number: UInt64(info.st_ino))
    }

    /// Whether it can be read as a file that does not change: it is on read-only media; or this process may not write it, so that
    /// an index of its log that it made would be in the way of who may, and nobody has it open.
    var isUnchanging: Bool {
        let isFree = access(path, W_OK) != 0 && !DatabaseFile(path: resolvedPath + "-shm").isTaken
        return (isFree || isOnReadOnlyMedia) && log.size == 0
    }

    var isOnReadOnlyMedia: Bool {
        var info = statvfs()
        return statvfs(resolvedPath, &info) == 0 && info.f_flag & UInt(ST_RDONLY) != 0
    }

    /// The path without symbolic links, or the path itself if the file does not exist.
    var resolvedPath: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates an empty file that only its owner may read; SQLite gives the log and the journal the same mode.
    ///
    /// - Throws: `cannotOpen` when the folder is missing or may not be written, or when there is such a file.
    func create() throws(DatabaseError) {
        // Rename the file after closing it: closing it later would drop the locks of processes that have opened it.
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw errno == EROFS
                ? .readOnly(path: path) : .cannotOpen(path: path, reason: SystemError.current.description)
        }
        close(descriptor)
        guard platform_rename_new(template, path) == 0 else {
            let reason = SystemError.current.description
            unlink(template)
            throw .cannotOpen(path: path, reason: reason)
        }
    }

    /// - Throws: `cannotOpen` when the file is somebody else's, who could read whatever comes into it.
    func requireOwn() throws(DatabaseError) {
        var info = stat()
        guard stat(path, &info) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
        guard info.st_uid == geteuid() else {
            throw .cannotOpen(path: path, reason: "it is an empty file of another user")
        }
    }

    /// Takes every right but the owner's away.
    ///
    /// - Throws: `cannotOpen`.
    func makePrivate() throws(DatabaseError) {
        guard chmod(path, 0o600) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
    }

    /// Whether there is something at the path, if only a link that leads nowhere.
    var isTaken: Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    /// - Throws: `exists` if there is something at the path.
    func requireAbsent() throws(DatabaseError) {
        if isTaken { throw .exists(path: path) }
    }

    /// Removes the file. A missing file is not an error.
    ///
    /// - Throws: `cannotOpen`.
    func remove() throws(DatabaseError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .cannotOpen(path: path, reason: SystemError.current.description)
        }
    }

    /// The folder that it is in, with the slash after it.
    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    /// Its name in the folder.
    var name: String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }

    /// The names of all that is in the folder; none where it may not be looked into.
    var neighbours: [String] { folderNames(folder) }

    /// Whether it is on a network file system.
    var isOnNetwork: Bool {
        cplatform_is_network_file(path) == 1
    }

    /// Writes what is in the page cache of the system to the disk: the file's content and its entry in the folder.
    ///
    /// - Throws: `cannotOpen`.
    func synchronize() throws(DatabaseError) {
        for target in [path, folder] {
            let descriptor = open(target, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotOpen(path: target, reason: SystemError.current.description) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else {
                throw .cannotOpen(path: target, reason: SystemError.current.description)
            }
        }
    }
}

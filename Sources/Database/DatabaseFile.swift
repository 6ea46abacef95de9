internal import CPlatform
internal import CSQLite
internal import Platform
internal import Text

/// The file of a database, examined without SQLite, so that a file of another program is never changed. Opening a
/// database can already change it (by a hot journal, or the switch to WAL).
struct DatabaseFile {
    enum Content: Equatable {
        /// The file does not exist.
        case missing
        /// An empty file, as an interrupted creation leaves it.
        case empty
        /// A SQLite database with this `application_id`.
        case database(applicationID: Int32)
    }

    let path: String

    /// Examines the first 100 bytes. Source: <https://www.sqlite.org/fileformat.html#the_database_header>.
    ///
    /// - Throws: `notAFile`, `notADatabase`, `linked`, `lost`, `cannotOpen`.
    func content() throws(DatabaseError) -> Content {
        var info = stat()
        guard stat(path, &info) == 0 else {
            guard errno == ENOENT else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
            try requireNoLog()
            return .missing
        }
        // Opening a FIFO would block until its other end is opened.
        guard info.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard info.st_nlink <= 1 else { throw .linked(path: path, names: Int(info.st_nlink)) }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }

        var header = [UInt8](repeating: 0, count: 100)
        let count = csqlite_read_start(resolvedPath, &header, Int32(header.count))
        guard count >= 0 else { throw .cannotOpen(path: path, reason: "cannot read it") }
        if count == 0 {
            try requireNoLog()
            return .empty
        }
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
            throw .notADatabase(path: path)
        }
        return .database(applicationID: Int32(bitPattern: header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }))
    }

    /// Throws if an empty file has a log, which never happens normally: SQLite would delete the log, or apply it to the
    /// next database with this name.
    private func requireNoLog() throws(DatabaseError) {
        if log.size > 0 { throw .lost(path: path, logPath: log.path) }
    }

    /// The write-ahead log, even if it does not exist.
    var log: DatabaseFile { DatabaseFile(path: resolvedPath + "-wal") }

    /// The length in bytes; 0 if the file does not exist.
    var size: Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    /// Returns which file caused a failure of SQLite, as far as that is known.
    func culprit(of failure: SQLiteFailure) -> String {
        // These extended codes concern shared memory. Source: <https://www.sqlite.org/rescode.html>.
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

    /// The log and its index; nil if neither exists, as without a connection or with a rollback journal. `path` must
    /// not be a symbolic link.
    var companions: Companions? {
        let companions = Companions(log: Self(path: path + "-wal").identity, index: Self(path: path + "-shm").identity)
        return companions.log == nil && companions.index == nil ? nil : companions
    }

    /// Returns the path of the log or its index, if it is not the same file as in `companions`.
    func missing(of companions: Companions) -> String? {
        [("-wal", companions.log), ("-shm", companions.index)].first { ending, identity in
            identity != nil && Self(path: path + ending).identity != identity
        }.map { path + $0.0 }
    }

    /// The identity of the file at the path; nil if there is none.
    var identity: Identity? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Identity(device: UInt64(info.st_dev), number: UInt64(info.st_ino))
    }

    /// Whether the file can be read as immutable. This is so on read-only media; or if this process cannot write the
    /// file and nobody has it open, because an index of the log created by this process would block the file's owner.
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

    /// Creates an empty file that only its owner can read. SQLite gives the log and the journal the same mode.
    ///
    /// - Throws: `cannotOpen` if the folder is missing or cannot be written, or if the file exists.
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

    /// - Throws: `cannotOpen` if the file belongs to another user, who could read its contents.
    func requireOwn() throws(DatabaseError) {
        var info = stat()
        guard stat(path, &info) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
        guard info.st_uid == geteuid() else {
            throw .cannotOpen(path: path, reason: "it is an empty file of another user")
        }
    }

    /// Removes all access rights except the owner's.
    ///
    /// - Throws: `cannotOpen`.
    func makePrivate() throws(DatabaseError) {
        guard chmod(path, 0o600) == 0 else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
    }

    /// Whether the path exists, even as a broken symbolic link.
    var isTaken: Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    /// - Throws: `exists` if the path exists.
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

    /// The folder, with a trailing slash.
    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    /// The name in the folder.
    var name: String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }

    /// The names of all entries of the folder; empty if it cannot be read.
    var neighbours: [String] { folderNames(folder) }

    /// Whether it is on a network file system.
    var isOnNetwork: Bool {
        cplatform_is_network_file(path) == 1
    }

    /// Flushes the file and its entry in the folder to the disk.
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

extension DatabaseFile {
    /// The files beside the database that a killed process left: from interrupted backups before a migration, and from
    /// the creation of the file. They are not created while the write lock is held.
    var leftovers: [String] {
        neighbours.filter { neighbour in
            guard neighbour.hasPrefix(name + ".") else { return false }
            let ending = neighbour.dropFirst(name.count + 1)
            return BackupName.isPartial(ending)
                || Self.isTemporary(ending) && DatabaseFile(path: folder + neighbour).isEmptyFile
        }.map { folder + $0 }
    }

    private var isEmptyFile: Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_size == 0
    }

    /// Returns whether `create()` could have created the ending. Endings by users, such as in `articles.db.backup`,
    /// rarely contain a capital letter or a digit.
    private static func isTemporary(_ ending: Substring) -> Bool {
        ending.utf8.count == 6 && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && ending.contains { $0.isUppercase || $0.isNumber }
    }
}

/// The name of a backup before a migration, after the name of the database: `v3-20261121T120000Z.backup`. Further
/// backups in the same second get `-2` and so on after the time.
struct BackupName {
    let version: Int
    let date: Date

    /// Returns the name with this number, from 1.
    func text(_ number: Int) -> String {
        "v\(version)-\(date.fileStamp)\(number > 1 ? "-\(number)" : "").backup"
    }

    /// Returns whether the ending is that of an interrupted backup, or of its journal. Other files belong to the user.
    static func isPartial(_ ending: Substring) -> Bool {
        let shape = ending.reduce(into: "") { shape, character in
            let isDigit = character.isASCII && character.isNumber
            // Reduce each number to a single 0.
            if !isDigit { shape.append(character) } else if shape.last != "0" { shape.append("0") }
        }
        return ["v0-0T0Z.backup.partial", "v0-0T0Z-0.backup.partial"].contains {
            shape == $0 || shape == $0 + "-journal"
        }
    }
}

internal import CPlatform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#endif

/// The file that a database is in, looked at without SQLite, so that one that is not ours is left as it is:
/// opening a database can already change it (a hot journal, the switch to WAL).
struct DatabaseFile {
    enum Content: Equatable {
        /// There is no file.
        case missing
        /// A file of no bytes: what a creation that was cut short leaves.
        case empty
        /// A SQLite database with this `application_id`.
        case database(applicationID: Int32)
    }

    let path: String

    /// Looks at the first 100 bytes. Source: <https://www.sqlite.org/fileformat.html#the_database_header>.
    ///
    /// - Throws: `notAFile`, `notADatabase`, `readOnly`, `cannotOpen`.
    func content() throws(DatabaseError) -> Content {
        var info = stat()
        guard stat(path, &info) == 0 else {
            if errno == ENOENT { return .missing }
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        // Opening a FIFO would wait for its other end.
        guard info.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard access(path, W_OK) == 0 else { throw .readOnly(path: path) }

        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        if count == 0 { return .empty }
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
            throw .notADatabase(path: path)
        }
        return .database(applicationID: Int32(bitPattern: header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }))
    }

    /// Creates an empty file that only its owner may read; SQLite gives the log and the journal the same mode.
    ///
    /// - Throws: `cannotOpen` when the folder is missing or may not be written.
    func create() throws(DatabaseError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EROFS
                ? .readOnly(path: path) : .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
    }

    /// - Throws: `cannotOpen` when there is something at the path.
    func requireAbsent() throws(DatabaseError) {
        var info = stat()
        guard lstat(path, &info) != 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(EEXIST))) }
    }

    /// Removes the file; that it is not there is no error.
    ///
    /// - Throws: `cannotOpen`.
    func remove() throws(DatabaseError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Renames the file, replacing what is there, and writes the change to the disk.
    ///
    /// - Throws: `cannotOpen`.
    func rename(to destination: String) throws(DatabaseError) {
        guard renameFile(path, destination) == 0 else {
            throw .cannotOpen(path: destination, reason: String(cString: strerror(errno)))
        }
        try DatabaseFile(path: destination).synchronize()
    }

    /// Whether it is on a network file system.
    var isOnNetwork: Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return cplatform_is_network_file(descriptor) == 1
    }

    /// Writes what is in the page cache of the system to the disk: the file's content and its entry in the folder.
    ///
    /// - Throws: `cannotOpen`.
    func synchronize() throws(DatabaseError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        for target in [path, folder] {
            let descriptor = open(target, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotOpen(path: target, reason: String(cString: strerror(errno))) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else {
                throw .cannotOpen(path: target, reason: String(cString: strerror(errno)))
            }
        }
    }
}

private func renameFile(_ source: String, _ destination: String) -> Int32 { rename(source, destination) }

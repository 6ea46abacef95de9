internal import CPlatform
internal import Platform

/// A new file with mode 0600 that is named `NAME.partial` until it is complete, and is deleted if it is not completed.
///
/// It is locked while it is written, which distinguishes it from a file that a killed process has left.
final class PartialFile {
    let path: String
    private let destination: String
    private let descriptor: Int32
    private var isFinished = false

    /// Creates an empty file beside `destination`, which must not exist. Removes leftovers.
    ///
    /// - Throws: `exists` if `destination` exists; `cannotOpen`.
    init(of destination: String) throws(DatabaseError) {
        try DatabaseFile(path: destination).requireAbsent()
        let path = destination + ".partial"
        self.destination = destination
        self.path = path
        while true {
            let made = try Self.make(path)
            // Between the two calls, another process may have taken the file for a leftover.
            if platform_try_lock(made) == 0, Self.isNamed(made, path) {
                descriptor = made
                return
            }
            close(made)
        }
    }

    deinit {
        if !isFinished {
            for ending in Self.companions { unlink(path + ending) }
            unlink(path)
        }
        close(descriptor)
    }

    /// Flushes the file to the disk and gives it its final name. Connections to it must be closed before.
    ///
    /// - Throws: `exists` if another file has the name now; `cannotOpen`.
    func finish() throws(DatabaseError) {
        guard fsync(descriptor) == 0, platform_rename_new(path, destination) == 0 else {
            if errno == EEXIST { throw .exists(path: destination) }
            throw .cannotOpen(path: destination, reason: SystemError.current.description)
        }
        isFinished = true
        try DatabaseFile(path: destination).synchronize()
    }

    /// Like `finish()`, but replaces an existing file.
    ///
    /// - Throws: `cannotOpen`.
    func finish(replacing path: String) throws(DatabaseError) {
        guard fsync(descriptor) == 0, rename(self.path, path) == 0 else {
            throw .cannotOpen(path: path, reason: SystemError.current.description)
        }
        isFinished = true
        try DatabaseFile(path: path).synchronize()
    }

    /// Marks the file as a database without a write-ahead log, as a complete copy is. Source:
    /// <https://www.sqlite.org/fileformat.html#file_format_version_numbers>.
    ///
    /// The usual way through SQLite would first create a log, which could be left behind.
    ///
    /// - Throws: `cannotOpen`.
    func markAsOneFile() throws(DatabaseError) {
        let versions: [UInt8] = [1, 1]
        guard pwrite(descriptor, versions, versions.count, 18) == versions.count else {
            throw .cannotOpen(path: path, reason: SystemError.current.description)
        }
    }

    /// The suffixes of the files that SQLite creates beside it.
    private static let companions = ["-journal", "-wal", "-shm"]

    private static func make(_ path: String) throws(DatabaseError) -> Int32 {
        while true {
            let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if made >= 0 { return made }
            guard errno == EEXIST else { throw .cannotOpen(path: path, reason: SystemError.current.description) }
            guard try removeIfAbandoned(path) else {
                throw .cannotOpen(path: path, reason: "another process is writing it")
            }
        }
    }

    /// Returns whether the path is an incomplete file that a killed process left.
    static func isAbandoned(_ path: String) throws(DatabaseError) -> Bool {
        guard let descriptor = try openExisting(path) else { return false }
        defer { close(descriptor) }
        return platform_try_lock(descriptor) == 0
    }

    /// Removes an incomplete file that a killed process left.
    ///
    /// - Returns: false if a process is still writing it.
    /// - Throws: `cannotOpen`.
    static func removeIfAbandoned(_ path: String) throws(DatabaseError) -> Bool {
        guard let descriptor = try openExisting(path) else { return true }
        defer { close(descriptor) }
        guard platform_try_lock(descriptor) == 0 else { return false }
        // The path may be another file by now.
        guard isNamed(descriptor, path) else { return true }
        for ending in companions { try DatabaseFile(path: path + ending).remove() }
        try DatabaseFile(path: path).remove()
        return true
    }

    private static func openExisting(_ path: String) throws(DatabaseError) -> Int32? {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .cannotOpen(path: path, reason: SystemError.current.description)
        }
        return descriptor
    }

    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}

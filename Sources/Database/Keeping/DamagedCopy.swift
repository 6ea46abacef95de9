internal import Platform

/// A copy of a damaged database to read from, so that the original stays as it is. It goes with the value.
final class DamagedCopy {
    /// Whether the header was not that of a database any more.
    private(set) var isHeaderMended = false
    /// How many bytes the disk did not give.
    private(set) var unreadBytes = 0
    private let original: String
    private let file: PartialFile

    /// Copies the database at `path`, and its log, to beside `destination`.
    ///
    /// - Throws: `DatabaseError`.
    init(of path: String, beside destination: String, configuration: Database.Configuration) throws {
        original = path
        let source = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
        guard source.isTaken else { throw DatabaseError.missing(path: path) }
        file = try PartialFile(of: destination + ".damaged")
        // Nobody writes to it meanwhile, as far as they are asked.
        let held =
            DatabaseFile(path: source.path + "-lock").isTaken
            ? try WriteLock(databasePath: source.path, isInterrupted: configuration.isInterrupted)
                .acquire(timeout: configuration.busyTimeout) : nil
        try copy(source.path, to: file.path)
        let log = source.path + "-wal"
        let hasLog = DatabaseFile(path: log).size > 0
        if hasLog { try copy(log, to: file.path + "-wal") }
        let journal = source.path + "-journal"
        if DatabaseFile(path: journal).size > 0 { try copy(journal, to: file.path + "-journal") }
        held?.release()
        try mendHeader(hasLog: hasLog)
    }

    /// Opens it.
    ///
    /// - Throws: `DatabaseError`: `foreign`, or `notADatabase` when it says of no table where it is.
    func open(_ schema: Schema) throws -> Connection {
        let connection: Connection
        do {
            connection = try Connection(alone: file.path, access: .readWrite)
            _ = try connection.first("SELECT count(*) FROM sqlite_schema", []) { try $0.value(0) as Int }
        } catch is DatabaseError {
            throw DatabaseError.notADatabase(path: original)
        }
        let mark: Int32 = try connection.first("PRAGMA application_id", []) { Int32(try $0.value(0) as Int) } ?? 0
        guard mark == schema.applicationID || isHeaderMended else {
            throw DatabaseError.foreign(path: original, applicationID: mark)
        }
        return connection
    }

    private func copy(_ source: String, to destination: String) throws {
        var info = stat()
        guard stat(source, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw DatabaseError.notAFile(path: source)
        }
        let input = Platform.open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw DatabaseError.cannotOpen(path: source, reason: SystemError.current.description) }
        defer { close(input) }
        let output = Platform.open(destination, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else {
            throw DatabaseError.cannotOpen(path: destination, reason: SystemError.current.description)
        }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while true {
            var count = pread(input, &buffer, buffer.count, offset)
            if count < 0, errno == EINTR { continue }
            if count < 0 {
                // A bad sector: what is around it may be readable.
                count = min(Self.sector, Int(info.st_size - offset))
                guard count > 0 else { return }
                let isRead = pread(input, &buffer, count, offset) == count
                if !isRead {
                    for index in 0..<count { buffer[index] = 0 }
                    unreadBytes += count
                }
            }
            if count == 0 { return }
            guard pwrite(output, buffer, count, offset) == count else {
                throw DatabaseError.cannotOpen(path: destination, reason: SystemError.current.description)
            }
            offset += off_t(count)
        }
    }

    private static let sector = 4096

    /// Writes into the header what it must have been. Source: <https://www.sqlite.org/fileformat.html#the_database_header>.
    private func mendHeader(hasLog: Bool) throws {
        let descriptor = Platform.open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw DatabaseError.cannotOpen(path: file.path, reason: SystemError.current.description)
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &header, header.count, 0) == header.count else {
            throw DatabaseError.notADatabase(path: original)
        }
        let magic = Array("SQLite format 3\0".utf8)
        // The sizes of SQLite, and of this package, which leaves them as they are.
        let standard: [(offset: Int, bytes: [UInt8])] = [(0, magic), (16, [0x10, 0]), (20, [0, 64, 32, 32])]
        for (offset, bytes) in standard where !header[offset...].starts(with: bytes) {
            isHeaderMended = true
            header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        let size = DatabaseFile(path: file.path).size
        let pageCount = UInt32(clamping: (size + 4095) / 4096)
        func put(_ value: UInt32, at offset: Int) {
            for index in 0..<4 { header[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        header[18] = hasLog ? 2 : 1
        header[19] = hasLog ? 2 : 1
        put(pageCount, at: 28)
        // No free pages, the schema in its fourth format, no vacuuming of its own, UTF-8.
        for (offset, value) in [(32, 0), (36, 0), (44, 4), (52, 0), (56, 1), (64, 0)] { put(UInt32(value), at: offset) }
        // The size is right for this change.
        header.replaceSubrange(92..<96, with: header[24..<28])
        guard pwrite(descriptor, header, header.count, 0) == header.count,
            ftruncate(descriptor, off_t(pageCount) * 4096) == 0
        else { throw DatabaseError.cannotOpen(path: file.path, reason: SystemError.current.description) }
    }
}

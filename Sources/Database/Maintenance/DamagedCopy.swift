internal import CSQLite
internal import Platform

/// A copy of a damaged database to read from, so that the original is not changed. It is deleted with the object.
final class DamagedCopy {
    /// Whether the header had to be reconstructed.
    private var isHeaderMended = false
    /// The number of bytes that could not be read from the disk.
    private(set) var unreadBytes = 0
    /// The places of tables that are missing from the schema of the damaged database.
    private(set) var lostTables: [String: LostTables.Found] = [:]
    /// The application ID in the header.
    private var applicationID: Int32 = 0
    /// The schema version in the header, even if it is invalid.
    private var version = 0
    /// The free pages according to the header.
    private var freePages: Set<Int> = []
    private let original: String
    private let file: PartialFile

    /// Copies the database at `path` with its log to a file beside `destination`.
    ///
    /// - Throws: `DatabaseError`.
    init(of path: String, beside destination: String, configuration: Database.Configuration) throws {
        original = path
        let source = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
        guard source.isTaken else { throw DatabaseError.missing(path: path) }
        file = try PartialFile(of: destination + ".damaged")
        // Programs that respect the lock do not write during the copy.
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
        try repairHeader(hasLog: hasLog)
    }

    /// Opens the copy, and searches for the tables that are missing from its schema.
    ///
    /// - Throws: `DatabaseError`: `foreign`, `newerSchema`, or `notADatabase` if no table was found.
    func open(_ schema: Schema) throws -> Connection {
        if !isHeaderMended {
            guard applicationID == schema.applicationID else {
                throw DatabaseError.foreign(path: original, applicationID: applicationID)
            }
            guard version <= schema.version else {
                throw DatabaseError.newerSchema(path: original, found: version, supported: schema.version)
            }
        }
        let steps = (1...max(1, schema.version)).contains(version) ? version : schema.version
        let shapes = try TableShape.all(Connection(inMemory: schema.migrations.prefix(steps)))
        return try connection(with: shapes) ?? connectionFinding(shapes)
    }

    /// - Returns: nil if its schema lacks some of these tables.
    private func connection(with shapes: [TableShape]) throws -> Connection? {
        do {
            let connection = try Connection(alone: file.path, access: .readWrite)
            let names = try Set(Salvage.tables(of: connection))
            return shapes.allSatisfy { names.contains($0.name) } ? connection : nil
        } catch is DatabaseError {
            return nil
        }
    }

    private func connectionFinding(_ shapes: [TableShape]) throws -> Connection {
        moveLog()
        lostTables = try LostTables.find(shapes, in: file.path, free: freePages)
        guard !lostTables.isEmpty else { throw DatabaseError.notADatabase(path: original) }
        return try Connection(alone: file.path, access: .readWrite)
    }

    /// Moves the contents of the log or the journal into the copy, as far as that is possible without its schema.
    private func moveLog() {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        if sqlite3_open_v2(file.path, &opened, flags, nil) == SQLITE_OK {
            // With this pragma, an unreadable schema is not an error.
            sqlite3_exec(opened, "PRAGMA writable_schema=ON; PRAGMA journal_mode=DELETE", nil, nil, nil)
        }
        sqlite3_close_v2(opened)
        for ending in ["-wal", "-shm", "-journal"] { unlink(file.path + ending) }
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
                // A sector is defective. The sectors around it may be readable.
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

    /// Returns the pages in the list of free pages. Source: <https://www.sqlite.org/fileformat.html#the_freelist>.
    private static func freePages(from first: Int, _ descriptor: Int32) -> Set<Int> {
        var pages: Set<Int> = []
        var trunk = first
        var bytes = [UInt8](repeating: 0, count: RawPage.size)
        while trunk > 0, pages.insert(trunk).inserted,
            pread(descriptor, &bytes, bytes.count, off_t(trunk - 1) * off_t(RawPage.size)) == bytes.count
        {
            let count = min(RawPage.number(bytes[4..<8]), RawPage.size / 4 - 2)
            pages.formUnion((0..<count).map { RawPage.number(bytes[8 + 4 * $0..<12 + 4 * $0]) })
            trunk = RawPage.number(bytes[0..<4])
        }
        return pages
    }

    /// Reconstructs the header. Source: <https://www.sqlite.org/fileformat.html#the_database_header>.
    private func repairHeader(hasLog: Bool) throws {
        let descriptor = Platform.open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw DatabaseError.cannotOpen(path: file.path, reason: SystemError.current.description)
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &header, header.count, 0) == header.count else {
            throw DatabaseError.notADatabase(path: original)
        }
        applicationID = Int32(truncatingIfNeeded: RawPage.number(header[68..<72]))
        version = RawPage.number(header[60..<64])
        freePages = Self.freePages(from: RawPage.number(header[32..<36]), descriptor)
        let magic = Array("SQLite format 3\0".utf8)
        // The default values of SQLite, which this package does not change.
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
        // No free pages, schema format 4, no automatic vacuum, UTF-8.
        for (offset, value) in [(32, 0), (36, 0), (44, 4), (52, 0), (56, 1), (64, 0)] { put(UInt32(value), at: offset) }
        // The page count in the header is valid only if these two change counters are equal.
        header.replaceSubrange(92..<96, with: header[24..<28])
        guard pwrite(descriptor, header, header.count, 0) == header.count,
            ftruncate(descriptor, off_t(pageCount) * 4096) == 0
        else { throw DatabaseError.cannotOpen(path: file.path, reason: SystemError.current.description) }
    }
}

internal import CSQLite
internal import Platform

/// The write-ahead log of a database at one moment, and who keeps it from beginning anew.
public struct LogState: Hashable, Sendable {
    /// A process that is reading.
    public struct Reader: Hashable, Sendable {
        /// Its number, as in `ps`.
        public let processID: Int32
        /// How many frames were written after the view of the database that it holds on to: they stay in the log for as long
        /// as it reads.
        public let framesBehind: Int
    }

    /// How long the file is, in bytes.
    public let size: Int
    /// How many frames are in use, a page of the database each.
    public let frames: Int
    /// How many of them are in the database file, too.
    public let movedFrames: Int
    /// Who is in the middle of reading, the oldest view first; this process is left out. Empty where the system does not tell.
    public let readers: [Reader]

    init(_ log: csqlite_log, file: DatabaseFile) {
        size = file.log.size
        frames = Int(log.frames)
        movedFrames = Int(log.moved)
        let marks = withUnsafeBytes(of: log.marks) { Array($0.bindMemory(to: UInt32.self)) }
        readers = FileLock.held(on: file.path + "-shm").compactMap { lock in
            // Read lock 0 is for who needs no frame, and so sees all that is moved.
            let numbers = marks.indices.filter { lock.bytes.contains(Self.firstReadLock + $0) }
            guard lock.processID != getpid(), let number = numbers.first else { return nil }
            let seen = number == 0 ? log.moved : min(marks[number], log.frames)
            return Reader(processID: lock.processID, framesBehind: Int(log.frames - min(seen, log.frames)))
        }.sorted { $0.framesBehind > $1.framesBehind }
    }

    /// The byte of the index that the first of five read locks is on.
    /// Source: <https://www.sqlite.org/walformat.html>, section 2.3.
    private static let firstReadLock = 123
}

/// A lock that a process holds on a part of a file.
private struct FileLock: Hashable {
    let processID: Int32
    let bytes: ClosedRange<Int>

    /// The locks on the file at `path`, as Linux lists them; none on other systems. Asking the file itself would mean to open
    /// it, and closing it would drop the locks of this process.
    ///
    /// The list comes in pieces, between which others come and go and move what follows: one that is held all the while may be
    /// missed in one list, and hardly in three.
    static func held(on path: String) -> [FileLock] {
        (0..<3).reduce(into: []) { locks, _ in
            for lock in listed(on: path) where !locks.contains(lock) { locks.append(lock) }
        }
    }

    private static func listed(on path: String) -> [FileLock] {
        var info = stat()
        guard stat(path, &info) == 0, let list = fopen("/proc/locks", "re") else { return [] }
        defer { fclose(list) }
        var locks: [FileLock] = []
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), list) != nil {
            // 1: POSIX  ADVISORY  READ 1234 fe:00:5678 124 124
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            guard words.count == 8, words[1] == "POSIX", let processID = Int32(words[4]),
                words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == UInt64(info.st_ino),
                let start = Int(words[6])
            else { continue }
            locks.append(FileLock(processID: processID, bytes: start...max(start, Int(words[7]) ?? .max)))
        }
        return locks
    }
}

internal import CSQLite
internal import Platform

/// The write-ahead log of a database at one moment, and the readers that keep it from being reset.
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
    /// The other processes that are reading, the oldest view first; empty if the system does not report them.
    public let readers: [Reader]

    init(_ log: csqlite_log, file: DatabaseFile) {
        size = file.log.size
        frames = Int(log.frames)
        movedFrames = Int(log.moved)
        let marks = withUnsafeBytes(of: log.marks) { Array($0.bindMemory(to: UInt32.self)) }
        readers = FileLock.held(on: file.path + "-shm").compactMap { lock in
            // Read lock 0 is for who needs no frame, and so sees all that is moved.
            let numbers = marks.indices.filter { lock.bytes?.contains(Self.firstReadLock + $0) ?? false }
            guard lock.processID != getpid(), let number = numbers.first else { return nil }
            let seen = number == 0 ? log.moved : min(marks[number], log.frames)
            return Reader(processID: lock.processID, framesBehind: Int(log.frames - min(seen, log.frames)))
        }.sorted { $0.framesBehind > $1.framesBehind }
    }

    /// The byte of the index that the first of five read locks is on.
    /// Source: <https://www.sqlite.org/walformat.html>, section 2.3.
    private static let firstReadLock = 123
}

internal import CSQLite
internal import Platform

/// The write-ahead log of a database at one moment, and the readers that prevent it from being reset.
public struct LogState: Hashable, Sendable {
    /// A process that is reading.
    public struct Reader: Hashable, Sendable {
        /// The process ID, as in `ps`.
        public let processID: Int32
        /// The number of frames that were written after the reader's view of the database. They stay in the log while
        /// it reads.
        public let framesBehind: Int
    }

    /// The size of the file in bytes.
    public let size: Int
    /// The number of used frames. A frame contains one page of the database.
    public let frames: Int
    /// The number of frames that are also in the database file.
    public let movedFrames: Int
    /// The other processes that are reading, the oldest view first; empty if the system does not report them.
    public let readers: [Reader]

    init(_ log: csqlite_log, file: DatabaseFile) {
        size = file.log.size
        frames = Int(log.frames)
        movedFrames = Int(log.moved)
        let marks = withUnsafeBytes(of: log.marks) { Array($0.bindMemory(to: UInt32.self)) }
        readers = FileLock.held(on: file.path + "-shm").compactMap { lock in
            // Read lock 0 is for a reader that needs no frames, so its view contains all moved frames.
            let numbers = marks.indices.filter { lock.bytes?.contains(Self.firstReadLock + $0) ?? false }
            guard lock.processID != getpid(), let number = numbers.first else { return nil }
            let seen = number == 0 ? log.moved : min(marks[number], log.frames)
            return Reader(processID: lock.processID, framesBehind: Int(log.frames - min(seen, log.frames)))
        }.sorted { $0.framesBehind > $1.framesBehind }
    }

    /// The byte in the index of the first of the five read locks. Source: <https://www.sqlite.org/walformat.html>,
    /// section 2.3.
    private static let firstReadLock = 123
}

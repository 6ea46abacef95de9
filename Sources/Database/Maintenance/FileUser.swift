internal import Platform

/// A process that has a file open.
public struct FileUser: Hashable, Sendable, CustomStringConvertible {
    /// The process ID, as in `ps`.
    public let processID: Int32
    /// The name of its program; nil if it is unknown.
    public let name: String?

    /// Creates a value for the process with this ID.
    public init(processID: Int32) {
        self.processID = processID
        var bytes = [UInt8](repeating: 0, count: 64)
        guard let file = fopen("/proc/\(processID)/comm", "re") else {
            name = nil
            return
        }
        defer { fclose(file) }
        let count = fread(&bytes, 1, bytes.count, file)
        name = String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The name and the process ID, such as `sqlite3 (1234)`.
    public var description: String { "\(name ?? "process") (\(processID))" }

    /// Returns the processes that have one of these files open, sorted by ID. For other users' processes, the system
    /// only reports those that hold a lock, as every process does that has a database open.
    static func all(of paths: [String]) -> [FileUser] {
        let files = Set(paths.compactMap { DatabaseFile(path: $0).identity })
        guard !files.isEmpty else { return [] }
        var numbers = Set(paths.flatMap(FileLock.held).map(\.processID))
        for process in DatabaseFile(path: "/proc/").neighbours {
            guard let number = Int32(process), !numbers.contains(number) else { continue }
            let folder = "/proc/\(process)/fd/"
            let opened = DatabaseFile(path: folder).neighbours.lazy.compactMap {
                DatabaseFile(path: folder + $0).identity
            }
            if opened.contains(where: files.contains) { numbers.insert(number) }
        }
        return numbers.sorted().map(FileUser.init)
    }
}

/// A lock of a process on a part of a file.
struct FileLock: Hashable {
    let processID: Int32
    /// Whether no other process can lock the same bytes.
    let isExclusive: Bool
    /// The locked bytes; nil for a lock of `flock`, which locks the whole file.
    let bytes: ClosedRange<Int>?

    /// Returns the locks on the file at `path`, as Linux lists them; none on other systems. Asking through the file
    /// itself would require opening it, and closing it would drop the locks of this process.
    ///
    /// The list is read in pieces, between which entries may move. So a lock may be missed in one list, but hardly in
    /// three.
    static func held(on path: String) -> [FileLock] {
        (0..<3).reduce(into: []) { locks, _ in
            for lock in listed(on: path) where !locks.contains(lock) { locks.append(lock) }
        }
    }

    private static func listed(on path: String) -> [FileLock] {
        guard let file = DatabaseFile(path: path).identity, let list = fopen("/proc/locks", "re") else { return [] }
        defer { fclose(list) }
        var locks: [FileLock] = []
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), list) != nil {
            // Example: `1: POSIX  ADVISORY  READ 1234 fe:00:5678 124 124`.
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            guard words.count == 8, words[1] == "POSIX" || words[1] == "FLOCK", let processID = Int32(words[4]),
                file.isNamed(words[5]), let start = Int(words[6])
            else { continue }
            locks.append(
                FileLock(
                    processID: processID, isExclusive: words[3] == "WRITE",
                    bytes: words[1] == "FLOCK" ? nil : start...max(start, Int(words[7]) ?? .max)))
        }
        return locks
    }
}

extension DatabaseFile.Identity {
    /// Whether a name in the list of locks means this file. The name consists of the two parts of the device in
    /// hexadecimal, and the inode.
    fileprivate func isNamed(_ name: Substring) -> Bool {
        let parts = name.split(separator: ":")
        guard parts.count == 3, let major = UInt64(parts[0], radix: 16), let minor = UInt64(parts[1], radix: 16) else {
            return false
        }
        // The same computation as gnu_dev_major(3) and gnu_dev_minor(3).
        return UInt64(parts[2]) == number && major == device >> 8 & 0xFFF
            && minor == device & 0xFF | device >> 12 & 0xFFF00
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files and folders as POSIX has them.
enum FileTree {
    enum Kind { case file, folder, stream }

    struct Failure: Error {
        let code: Int32

        static var current: Failure { Failure(code: errno) }

        /// Whether there is nothing at the path.
        var isMissing: Bool { code == ENOENT || code == ENOTDIR }

        var reason: String { "cannot be read: \(String(cString: strerror(code)))" }
    }

    /// Tells a folder from another that has the same name, and knows it again under another.
    struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// What is at a path, symbolic links followed.
    static func status(of path: String) throws(Failure) -> (kind: Kind, identity: Identity) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .current }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .stream
            }
        return (
            kind,
            Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        )
    }

    /// The names in a folder that do not begin with a dot, in the order of their bytes.
    static func names(in path: String) throws(Failure) -> [String] {
        guard let folder = opendir(path) else { throw .current }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        guard errno == 0 else { throw .current }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// A file descriptor to read from, closed at the end where it was opened here.
final class FileHandle {
    private let descriptor: Int32
    private let isOwned: Bool

    /// Opens a file.
    init(path: String) throws(FileTree.Failure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
        isOwned = true
    }

    /// Reads from a descriptor and leaves it open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
    }

    deinit { if isOwned { close(descriptor) } }

    /// Puts the next bytes where it is told.
    /// - Returns: how many; 0 at the end, nil where a signal came in between.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileTree.Failure) -> Int? {
        #if canImport(Glibc)
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
        if count >= 0 { return count }
        guard errno == EINTR else { throw .current }
        return nil
    }
}

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

        /// The system's own word for it.
        var cause: String { String(cString: strerror(code)) }

        var reason: String { "cannot be read: \(cause)" }
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
        return (
            kind(of: status),
            Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        )
    }

    /// What is behind an open descriptor.
    static func kind(of descriptor: Int32) throws(Failure) -> Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current }
        return kind(of: status)
    }

    private static func kind(of status: stat) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .stream
        }
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

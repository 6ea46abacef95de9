import Essentials
import Platform

/// Files and folders as POSIX has them.
enum FileTree {
    typealias Kind = ImportRoot.Kind

    /// Tells a folder from another that has the same name, and knows it again under another.
    struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// What is at a path, symbolic links followed.
    static func status(of path: FilePath) throws(SystemError) -> (kind: Kind, identity: Identity) {
        var status = stat()
        guard stat(path.bytes, &status) == 0 else { throw .current }
        return (
            kind(of: status),
            Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        )
    }

    /// What is behind an open descriptor.
    static func kind(of descriptor: Int32) throws(SystemError) -> Kind {
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

    /// When a file was written last.
    static func modified(_ status: stat) -> Date {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec))
    }

    /// The names of what is in a folder and does not begin with a dot, in the order of the bytes of their names.
    static func content(of folder: FilePath) throws(SystemError) -> [[CChar]] {
        guard let stream = opendir(folder.bytes) else { throw .current }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name.first != CChar(bitPattern: UInt8(ascii: ".")) { names.append(name) }
        }
        guard errno == 0 else { throw .current }
        names.sort { $0.lexicographicallyPrecedes($1) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) } }
        return names
    }
}

import Text
import Platform

/// Files and folders in POSIX.
enum FileTree {
    typealias Kind = ImportRoot.Kind

    /// Identifies a folder regardless of its name.
    struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// Returns the kind of file at a path. Symbolic links are followed.
    static func kind(of path: FilePath) throws(SystemError) -> Kind {
        var status = stat()
        guard stat(path.bytes, &status) == 0 else { throw .current }
        return kind(of: status)
    }

    /// Returns the kind of file behind an open descriptor.
    static func kind(of descriptor: Int32) throws(SystemError) -> Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current }
        return kind(of: status)
    }

    /// Whether the path is a regular file. A symbolic link in the last part is not followed.
    static func isFile(_ path: FilePath) -> Bool {
        var status = stat()
        return lstat(path.bytes, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func kind(of status: stat) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .stream
        }
    }

    /// Returns the modification time of a file.
    static func modified(_ status: stat) -> Date {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec))
    }
}

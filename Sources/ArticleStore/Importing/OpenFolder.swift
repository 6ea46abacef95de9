import Platform

/// An open folder. Names are looked up relative to its descriptor, so replacing the folder by a symbolic link cannot
/// redirect the import. It is a class because the descriptor must be closed exactly once.
final class OpenFolder {
    /// The kind of an entry. Symbolic links are not followed.
    enum Entry {
        case file, folder, link
        /// A pipe, a socket or a device.
        case other
    }

    private let descriptor: Int32

    /// Opens the folder at a path. Symbolic links in the path are followed.
    init(path: FilePath) throws(SystemError) {
        descriptor = Platform.open(path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    /// Opens a folder in another one. A symbolic link is refused.
    init(_ name: [CChar], in folder: OpenFolder) throws(SystemError) {
        descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    deinit { close(descriptor) }

    /// Identifies the folder regardless of its name.
    var identity: FileTree.Identity {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .current }
            return FileTree.Identity(status)
        }
    }

    /// Returns the kind of an entry.
    func entry(_ name: [CChar]) throws(SystemError) -> Entry {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .current }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Opens a file in the folder. A symbolic link is refused, and opening a pipe does not block.
    ///
    /// - Returns: the descriptor, which the caller must close.
    func open(_ name: [CChar]) throws(SystemError) -> Int32 {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .current }
        return file
    }

    /// The names in the folder, each with a terminating zero, sorted by their bytes.
    var names: [[CChar]] {
        get throws(SystemError) {
            // Duplicate the descriptor, because closedir(3) closes it.
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw .current }
            guard let stream = fdopendir(copy) else {
                let error = SystemError.current
                close(copy)
                throw error
            }
            defer { closedir(stream) }
            var names: [[CChar]] = []
            errno = 0
            while let entry = readdir(stream) {
                let name = UnsafePointer(entry).name
                if name != Self.itself, name != Self.above { names.append(name) }
            }
            guard errno == 0 else { throw .current }
            names.sort { $0.lexicographicallyPrecedes($1) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) } }
            return names
        }
    }

    private static let itself = Array(".".utf8CString)
    private static let above = Array("..".utf8CString)
}

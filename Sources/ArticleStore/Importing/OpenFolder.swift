import Platform

/// A folder that is open, whose names are looked up in it itself: nobody who exchanges a folder for a symbolic link meanwhile
/// leads out of it. A class, because a descriptor is closed once.
final class OpenFolder {
    /// What a name stands for, which is not followed where it is a symbolic link.
    enum Entry {
        case file, folder, link
        /// A pipe, a socket or a device.
        case other
    }

    private let descriptor: Int32

    /// Opens what is at a path; symbolic links in it are followed.
    init(path: FilePath) throws(SystemError) {
        descriptor = Platform.open(path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    /// Opens a folder in another; a symbolic link is refused.
    init(_ name: [CChar], in folder: OpenFolder) throws(SystemError) {
        descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    deinit { close(descriptor) }

    /// By what the folder is known again, under whichever name.
    var identity: FileTree.Identity {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .current }
            return FileTree.Identity(status)
        }
    }

    /// What a name in the folder stands for.
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

    /// Opens a file in the folder; a symbolic link is refused, and nobody waits for a pipe.
    /// - Returns: the descriptor, which is the caller's to close.
    func open(_ name: [CChar]) throws(SystemError) -> Int32 {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .current }
        return file
    }

    /// What is in the folder, each name with the 0 that ends it, in the order of their bytes.
    var names: [[CChar]] {
        get throws(SystemError) {
            // A copy, because a stream of names closes what it reads from.
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

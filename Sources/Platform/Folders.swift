/// An open folder. Names are looked up relative to its descriptor, so replacing the folder by a symbolic link cannot
/// redirect a look-up. It is a class because the descriptor must be closed exactly once.
package final class OpenFolder {
    /// The kind of an entry. Symbolic links are not followed.
    package enum Entry {
        case file, folder, link
        /// A pipe, a socket or a device.
        case other
    }

    private let descriptor: Int32

    /// Opens the folder at a path. Symbolic links in the path are followed.
    package init(path: FilePath) throws(SystemError) {
        descriptor = Platform.open(path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    /// Opens a folder in another one. A symbolic link is refused.
    package init(_ name: [CChar], in folder: OpenFolder) throws(SystemError) {
        descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current }
    }

    deinit { close(descriptor) }

    /// Identifies the folder regardless of its name.
    package var identity: FileIdentity {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .current }
            return FileIdentity(status)
        }
    }

    /// Returns the kind of an entry.
    package func entry(_ name: [CChar]) throws(SystemError) -> Entry {
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
    package func open(_ name: [CChar]) throws(SystemError) -> Int32 {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .current }
        return file
    }

    /// The names in the folder, each with a terminating zero, sorted by their bytes.
    package var names: [[CChar]] {
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

/// The next entry of a folder, as `readdir` returns it.
///
/// An entry is only as long as its name, but its type is longer. Copying `d_name`, or asking for its size, would read
/// memory after the entry, which may not exist. So this extension accesses the bytes through a pointer to their start.
extension UnsafePointer<dirent> {
    /// The bytes of the name, with the 0 at the end.
    package var name: [CChar] {
        guard let start = UnsafeRawPointer(pointer(to: \.d_name))?.assumingMemoryBound(to: CChar.self) else {
            return [0]
        }
        return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
}

/// Returns the names of all entries in the folder at `path`, including `.` and `..`, in the order of the file system.
/// If the folder cannot be read, the result is empty. Bytes of a name that are not UTF-8 are replaced.
package func folderNames(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(String(decoding: UnsafePointer(entry).name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    return names
}

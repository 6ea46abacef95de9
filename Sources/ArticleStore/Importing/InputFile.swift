#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor to read from, closed at the end where it was opened here.
final class InputFile {
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

import Platform

/// A temporary file that only its owner can read. It is unlinked, so it disappears with this object, even if the
/// process is killed.
final class TemporaryFile {
    let descriptor: Int32

    /// - Parameter folder: the folder of the file.
    init(in folder: String) throws(SystemError) {
        var path = Array((folder + "/articlesctl.XXXXXX").utf8CString)
        // mkstemp(3) creates it with mode 0600.
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .current }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all of the bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        if let error = write(bytes) { throw error }
    }

    /// Writes all of the bytes.
    func append(_ bytes: [UInt8]) throws(SystemError) {
        if let error = bytes.withUnsafeBytes(write) { throw error }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno != EINTR { return .current }
            rest = rest.dropFirst(max(0, count))
        }
        return nil
    }

    /// Returns to the start, to read the file.
    func rewind() throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .current }
    }
}

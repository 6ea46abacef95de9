import Platform

/// A file that only its owner may read, for what is kept while something is read. It has no name and goes with this value, also
/// when the process is killed.
final class TemporaryFile {
    let descriptor: Int32

    /// - Parameter folder: where the file is.
    init(in folder: String) throws(SystemError) {
        var path = Array((folder + "/articlesctl.XXXXXX").utf8CString)
        // Of mode 0600.
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

    /// Goes back to the start, to be read from there.
    func rewind() throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .current }
    }
}

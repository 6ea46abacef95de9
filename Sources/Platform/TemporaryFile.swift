/// A temporary file that only its owner can read. It is unlinked, so it disappears with this object, even if the
/// process is killed.
package final class TemporaryFile {
    package let descriptor: Int32

    /// - Parameter folder: the folder of the file.
    package init(in folder: String) throws(SystemError) {
        var path = Array((folder + "/articlesctl.XXXXXX").utf8CString)
        // mkstemp(3) creates it with mode 0600.
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .current }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all of the bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { try bytes.write(to: descriptor) }

    /// Writes all of the bytes.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
            try append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Returns to the start, to read the file.
    package func rewind() throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .current }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all of the bytes, even if the system accepts them only in parts.
    package func write(to descriptor: Int32) throws(SystemError) {
        var rest = self
        while !rest.isEmpty {
            let count = Platform.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno != EINTR { throw .current }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Swift.max(0, count)))
        }
    }
}

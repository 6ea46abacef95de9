import FlowCoordinators
import Platform

/// A new token file under a temporary name. It is deleted with the object unless a token was saved.
final class PreparedTokenFile: PreparedTokenWrite {
    private let path: String
    private let partial: String
    private let descriptor: Int32

    /// More bytes than a token has.
    private static let room = 128

    init(path: String) throws {
        self.path = path
        // An interrupted attempt may have left another file, so make the name unique.
        partial = "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFileError.failed(path, errno) }
        try write([UInt8](repeating: UInt8(ascii: "\n"), count: Self.room))
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // After a successful save, the file no longer has this name, and this call does nothing.
        unlink(partial)
    }

    func save(_ token: String) throws {
        // Overwrite in place. Readers stop at the newline, so no extra disk space is needed.
        try write(Array(token.utf8) + [UInt8(ascii: "\n")])
        guard ftruncate(descriptor, off_t(token.utf8.count + 1)) == 0, rename(partial, path) == 0 else {
            throw TokenFileError.failed(path, errno)
        }
    }

    /// Returns the process that created a temporary file for the file `name`; nil if it is not such a file.
    static func owner(of other: String, beside name: Substring) -> pid_t? {
        guard other.hasPrefix(name + "."), other.hasSuffix(".partial") else { return nil }
        return pid_t(other.dropFirst(name.count + 1).dropLast(".partial".count).prefix { $0 != "-" })
    }

    private func write(_ bytes: [UInt8]) throws {
        let written = pwrite(descriptor, bytes, bytes.count, 0)
        // A full disk may have room for a part of the bytes. That does not set `errno`.
        if (0..<bytes.count).contains(written) { throw TokenFileError.failed(path, ENOSPC) }
        guard written == bytes.count, fsync(descriptor) == 0 else { throw TokenFileError.failed(path, errno) }
    }
}

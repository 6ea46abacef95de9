import FlowCoordinators
import Platform

/// A new file for a token, that is not under its name yet. It goes with the value unless a token was saved.
final class PreparedTokenFile: TokenPlace {
    private let path: String
    private let partial: String
    private let descriptor: Int32

    /// More than a token has.
    private static let room = 128

    init(path: String) throws {
        self.path = path
        // Of an attempt that was left there may be another.
        partial = "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFileError.failed(path, errno) }
        try write([UInt8](repeating: UInt8(ascii: "\n"), count: Self.room))
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // Not there any more once it is under its name.
        unlink(partial)
    }

    func save(_ token: String) throws {
        // Over what is there: a line that is read as far as its end takes no new room.
        try write(Array(token.utf8) + [UInt8(ascii: "\n")])
        guard ftruncate(descriptor, off_t(token.utf8.count + 1)) == 0, rename(partial, path) == 0 else {
            throw TokenFileError.failed(path, errno)
        }
    }

    /// The process whose file of this name stands beside the one called `name`; nil where it is none.
    static func owner(of other: String, beside name: Substring) -> pid_t? {
        guard other.hasPrefix(name + "."), other.hasSuffix(".partial") else { return nil }
        return pid_t(other.dropFirst(name.count + 1).dropLast(".partial".count).prefix { $0 != "-" })
    }

    private func write(_ bytes: [UInt8]) throws {
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, fsync(descriptor) == 0 else {
            throw TokenFileError.failed(path, errno)
        }
    }
}

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file or folder that is written under a temporary name and renamed when it is complete. It is locked while the
/// object exists, so that other processes can tell whether it is still being written. If it was not renamed, releasing
/// the object deletes it.
package final class UnfinishedEntry {
    package enum Kind { case file, folder }

    private static let prefix = ".articlesctl-unfinished-"

    package let path: String
    /// The descriptor of a file for writing, or of a folder.
    package let descriptor: Int32
    /// Whether it was renamed, so that it must not be deleted.
    package var isFinished = false

    /// Creates an entry, and deletes entries that processes left behind here when they were killed.
    ///
    /// - Parameters:
    ///   - folder: the parent folder with a slash at the end; empty for the current directory.
    ///   - mode: the permissions, reduced by the umask.
    package init(_ kind: Kind, in folder: String, mode: mode_t) throws(SystemError) {
        Self.removeAbandoned(in: folder)
        while true {
            let path = folder + Self.prefix + Self.number()
            let descriptor: Int32
            switch kind {
            case .file: descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            case .folder:
                descriptor = mkdir(path, mode) == 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
            }
            guard descriptor >= 0 else {
                guard errno == EEXIST else { throw .current }
                continue
            }
            // If the file system does not support locks, other processes do not delete entries either.
            _ = Self.lock(descriptor, waits: true)
            // Before it was locked, another process could have deleted it as abandoned. If so, try again.
            if Self.isNamed(path, descriptor) {
                (self.descriptor, self.path) = (descriptor, path)
                return
            }
            close(descriptor)
        }
    }

    /// Returns 16 random hexadecimal digits, which no file of a user is likely to have in its name.
    package static func number() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isUnfinished(_ name: String) -> Bool {
        let number = name.utf8.dropFirst(prefix.utf8.count)
        return name.hasPrefix(prefix) && number.count == 16
            && number.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    deinit {
        if !isFinished { try? FileManager.default.removeItem(atPath: path) }
        close(descriptor)
    }

    private static func removeAbandoned(in folder: String) {
        guard let open = try? OpenFolder(path: FilePath(folder.isEmpty ? "." : folder)), let names = try? open.names
        else {
            return
        }
        for name in names.map({ FilePath(name: $0).text })
        where isUnfinished(name) {
            let path = folder + name
            let descriptor = Platform.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT), lock(descriptor, waits: false)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Locks an open file until it is closed.
    ///
    /// - Parameter waits: whether to wait until others release their locks.
    /// - Returns: false if another process has the lock, or the file system does not support locks.
    private static func lock(_ descriptor: Int32, waits: Bool) -> Bool {
        while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 { if errno != EINTR { return false } }
        return true
    }

    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, open) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(descriptor, &open) == 0
            && FileIdentity(named) == FileIdentity(open)
    }
}

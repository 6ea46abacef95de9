import Essentials
import Platform

/// A file or folder that is being written under a name of its own, and takes another when it is whole. It is locked as long as
/// the value lives, and so tells who comes later whether somebody still writes it. What was not renamed goes with the value.
final class UnfinishedEntry {
    enum Kind { case file, folder }

    private static let prefix = ".articlesctl-unfinished-"

    let path: String
    /// Open for writing where it is a file.
    let descriptor: Int32
    /// Whether it has another name now, under which it stays.
    var isFinished = false

    /// Makes one, and removes what others left behind beside it that were killed.
    /// - Parameters:
    ///   - folder: where it is, with a slash at the end; empty for the current folder.
    ///   - mode: who may do what with it, as far as the umask lets them.
    init(_ kind: Kind, in folder: String, mode: mode_t) throws(SystemError) {
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
            // Without locks nobody removes anything, either.
            _ = Self.lock(descriptor, waits: true)
            // Before, it was like one that was left behind.
            if Self.isNamed(path, descriptor) {
                (self.descriptor, self.path) = (descriptor, path)
                return
            }
            close(descriptor)
        }
    }

    /// In 16 hexadecimal digits, which nobody's own file is called by.
    static func number() -> String {
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

    /// Locks what is open until it is closed.
    /// - Parameter waits: whether until others give the lock up.
    /// - Returns: false where others have it, and where the file system knows no locks.
    private static func lock(_ descriptor: Int32, waits: Bool) -> Bool {
        while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 { if errno != EINTR { return false } }
        return true
    }

    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, open) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(descriptor, &open) == 0
            && FileTree.Identity(named) == FileTree.Identity(open)
    }
}

import Essentials
import Platform

/// A file or folder that is being written under a name of its own, and takes another when it is whole. It is locked as long as
/// the value lives, and so tells who comes later whether somebody still writes it. What was not renamed goes with the value.
final class UnfinishedEntry {
    enum Kind { case file, folder }

    private static let prefix = ".articlesctl-"

    let path: String
    /// Open for writing where it is a file.
    let descriptor: Int32
    /// Whether it has another name now, under which it stays.
    var isFinished = false

    /// Makes one, for its owner alone, and removes what others left behind beside it that were killed.
    /// - Parameter folder: where it is, with a slash at the end; empty for the current folder.
    init(_ kind: Kind, in folder: String) throws(SystemError) {
        Self.removeAbandoned(in: folder)
        while true {
            var template = Array("\(folder)\(Self.prefix)XXXXXX".utf8CString)
            let descriptor: Int32
            switch kind {
            case .file: descriptor = mkstemp(&template)
            case .folder:
                guard mkdtemp(&template) != nil else { throw .current }
                descriptor = open(template, O_RDONLY | O_DIRECTORY)
            }
            guard descriptor >= 0 else { throw .current }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // Without locks nobody removes anything, either.
            _ = Self.lock(descriptor, waits: true)
            // Before, it was like one that was left behind.
            if Self.isNamed(template, descriptor) {
                self.descriptor = descriptor
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                return
            }
            close(descriptor)
        }
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
        where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
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

    private static func isNamed(_ path: [CChar], _ descriptor: Int32) -> Bool {
        var (named, open) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(descriptor, &open) == 0
            && FileTree.Identity(named) == FileTree.Identity(open)
    }
}

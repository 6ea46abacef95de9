import Database
import Platform

/// Checks the token file, the device files, and their folder.
struct TokenFileCheck: Check {
    let path: String
    /// The prefix of the device files.
    let devices: String

    func findings() -> [Finding] {
        ([folder, path] + deviceFiles).compactMap { path in
            guard let info = Self.info(path) else { return nil }
            let isFolder = path == folder
            let (what, advice) =
                if isFolder {
                    ("the folder of the session, \(path),", "chmod 700 \(path)")
                } else if path == self.path {
                    ("the file of the session, \(path),", "log in again, which ends this session")
                } else {
                    ("the file that identifies this machine, \(path),", "remove it: the next login creates another")
                }
            if info.st_uid != geteuid() {
                return Finding(
                    .owner, on: path, "\(what) belongs to user \(info.st_uid), who can log you in as another user",
                    advice: "remove it, and log in again")
            }
            let loose = isFolder ? info.st_mode & 0o022 : info.st_mode & 0o077
            guard loose != 0, info.st_mode & S_IFMT != S_IFLNK else { return nil }
            return Finding(
                .mode, on: path, "\(what) can be \(info.st_mode & 0o022 != 0 ? "written" : "read") by others",
                advice: advice, isRepairable: isFolder)
        }
    }

    func repair() throws {
        guard let info = Self.info(folder), info.st_uid == geteuid(), info.st_mode & 0o022 != 0 else { return }
        guard chmod(folder, 0o700) == 0 else { throw TokenFileError.failed(folder, errno) }
    }

    private var deviceFiles: [String] {
        folderNames(folder).map { "\(folder)/\($0)" }.filter { $0.hasPrefix(devices) }.sorted()
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    private static func info(_ path: String) -> stat? {
        var info = stat()
        return lstat(path, &info) == 0 ? info : nil
    }
}

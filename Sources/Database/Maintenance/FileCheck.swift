internal import CPlatform
internal import Platform

/// Checks the files of a database: their access rights, and other files beside them.
public struct FileCheck: Check {
    private let file: DatabaseFile

    /// Creates a check of the files of the database at `path`.
    public init(path: String) {
        file = DatabaseFile(path: DatabaseFile(path: path).resolvedPath)
    }

    /// Returns the findings. See `Check` for the errors.
    public func findings() throws -> [Finding] {
        folderFindings + ownFiles.flatMap(findings(on:)) + leftoverFindings + linkFindings + fileSystemFindings
            + spaceFindings
    }

    /// Repairs the findings that can be repaired.
    public func repair() throws {
        for path in try PartialFile.abandoned(beside: file) { _ = try PartialFile.removeIfAbandoned(path) }
        for path in otherLeftovers { try DatabaseFile(path: path).remove() }
        for path in ownFiles {
            guard let info = Self.info(path), info.isLoose, info.isMine else { continue }
            try DatabaseFile(path: path).makePrivate()
        }
        if let info = Self.info(file.folder), info.isOpenFolder, info.isMine,
            chmod(file.folder, info.st_mode & 0o7777 & ~0o022) != 0
        {
            throw DatabaseError.cannotOpen(path: file.folder, reason: SystemError.current.description)
        }
    }

    /// Removes other users' access rights to the database and the files that are beside it while it is in use, if it
    /// belongs to this program.
    ///
    /// - Returns: the paths of the files that others could read or write.
    /// - Throws: `DatabaseError.cannotOpen` if others may write a file, and the user may not change that.
    package func closeToOthers(applicationID: Int32) throws -> [String] {
        let loose = ["", "-wal", "-shm", "-lock"].map { file.path + $0 }.filter { Self.info($0)?.isLoose == true }
        guard !loose.isEmpty, !file.isOnReadOnlyMedia,
            (try? file.content()) == .database(applicationID: applicationID)
        else { return [] }
        var closed: [String] = []
        for path in loose {
            guard let info = Self.info(path), info.isLoose, info.st_mode & S_IFMT == S_IFREG else { continue }
            if info.isMine, chmod(path, info.st_mode & 0o700) == 0 {
                closed.append(path)
            } else if info.st_mode & 0o022 != 0 {
                throw DatabaseError.cannotOpen(
                    path: path, reason: "it can be written by others, and you may not change it")
            }
        }
        return closed
    }

    /// The existing files of the database and of its copies.
    private var ownFiles: [String] {
        let others = file.neighbours.filter { neighbour in
            guard neighbour.hasPrefix(file.name) else { return false }
            let ending = neighbour.dropFirst(file.name.count)
            return ["-wal", "-shm", "-lock", "-journal"].contains(ending)
                || ending.hasPrefix(".") && (ending.hasSuffix(".backup") || ending.hasPrefix(Restorer.keptMark))
        }
        return ([file.name] + others.sorted()).map { file.folder + $0 }.filter { DatabaseFile(path: $0).isTaken }
    }

    private func findings(on path: String) -> [Finding] {
        guard let info = Self.info(path) else { return [] }
        var found: [Finding] = []
        if info.st_mode & S_IFMT != S_IFREG {
            found.append(
                Finding(
                    .mode, on: path, "\(path) is not a regular file",
                    advice: "find out where it comes from, and remove it"
                ))
        } else if info.isLoose {
            found.append(
                Finding(
                    .mode, on: path, "\(path) can be \(info.st_mode & 0o022 != 0 ? "written" : "read") by others",
                    advice: "chmod 600 \(path)", isRepairable: info.isMine))
        }
        if info.st_uid != keeper {
            let other = keeper == geteuid() ? "you" : "user \(keeper), who owns the database"
            found.append(
                Finding(
                    .owner, on: path, "\(path) belongs to user \(info.st_uid), not to \(other)",
                    advice: "change its owner with chown, or run this command as that user"))
        }
        return found
    }

    private var folderFindings: [Finding] {
        guard let info = Self.info(file.folder) else { return [] }
        if info.isOpenFolder {
            return [
                Finding(
                    .mode, on: file.folder, "others may replace files in the folder \(file.folder)",
                    advice: "chmod go-w \(file.folder)", isRepairable: info.isMine)
            ]
        }
        guard info.st_uid == keeper || info.st_uid == 0 else {
            return [
                Finding(
                    .owner, on: file.folder,
                    "the folder \(file.folder) belongs to user \(info.st_uid), who may replace "
                        + "its files", advice: "move the database to a folder of yours, or give it to that user")
            ]
        }
        return []
    }

    /// The user to whom all files should belong: this user, or the user of a service if root runs the check.
    private var keeper: uid_t {
        guard geteuid() == 0, let folder = Self.info(file.folder), let database = Self.info(file.path),
            folder.st_uid == database.st_uid
        else { return geteuid() }
        return folder.st_uid
    }

    private var linkFindings: [Finding] {
        guard let info = Self.info(file.path), info.st_nlink > 1 else { return [] }
        return [
            Finding(
                .links, on: file.path,
                "\(file.path) has \(info.st_nlink) names (hard links), so changes through one name "
                    + "can be lost through another", advice: "remove the other names, or copy the file instead")
        ]
    }

    /// The files that an interrupted creation left.
    private var otherLeftovers: [String] { file.leftovers.filter { !$0.hasSuffix(".partial") } }

    private var leftoverFindings: [Finding] {
        let left = (try? PartialFile.abandoned(beside: file)) ?? []
        return (left + otherLeftovers).map { path in
            Finding(
                .leftover, on: path, "\(path) was left by a process that was killed", advice: "remove it",
                isRepairable: true)
        }
    }

    private var fileSystemFindings: [Finding] {
        guard file.isOnNetwork else { return [] }
        return [
            Finding(
                .fileSystem, on: file.path,
                "\(file.path) is on a network file system: it has no write-ahead log, and "
                    + "its locks depend on the file server", advice: "move it to a local disk",
                isFault: false)
        ]
    }

    private var spaceFindings: [Finding] {
        var info = statvfs()
        guard statvfs(file.folder, &info) == 0 else { return [] }
        let free = Int(info.f_bavail) * Int(info.f_frsize)
        // A migration makes a copy, and a log may become as long as the database.
        let needed = max(2 * (file.size + file.log.size), 16 << 20)
        guard free < needed else { return [] }
        return [
            Finding(
                .space, on: file.folder,
                "\(free >> 20) MiB are free on the disk of \(file.folder), but a migration or a "
                    + "long import can need \(needed >> 20) MiB", advice: "free disk space")
        ]
    }

    private static func info(_ path: String) -> stat? {
        var info = stat()
        return lstat(path, &info) == 0 ? info : nil
    }
}

extension stat {
    /// Whether users other than the owner can read or write it.
    fileprivate var isLoose: Bool { st_mode & 0o077 != 0 }

    /// Whether this user may change it.
    fileprivate var isMine: Bool { st_uid == geteuid() }

    /// Whether others can replace its entries.
    fileprivate var isOpenFolder: Bool { st_mode & 0o022 != 0 && st_mode & S_ISVTX == 0 }
}

extension PartialFile {
    /// Returns the incomplete files beside a database that killed processes left.
    static func abandoned(beside file: DatabaseFile) throws -> [String] {
        try file.neighbours.filter { $0.hasPrefix(file.name + ".") && $0.hasSuffix(".partial") }.sorted()
            .map { file.folder + $0 }.filter { try isAbandoned($0) }
    }
}

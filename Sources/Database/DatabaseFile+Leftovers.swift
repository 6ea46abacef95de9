internal import Platform

extension DatabaseFile {
    /// The files beside the database that a killed process left: from interrupted backups before a migration, and from
    /// the creation of the file. They are not created while the write lock is held.
    var leftovers: [String] {
        neighbours.filter { neighbour in
            guard neighbour.hasPrefix(name + ".") else { return false }
            let ending = neighbour.dropFirst(name.count + 1)
            return BackupName.isPartial(ending)
                || Self.isTemporary(ending) && DatabaseFile(path: folder + neighbour).isEmptyFile
        }.map { folder + $0 }
    }

    private var isEmptyFile: Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_size == 0
    }

    /// Returns whether `create()` could have created the ending. Endings by users, such as in `articles.db.backup`,
    /// rarely contain a capital letter or a digit.
    private static func isTemporary(_ ending: Substring) -> Bool {
        ending.utf8.count == 6 && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && ending.contains { $0.isUppercase || $0.isNumber }
    }
}

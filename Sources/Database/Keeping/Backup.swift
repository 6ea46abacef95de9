internal import Platform

/// A completed backup.
public struct Backup: Hashable, Sendable {
    /// The progress of a copy.
    public struct Progress: Hashable, Sendable {
        /// The number of copied pages. When all are copied, the copy is being checked.
        public let pages: Int
        /// The number of pages of the database.
        public let pageCount: Int
    }

    /// The path of the file.
    public let path: String
    /// The size in bytes.
    public let bytes: Int
    /// The row count of each table, by name.
    public let rows: [String: Int]
}

extension Database {
    /// Copies the database into a new file with mode 0600 while it is in use. The copy is one consistent view, is
    /// checked, is on the disk when the call returns, and gets its final name only when it is complete.
    ///
    /// - Parameters:
    ///   - destination: a path that does not exist.
    ///   - progress: called repeatedly with the progress. If it throws, the copy ends.
    /// - Throws: `DatabaseError`: `exists` if `destination` exists, `cannotOpen` if it cannot be created, `unsound` if
    ///   the database is damaged, because the copy would be too; or the error of `progress`.
    @discardableResult
    public func backUp(to destination: String, progress: (Backup.Progress) throws -> Void = { _ in }) throws -> Backup {
        let file = try PartialFile(of: destination)
        let rows = try read { snapshot in
            // The first read begins the transaction, from which all pages are copied.
            let rows = try snapshot.connection.rowCounts()
            try snapshot.connection.copy(to: file, progress: progress)
            return rows
        }
        try file.check(against: rows, of: path)
        let bytes = DatabaseFile(path: file.path).size
        try file.finish()
        return Backup(path: destination, bytes: bytes, rows: rows)
    }
}

extension PartialFile {
    /// Checks a copy: SQLite must find no errors in it, and it must have the same row counts as the original, if they
    /// are known.
    ///
    /// - Throws: `unsound` with the path of the original.
    func check(against rows: [String: Int]? = nil, of original: String) throws {
        let copy = try Connection(alone: path, access: .readOnly)
        var problems: [String]
        do {
            problems = try copy.damage() + copy.orphans()
        } catch DatabaseError.damaged(_, let failure) {
            problems = [failure.message]
        }
        if let rows, problems.isEmpty {
            let copied = try copy.rowCounts()
            problems = rows.filter { copied[$0.key] != $0.value }.map { name, count in
                "table \(name) has \(count) rows, and \(copied[name] ?? 0) in a copy"
            }.sorted()
        }
        guard problems.isEmpty else { throw DatabaseError.unsound(path: original, problems: problems) }
    }
}

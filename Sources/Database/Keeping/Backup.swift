internal import Platform

/// A backup that was made.
public struct Backup: Hashable, Sendable {
    /// How far a copy is.
    public struct Progress: Hashable, Sendable {
        /// The pages that are written. When these are all, the copy is being checked.
        public let pages: Int
        /// All pages of the database.
        public let pageCount: Int
    }

    /// The path of the file.
    public let path: String
    /// How long it is.
    public let bytes: Int
    /// How many rows each table has, by its name.
    public let rows: [String: Int]
}

extension Database {
    /// Copies the database into a new file of mode 0600 while it is being used: one consistent view, checked, on the disk when
    /// the call returns, and under its final name only when it is whole.
    ///
    /// - Parameters:
    ///   - destination: a name that is not taken.
    ///   - progress: told again and again how far the copy is; what it throws ends the copy.
    /// - Throws: `DatabaseError`: `exists` if there is something at `destination`, `cannotOpen` if it cannot be made, `unsound` when the
    ///   database is damaged, so that a copy would be; or what `progress` throws.
    @discardableResult
    public func backUp(to destination: String, progress: (Backup.Progress) throws -> Void = { _ in }) throws -> Backup {
        let file = try PartialFile(of: destination)
        let rows = try read { snapshot in
            // Begins the transaction, from which all pages come.
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
    /// Checks a copy: that SQLite finds nothing wrong in it, and that it has as many rows as the original, where that is known.
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

internal import Platform
public import Text

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
                "table \(name) has \(count.quantity(of: "row")), but \(copied[name] ?? 0) in the copy"
            }.sorted()
        }
        guard problems.isEmpty else { throw DatabaseError.unsound(path: original, problems: problems) }
    }
}

/// The backups of one database in a folder. Their names contain that of the database and the time:
/// `articles.db.20261121T120000Z.backup`.
public struct BackupFolder: Sendable {
    private let path: String
    /// The name of the database.
    private let name: String

    /// Creates a value for the backups of the database at `database` in the folder at `path`.
    public init(path: String, of database: String) {
        self.path = path.hasSuffix("/") ? path : path + "/"
        name = DatabaseFile(path: database).name
    }

    /// Returns an unused path for a backup at this time.
    public func newPath(at date: Date) -> String {
        let stamp = path + name + "." + date.fileStamp
        var (candidate, number) = (stamp + Self.suffix, 1)
        // Two backups may be made in the same second.
        while DatabaseFile(path: candidate).isTaken {
            number += 1
            candidate = "\(stamp)-\(number)\(Self.suffix)"
        }
        return candidate
    }

    /// The paths of the backups, oldest first. Files with other names belong to the user.
    public var backups: [String] { named("") }

    /// Removes the files of killed backups.
    ///
    /// - Throws: `DatabaseError.cannotOpen` if a file cannot be removed.
    public func removeLeftovers() throws {
        for path in named(".partial") { _ = try PartialFile.removeIfAbandoned(path) }
    }

    /// Returns the paths of the files with a backup's name and this ending, in the order of their times.
    private func named(_ ending: String) -> [String] {
        let ending = Self.suffix + ending
        return DatabaseFile(path: path).neighbours.compactMap {
            neighbour -> (time: String, number: Int, path: String)? in
            guard neighbour.hasPrefix(name + "."), neighbour.hasSuffix(ending) else { return nil }
            let parts = neighbour.dropFirst(name.count + 1).dropLast(ending.count)
                .split(separator: "-", omittingEmptySubsequences: false)
            guard let time = parts.first, String(time.map { $0.isASCIIDigit ? "0" : $0 }) == "00000000T000000Z" else {
                return nil
            }
            if parts.count == 1 { return (String(time), 1, path + neighbour) }
            guard parts.count == 2, let number = Int(parts[1]), number > 1 else { return nil }
            return (String(time), number, path + neighbour)
        }.sorted { ($0.time, $0.number) < ($1.time, $1.number) }.map(\.path)
    }

    /// Removes all backups except the newest.
    ///
    /// - Returns: the paths of the removed backups.
    /// - Throws: `DatabaseError.cannotOpen` if a file cannot be removed.
    public func removeAll(butNewest count: Int) throws -> [String] {
        let old = Array(backups.dropLast(count))
        for path in old { try DatabaseFile(path: path).remove() }
        return old
    }

    private static let suffix = ".backup"
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Date {
    /// The time in UTC as in file names: `20261121T120000Z`.
    var fileStamp: String {
        formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
            .filter { $0 != ":" }
    }
}

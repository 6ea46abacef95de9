public import Text

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
        for path in named(".partial") { _ = try PartialFile.removeIfLeft(path) }
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

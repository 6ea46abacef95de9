/// The rows of a table with a foreign key that refers to missing rows.
struct Orphans {
    let table: String
    let parent: String
    let count: Int
    /// Whether they would have been deleted together with the rows to which they refer.
    let isCascading: Bool
    private let condition: String

    static func all(_ connection: Connection) throws -> [Orphans] {
        var counts: [Key: Int] = [:]
        try connection.forEach("PRAGMA foreign_key_check", []) { row in
            counts[Key(table: try row.value(0), parent: try row.value(2), number: try row.value(3)), default: 0] += 1
        }
        return try counts.sorted { ($0.key.table, $0.key.number) < ($1.key.table, $1.key.number) }.map { key, count in
            try Orphans(key, count: count, connection)
        }
    }

    /// Removes all orphans, and the rows that refer to them.
    ///
    /// - Returns: the number of removed rows.
    static func removeAll(_ connection: Connection) throws -> Int {
        var count = 0
        while true {
            let found = try all(connection)
            if found.isEmpty { return count }
            for orphans in found { count += try orphans.remove(connection) }
        }
    }

    /// - Returns: the number of removed rows.
    @discardableResult
    func remove(_ connection: Connection) throws -> Int {
        try connection.run("DELETE FROM \(table.quotedIdentifier) WHERE \(condition)", [])
    }

    private struct Key: Hashable {
        let table: String
        let parent: String
        let number: Int
    }

    private init(_ key: Key, count: Int, _ connection: Connection) throws {
        var columns: [(from: String, to: String?)] = []
        var isCascading = false
        try connection.forEach(
            "SELECT \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) WHERE id = ?",
            [.text(key.table), Value(key.number)]
        ) { row in
            columns.append((try row.value(0), try row.value(1)))
            isCascading = try row.value(2) == "CASCADE"
        }
        table = key.table
        parent = key.parent
        self.count = count
        // In the schema of this package, foreign keys always name the referenced column.
        self.isCascading = isCascading && !columns.isEmpty && columns.allSatisfy { $0.to != nil }
        let child = key.table.quotedIdentifier
        let set = columns.map { "\(child).\($0.from.quotedIdentifier) IS NOT NULL" }
        let match = columns.map { "parent.\(($0.to ?? "").quotedIdentifier) = \(child).\($0.from.quotedIdentifier)" }
        condition =
            (set + [
                "NOT EXISTS (SELECT 1 FROM \(key.parent.quotedIdentifier) AS parent WHERE "
                    + match.joined(separator: " AND ") + ")"
            ]).joined(separator: " AND ")
    }
}

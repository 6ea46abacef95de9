/// Checks whether a database, and a copy of it, is intact.
extension Connection {
    /// Returns the findings of `PRAGMA integrity_check`, a sentence each. SQLite stops at 100.
    func damage() throws -> [String] {
        var found: [String] = []
        // Of a database with virtual tables, SQLite 3.40 looks at the list of free pages in the check of the schema alone,
        // unless an ordinary table happens to come first.
        for check in ["PRAGMA integrity_check(sqlite_schema)", "PRAGMA integrity_check"] {
            try forEach(check, []) { row in
                let sentence: String = try row.value(0)
                if sentence != "ok", !found.contains(sentence) { found.append(sentence) }
            }
        }
        return found
    }

    /// The rows that refer to rows that are not there, a sentence each.
    func orphans() throws -> [String] {
        var found: [String] = []
        try forEach("PRAGMA foreign_key_check", []) { row in
            let (table, rowID, parent): (String, Int64?, String) = try (row.value(0), row.value(1), row.value(2))
            found.append(
                "row \(rowID.map(String.init) ?? "?") of \(table) refers to a row of \(parent) that is not there")
        }
        return found
    }

    /// How many rows each table has, by its name.
    func rowCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        // A table without a page of its own is virtual.
        try forEach("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", []) {
            counts[try $0.value(0)] = 0
        }
        for name in counts.keys {
            counts[name] = try first("SELECT count(*) FROM \(name.quotedIdentifier)", []) { try $0.value(0) }
        }
        return counts
    }
}

extension String {
    /// As the name of a table or column in SQL, where nothing can be bound.
    var quotedIdentifier: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// Checks whether a database, and a copy of it, is intact.
extension Connection {
    /// Returns the findings of `PRAGMA integrity_check`, a sentence each. SQLite stops at 100.
    func damage() throws -> [String] {
        var found: [String] = []
        // If a database has virtual tables, SQLite 3.40 examines the list of free pages only in the check of the
        // schema, unless an ordinary table comes first.
        for check in ["PRAGMA integrity_check(sqlite_schema)", "PRAGMA integrity_check"] {
            try forEach(check, []) { row in
                let sentence: String = try row.value(0)
                if sentence != "ok", !found.contains(sentence) { found.append(sentence) }
            }
        }
        return found
    }

    /// Returns the rows that refer to missing rows, one sentence each.
    func orphans() throws -> [String] {
        var found: [String] = []
        try forEach("PRAGMA foreign_key_check", []) { row in
            let (table, rowID, parent): (String, Int64?, String) = try (row.value(0), row.value(1), row.value(2))
            found.append(
                "row \(rowID.map(String.init) ?? "?") of \(table) refers to a row of \(parent) that is not there")
        }
        return found
    }

    /// Returns the row count of each table, by name.
    func rowCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        // Skip virtual tables, which do not have a page of their own.
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
    /// The text quoted as the name of a table or column in SQL, where values cannot be bound.
    var quotedIdentifier: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

internal import CSQLite

extension Connection {
    /// Opens a file that no other process uses, so it never waits for locks.
    ///
    /// - Throws: `DatabaseError`.
    convenience init(alone path: String, access: Access, isDurable: Bool = true) throws {
        let busyWait = BusyWait(timeout: 0, isInterrupted: { false })
        try self.init(path: path, access: access, busyWait: busyWait, isDurable: isDurable)
    }
}

extension Connection {
    /// Copies all pages of the database, as the open transaction sees it, into an empty file.
    ///
    /// - Throws: `DatabaseError`, or the error of `progress`.
    func copy(to file: PartialFile, progress: (Backup.Progress) throws -> Void) throws {
        try copyPages(to: file.path, progress: progress)
        try file.markAsOneFile()
    }

    private func copyPages(to path: String, progress: (Backup.Progress) throws -> Void) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        defer { sqlite3_close_v2(opened) }
        guard code == SQLITE_OK, let copy = opened else { throw DatabaseError.from(code, on: opened, path: path) }
        // An incomplete copy is discarded, so it needs no journal and no synchronous writes.
        let settings = sqlite3_exec(copy, "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF", nil, nil, nil)
        guard settings == SQLITE_OK, let backup = sqlite3_backup_init(copy, "main", handle, "main") else {
            throw DatabaseError.from(sqlite3_errcode(copy), on: copy, path: path)
        }
        var step = SQLITE_OK
        do {
            while step == SQLITE_OK {
                // 1024 pages are 4 MiB, which takes a few milliseconds.
                step = sqlite3_backup_step(backup, 1024)
                let pageCount = Int(sqlite3_backup_pagecount(backup))
                try progress(
                    Backup.Progress(pages: pageCount - Int(sqlite3_backup_remaining(backup)), pageCount: pageCount))
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let result = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, result == SQLITE_OK else {
            throw DatabaseError.from(step == SQLITE_DONE ? result : step, on: copy, path: path)
        }
    }
}

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
                "row \(rowID.map(String.init) ?? "?") of \(table) refers to a missing row of \(parent)")
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

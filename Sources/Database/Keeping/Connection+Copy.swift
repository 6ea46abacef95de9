internal import CSQLite

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

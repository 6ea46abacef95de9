package import ArticleStore
package import Database

extension StoreError {
    /// Creates the error of a store from an error of its SQLite file.
    package init(_ error: DatabaseError) {
        let (kind, advice): (Kind, String?) =
            switch error {
            case .interrupted: (.interrupted, nil)
            case .busy: (.busy, nil)
            case .readOnly: (.readOnly, "check that you may write the file and its folder")
            case .inputOutput(let path, let failure):
                (error.isDiskFull ? .full : .inputOutput, Self.advice(on: path, failure))
            case .damaged, .unexpectedValue, .unsound: (.damaged, nil)
            case .replaced: (.replaced, nil)
            case .sqlite, .foreignKeyViolation: (.refused, nil)
            case .needsMigration(let path, _, _): (.unavailable, "run: articlesctl migrate --database \(path)")
            default: (.unavailable, nil)
            }
        self.init(kind, error.description, advice: advice, cause: error)
    }

    private static func advice(on path: String, _ failure: SQLiteFailure) -> String {
        if path.hasSuffix("-wal") || path.hasSuffix("-shm") {
            return
                "it was truncated or replaced, or you may not write it: stop all processes that use the database, and restore "
                + "the file; you may remove the -shm, but the -wal contains the latest changes"
        }
        // A full quota is reported as SQLITE_IOERR, and a lack of file descriptors as SQLITE_CANTOPEN.
        return failure.code == 14
            ? "check that you may access the file and its folder, and that the program may open more files (ulimit -n)"
            : "check the disk: it may be full, over its quota, or failing"
    }

    /// Whether a UNIQUE or PRIMARY KEY constraint refused the row.
    var isUniqueViolation: Bool { (cause as? DatabaseError)?.isUniqueViolation ?? false }
}

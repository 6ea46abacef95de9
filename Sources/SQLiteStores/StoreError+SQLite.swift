package import ArticleStore
package import Database

extension StoreError {
    /// Creates the error of a store from an error of its SQLite file.
    package init(_ error: DatabaseError) {
        let (kind, advice): (Kind, String?) =
            switch error {
            case .interrupted: (.interrupted, nil)
            case .busy: (.busy, nil)
            case .readOnly: (.readOnly, "make the file and its folder writable for you")
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
                "it was cut, replaced or is not yours to write: stop what uses the database, and make it as it was; the -shm "
                + "may be removed, the -wal holds what was written last"
        }
        // A full quota is reported as SQLITE_IOERR, and a lack of file descriptors as SQLITE_CANTOPEN.
        return failure.code == 14
            ? "check that it and its folder are yours, and that the program may open more files (ulimit -n)"
            : "check the disk: it may be full, over its quota, or failing"
    }

    /// Whether a UNIQUE or PRIMARY KEY constraint refused the row.
    var isUniqueViolation: Bool { (cause as? DatabaseError)?.isUniqueViolation ?? false }
}

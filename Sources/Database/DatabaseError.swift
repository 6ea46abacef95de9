internal import CSQLite

/// An error of a database. Each case calls for a different action of the user.
public enum DatabaseError: Error, Hashable, Sendable {
    /// The file at `path` does not exist.
    case missing(path: String)
    /// `path` is a directory, a device, or a socket.
    case notAFile(path: String)
    /// The file is not a SQLite database, or is too damaged to be recognized as one.
    case notADatabase(path: String)
    /// The file is a SQLite database of another program: its `application_id` differs.
    case foreign(path: String, applicationID: Int32)
    /// A newer version of the program, with schema version `found`, has changed the file.
    case newerSchema(path: String, found: Int, supported: Int)
    /// The file has schema version `found`, but the program requires version `required`.
    case needsMigration(path: String, found: Int, required: Int)
    /// The file belongs to the program, but does not contain its schema version.
    case unknownSchema(path: String)
    /// The file is an unfinished copy of another database.
    case unfinished(path: String)
    /// The file has several hard links. Each name would have its own log and lock, so data that is written by one name
    /// could be lost by another.
    case linked(path: String, names: Int)
    /// The database at `path` is missing or empty, but its log exists and contains data.
    case lost(path: String, logPath: String)
    /// The file was moved, replaced, or deleted while it was open.
    case replaced(path: String)
    /// An applied migration differs from the one in the program.
    case migrationChanged(path: String, version: Int, name: String)
    /// A migration left rows that refer to missing rows.
    case foreignKeyViolation(migration: String, table: String)
    /// The file or its folder cannot be written.
    case readOnly(path: String)
    /// A file could not be opened, created, or written. `reason` is the message of the operating system.
    case cannotOpen(path: String, reason: String)
    /// A file exists already at `path`, where a new one was to be created.
    case exists(path: String)
    /// The file is inconsistent: it was damaged, or copied while it was written.
    case damaged(path: String, SQLiteFailure)
    /// The file, its log, or the index of the log could not be read or written: the disk is full or defective, or a
    /// file was truncated or replaced. `path` is the affected file, if it is known.
    case inputOutput(path: String, SQLiteFailure)
    /// The database has these inconsistencies.
    case unsound(path: String, problems: [String])
    /// These processes have the database open.
    case inUse(path: String, by: [FileUser])
    /// Another process held the write lock for the whole timeout.
    case busy(path: String, seconds: Double)
    /// The work was interrupted.
    case interrupted
    /// A column contains an unexpected value.
    case unexpectedValue(column: Int, expected: String, sql: String)
    /// SQLite refused a statement.
    case sqlite(SQLiteFailure)
}

/// The details of an error of SQLite.
public struct SQLiteFailure: Hashable, Sendable {
    /// The extended result code. Source: <https://www.sqlite.org/rescode.html>.
    public let extendedCode: Int32
    /// SQLite's message, in English.
    public let message: String
    /// The statement that failed, without its bound values; nil if there is none.
    public let sql: String?

    /// The primary result code: the low eight bits.
    public var code: Int32 { extendedCode & 0xFF }

    /// Creates a failure, for a repository or a test that simulates one.
    public init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }
}

extension DatabaseError {
    /// Whether a row violates a UNIQUE or PRIMARY KEY constraint.
    public var isUniqueViolation: Bool {
        guard case .sqlite(let failure) = self else { return false }
        return [SQLITE_CONSTRAINT_UNIQUE_CODE, SQLITE_CONSTRAINT_PRIMARYKEY_CODE].contains(failure.extendedCode)
    }

    /// Whether a row violates any constraint.
    var isConstraintViolation: Bool {
        guard case .sqlite(let failure) = self else { return false }
        return failure.code == SQLITE_CONSTRAINT
    }

    /// Whether the disk is full or its quota is reached.
    public var isDiskFull: Bool {
        guard case .inputOutput(_, let failure) = self else { return false }
        return failure.code == SQLITE_FULL
    }

    /// Returns the error for a result code of an open connection.
    static func from(_ code: Int32, on database: OpaquePointer?, path: String, sql: String? = nil) -> DatabaseError {
        let message = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let failure = SQLiteFailure(
            extendedCode: code, message: message.map { String(cString: $0) } ?? "unknown error", sql: sql)
        let culprit = DatabaseFile(path: path).culprit(of: failure)
        return switch code & 0xFF {
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_NOTADB: .notADatabase(path: path)
        case SQLITE_READONLY:
            code == SQLITE_READONLY_DBMOVED_CODE
                ? .replaced(path: path) : culprit == path ? .readOnly(path: path) : .inputOutput(path: culprit, failure)
        case SQLITE_CORRUPT: .damaged(path: path, failure)
        case SQLITE_FULL: .inputOutput(path: path, failure)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL:
            .inputOutput(path: culprit, failure)
        default: .sqlite(failure)
        }
    }
}

// Swift does not import the extended codes, because they are macros with arithmetic.
private let SQLITE_CONSTRAINT_PRIMARYKEY_CODE = SQLITE_CONSTRAINT | (6 << 8)
private let SQLITE_CONSTRAINT_UNIQUE_CODE = SQLITE_CONSTRAINT | (8 << 8)
private let SQLITE_READONLY_DBMOVED_CODE = SQLITE_READONLY | (4 << 8)

extension DatabaseError: CustomStringConvertible {
    /// The error as a message.
    public var description: String {
        switch self {
        case .missing(let path):
            "there is no database at \(path)"
        case .notAFile(let path):
            "\(path) is not a regular file"
        case .notADatabase(let path):
            "\(path) is not a SQLite database, or is damaged"
        case .foreign(let path, let applicationID):
            "\(path) is the database of another program (application_id \(applicationID)); it was not changed"
        case .newerSchema(let path, let found, let supported):
            "\(path) has schema version \(found), but this program supports only versions up to \(supported); "
                + "it was not changed"
        case .needsMigration(let path, let found, let required):
            "\(path) has schema version \(found) and must be migrated to version \(required)"
        case .unknownSchema(let path):
            "\(path) has the application_id of this program, but no schema version; it was not changed"
        case .unfinished(let path):
            "\(path) is an unfinished copy of another library"
        case .linked(let path, let names):
            "\(path) has \(names) names (hard links), so changes through one name could be lost through another"
        case .lost(let path, let logPath):
            "\(path) is empty, but its log \(logPath) still exists; neither was changed"
        case .replaced(let path):
            "\(path) was moved, replaced, or deleted while it was open; nothing was written to it"
        case .migrationChanged(let path, let version, let name):
            "migration \(version) (\(name)) was changed after it was applied to \(path)"
        case .foreignKeyViolation(let migration, let table):
            "migration \(migration) would leave rows in table \(table) that refer to missing rows"
        case .readOnly(let path):
            "cannot write \(path): the file, its folder, or the file system is read-only"
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason)"
        case .exists(let path):
            "the file \(path) already exists; it was not changed"
        case .damaged(let path, let failure):
            "\(path) is damaged (SQLite \(failure.extendedCode): \(failure.message))"
        case .inputOutput(let path, let failure):
            "cannot read or write \(path) (SQLite \(failure.extendedCode): \(failure.message))"
        case .unsound(let path, let problems):
            "\(path) is damaged: \(problems.first ?? "")"
                + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
        case .inUse(let path, let users):
            "\(path) is open in " + users.map(\.description).joined(separator: ", ")
        case .busy(let path, let seconds):
            "\(path) is being written by another process, which did not finish within \(Int(seconds)) s"
        case .interrupted:
            "interrupted"
        case .unexpectedValue(let column, let expected, _):
            "the database is damaged, or another program changed it: column \(column) does not contain a value of type "
                + expected
        case .sqlite(let failure):
            "SQLite \(failure.extendedCode): \(failure.message)"
        }
    }
}

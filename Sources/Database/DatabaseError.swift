internal import CSQLite

/// An error of a database. Each case calls for a different action of the user.
public enum DatabaseError: Error, Hashable, Sendable {
    /// The file at `path` does not exist.
    case missing(path: String)
    /// `path` is a directory, a device, or a socket.
    case notAFile(path: String)
    /// The file is not a SQLite database, or is damaged so that SQLite does not take it for one.
    case notADatabase(path: String)
    /// The file is a SQLite database of another program: its `application_id` is not ours.
    case foreign(path: String, applicationID: Int32)
    /// The file was last changed by a newer version of the program, which knows schema `found`.
    case newerSchema(path: String, found: Int, supported: Int)
    /// The file holds schema `found`; the program needs `required`.
    case needsMigration(path: String, found: Int, required: Int)
    /// The file is marked as the program's, but nothing in it says which steps of the schema it has.
    case unknownSchema(path: String)
    /// The file has so many names (hard links): each would have a log and a lock of its own, and what is written by one name
    /// would be lost by another.
    case linked(path: String, names: Int)
    /// The database at `path` is missing or empty, but its log exists and holds its content.
    case lost(path: String, logPath: String)
    /// The file was moved, replaced or deleted while it was open.
    case replaced(path: String)
    /// A migration that was applied is not the one that the program carries.
    case migrationChanged(path: String, version: Int, name: String)
    /// A migration left rows that refer to nothing.
    case foreignKeyViolation(migration: String, table: String)
    /// The file, or the folder it is in, may not be written.
    case readOnly(path: String)
    /// A file could not be opened, created or written; `reason` is the system's own word.
    case cannotOpen(path: String, reason: String)
    /// There is something at `path` already, where a new file was to be made.
    case exists(path: String)
    /// The file is inconsistent: it was damaged, or copied while it was being written.
    case damaged(path: String, SQLiteFailure)
    /// The file, its log or the index of the log could not be read or written: the disk is full or failing, or one of them
    /// was cut or replaced. `path` is the one it was, where that is known.
    case inputOutput(path: String, SQLiteFailure)
    /// The content of the database is inconsistent in these ways.
    case unsound(path: String, problems: [String])
    /// These processes have the database open.
    case inUse(path: String, by: [FileUser])
    /// Another process held the write lock for all of the `seconds` that were allowed.
    case busy(path: String, seconds: Double)
    /// The work was interrupted.
    case interrupted
    /// A column did not hold what the program expected.
    case unexpectedValue(column: Int, expected: String, sql: String)
    /// SQLite refused a statement.
    case sqlite(SQLiteFailure)
}

/// SQLite's own account of a failure.
public struct SQLiteFailure: Hashable, Sendable {
    /// The extended result code. Source: <https://www.sqlite.org/rescode.html>.
    public let extendedCode: Int32
    /// SQLite's message, in English.
    public let message: String
    /// The statement that failed, without the values bound to it; nil when none was running.
    public let sql: String?

    /// The primary result code: the low eight bits.
    public var code: Int32 { extendedCode & 0xFF }

    /// The account of a failure with `extendedCode`, for a repository or a test that injects one.
    public init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }
}

extension DatabaseError {
    /// Whether a UNIQUE or PRIMARY KEY constraint refused the row.
    public var isUniqueViolation: Bool {
        guard case .sqlite(let failure) = self else { return false }
        return [SQLITE_CONSTRAINT_UNIQUE_CODE, SQLITE_CONSTRAINT_PRIMARYKEY_CODE].contains(failure.extendedCode)
    }

    /// Whether a FOREIGN KEY constraint refused the row.
    public var isForeignKeyViolation: Bool {
        guard case .sqlite(let failure) = self else { return false }
        return failure.extendedCode == SQLITE_CONSTRAINT_FOREIGNKEY_CODE
    }

    /// Whether a constraint of any kind refused the row.
    var isConstraintViolation: Bool {
        guard case .sqlite(let failure) = self else { return false }
        return failure.code == SQLITE_CONSTRAINT
    }

    /// Whether the disk, or the quota on it, is full.
    public var isDiskFull: Bool {
        guard case .inputOutput(_, let failure) = self else { return false }
        return failure.code == SQLITE_FULL
    }

    /// The error for a result code of an open connection.
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

// The extended codes are macros with arithmetic in them, which Swift does not import.
private let SQLITE_CONSTRAINT_FOREIGNKEY_CODE = SQLITE_CONSTRAINT | (3 << 8)
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
            "\(path) is the database of another program (application_id \(applicationID)); it was left unchanged"
        case .newerSchema(let path, let found, let supported):
            "\(path) has schema version \(found), newer than version \(supported) that this program knows; "
                + "it was left unchanged"
        case .needsMigration(let path, let found, let required):
            "\(path) has schema version \(found) and needs to be migrated to version \(required)"
        case .unknownSchema(let path):
            "\(path) has the mark of this program, but no record of its schema; it was left unchanged"
        case .linked(let path, let names):
            "\(path) has \(names) names (hard links), and what is written by one of them would be lost by another"
        case .lost(let path, let logPath):
            "the content of \(path) is gone, but its log \(logPath) is still there; both were left unchanged"
        case .replaced(let path):
            "\(path) was moved, replaced or deleted while it was open; nothing was written to it"
        case .migrationChanged(let path, let version, let name):
            "migration \(version) (\(name)) was changed after it was applied to \(path)"
        case .foreignKeyViolation(let migration, let table):
            "migration \(migration) would leave rows of table \(table) that refer to nothing"
        case .readOnly(let path):
            "\(path) cannot be written: the file, its folder or the file system is read-only"
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason)"
        case .exists(let path):
            "there is a file at \(path) already; it was left unchanged"
        case .damaged(let path, let failure):
            "\(path) is damaged (SQLite \(failure.extendedCode): \(failure.message))"
        case .inputOutput(let path, let failure):
            "\(path) cannot be read or written (SQLite \(failure.extendedCode): \(failure.message))"
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
            "the database is damaged, or another program wrote what is in it: where a value of type \(expected) should be "
                + "(column \(column)), there is none"
        case .sqlite(let failure):
            "SQLite \(failure.extendedCode): \(failure.message)"
        }
    }
}

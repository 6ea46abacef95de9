import Arguments
import ArticleStore
import Database
import FlowCoordinators
import SQLiteStores
import Terminal
import TerminalReader
import Text

/// The failure of a command: what failed, what to do next, and the exit code.
struct CommandError: Error {
    let message: String
    let hint: String?
    let code: ExitCode

    init(_ message: String, hint: String? = nil, code: ExitCode) {
        self.message = message
        self.hint = hint
        self.code = code
    }

    init(_ error: any Error) {
        switch error {
        case let failure as CommandError: self = failure
        case let error as StoreError: self.init(error)
        case let error as UsageError:
            self.init(error.message, hint: error.advice, code: .usage)
        case let error as UnsavedError:
            let reason = CommandError(error.reason)
            self.init("cannot save the reading position: \(reason.message)", hint: reason.hint, code: reason.code)
        case let error as FollowUpError:
            let reason = CommandError(error.reason)
            self.init("\(error.done), but \(reason.message)", hint: reason.hint, code: reason.code)
        case let error as any ExplainedError:
            self.init(error.description, hint: error.hint, code: ExitCode(error.errorKind))
        default:
            self = CommandError(ofFile: error) ?? CommandError("\(error)", code: .software)
        }
    }

    init(_ error: StoreError) {
        if let cause = error.cause, let (hint, code) = Self.advice(on: cause) {
            self.init(error.description, hint: hint, code: code)
            return
        }
        self.init(error.description, hint: error.hint, code: ExitCode(error.errorKind))
    }
}

extension CommandError {
    /// Explains why the library cannot be opened.
    ///
    /// - Parameter option: the value of `--database`, which the hint repeats.
    init(opening error: StoreError, given option: String?) {
        if let cause = error.cause as? DatabaseError {
            self.init(opening: cause, given: option)
        } else {
            self.init(error)
        }
    }

    /// Explains why an existing database cannot be used.
    ///
    /// - Parameter option: the value of `--database`, which the hint repeats.
    init(opening error: DatabaseError, given option: String?) {
        let failure = CommandError(error)
        let place = option.map { " --database " + $0.shellQuoted } ?? ""
        switch error {
        case .missing, .needsMigration:
            self.init(failure.message, hint: failure.hint.map { $0 + place }, code: failure.code)
        case .cannotOpen: self.init(failure.message, hint: failure.hint, code: .unavailable)
        default: self = failure
        }
    }

    /// Explains why a file that an argument names cannot be read as a database.
    ///
    /// - Parameters:
    ///   - path: the argument.
    ///   - kind: the word for this kind of file, such as “backup”.
    init(reading error: DatabaseError, at path: String, kind: String) {
        let failure = CommandError(error)
        let isMissing = error == .missing(path: path)
        let (hint, code): (String?, ExitCode) =
            switch error {
            case .missing(path): ("check the name of the \(kind)", .noInput)
            case .notAFile(path): ("give the path of one \(kind)", .noInput)
            case .cannotOpen(path, _): ("give the path of a \(kind) that you may read", .noInput)
            case .foreign(path, _), .notADatabase(path): ("give the path of a \(kind) of articlesctl", failure.code)
            default: (failure.hint, failure.code)
            }
        self.init(isMissing ? "the file \(path) does not exist" : failure.message, hint: hint, code: code)
    }

    /// Creates the failure of a command from an error of a SQLite file.
    init(_ error: DatabaseError) { self.init(StoreError(error)) }

    /// Creates the failure of a command from an error of a SQLite file; nil if it is another error.
    init?(ofFile error: any Error) {
        guard let error = error as? DatabaseError else { return nil }
        self.init(error)
    }

    /// The hint and the exit code for errors that only occur with files; nil for other errors.
    static func advice(on error: any Error) -> (hint: String?, code: ExitCode)? {
        switch error as? DatabaseError {
        case .missing: ("create it with: articlesctl migrate", .unavailable)
        case .needsMigration: ("bring it up to date with: articlesctl migrate", .unavailable)
        case .newerSchema: ("install the version of articlesctl that wrote it, or a newer one", .unavailable)
        case .migrationChanged: ("use the version of articlesctl that wrote it", .unavailable)
        case .unknownSchema, .notADatabase:
            (
                "choose another file with --database or ARTICLESCTL_DATABASE; if it was a database, replace it with a backup: "
                    + "articlesctl restore FILE",
                .unavailable
            )
        case .unfinished: ("finish it with: articlesctl migrate --from PLACE --to PLACE", .unavailable)
        case .linked: ("remove the other names, or copy the file instead of linking it", .unavailable)
        case .lost:
            (
                "replace the database with a backup, which keeps both: articlesctl restore FILE",
                .unavailable
            )
        case .notAFile, .foreign:
            ("choose another file with --database or ARTICLESCTL_DATABASE", .unavailable)
        case .cannotOpen: ("check that its folder exists and that you may read and write both", .cannotCreate)
        case .exists: ("choose another name, or move that file away", .cannotCreate)
        case .inUse: ("end these processes, and try again", .tryAgain)
        case .foreignKeyViolation: (nil, .software)
        default: nil
        }
    }
}

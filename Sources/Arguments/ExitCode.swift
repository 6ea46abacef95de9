package import Text

/// The exit status of the program. The numbers are those of `sysexits.h`, and for signals those of the shell.
package enum ExitCode: Int32, CaseIterable {
    case success = 0
    /// The user declined a question, left a text empty, or gave up in the editor, so the operation was not done.
    case declined = 1
    /// The command line is wrong.
    case usage = 64
    /// The given data is wrong.
    case badData = 65
    /// An input does not exist or cannot be read, or the named article or user does not exist.
    case noInput = 66
    /// The database does not exist, needs a migration, or consists of files that do not belong together; or another
    /// service is missing.
    case unavailable = 69
    /// An error in the program itself.
    case software = 70
    /// A file cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case ioError = 74
    /// The operation may work later: too many attempts, too little memory, or another process is writing.
    case tryAgain = 75
    /// A login is missing, the password is wrong, or the role of the user does not allow the operation.
    case notLoggedIn = 77
    /// The configuration is wrong or cannot be read.
    case configuration = 78
    /// The program was interrupted with Ctrl-C.
    case interrupted = 130
    /// The program was ended with SIGTERM, which the system and other programs send.
    case terminated = 143

    package var meaning: String {
        switch self {
        case .success: "success"
        case .declined:
            "nothing was done, because a question was answered with no, a text was left empty, or the editor failed"
        case .usage: "the command line is wrong"
        case .badData:
            "the data is invalid: a record that seed rejects, a weak password, a name that is taken, a fault that doctor finds, "
                + "or a row that recover could not copy"
        case .noInput:
            "an input or a backup is missing or cannot be read completely, or there is no such article, source, author, tag, "
                + "language, session, or user"
        case .unavailable:
            "the database does not exist, cannot be reached, needs a migration, belongs to another program, or is unsafe to use; "
                + "or the editor cannot be started, or a library of the system cannot be loaded"
        case .software: "internal error; please report it"
        case .cannotCreate: "a file cannot be created"
        case .ioError: "reading or writing failed"
        case .tryAgain: "try again later: too many attempts, too little memory, or another process is writing"
        case .notLoggedIn:
            "you are not logged in, the name or password is wrong, too many attempts failed for the name, or your role does "
                + "not allow it"
        case .configuration: "the configuration is invalid or cannot be read"
        case .interrupted: "interrupted by Ctrl-C"
        case .terminated: "terminated by SIGTERM"
        }
    }

    /// Creates the exit status for an error.
    package init(_ kind: ErrorKind) { self = ExitCode(rawValue: kind.exitCode) ?? .software }

    /// Creates the exit status for a signal; nil if the program does not handle the signal.
    package init?(signal: Int32) { self.init(rawValue: 128 + signal) }
}

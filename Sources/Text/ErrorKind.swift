/// The kinds of errors. Each requires a different reaction, so each has an exit code, an HTTP status, and a code.
package enum ErrorKind: Sendable, Hashable, CaseIterable {
    /// An argument or a parameter is wrong.
    case usage
    /// The given data is wrong.
    case invalid
    /// The named object does not exist.
    case notFound
    /// The change is not possible in the present state, such as a second account with the same name.
    case conflict
    /// The object has changed since the caller read it.
    case changed
    /// The state that a client continues from does not exist any more.
    case gone
    /// The user is not logged in.
    case notLoggedIn
    /// The user may not do this.
    case notAllowed
    /// There were too many attempts.
    case throttled
    /// The operation may work later.
    case busy
    /// A service or a file is missing.
    case unavailable
    /// Reading or writing failed.
    case inputOutput
    /// A file cannot be created.
    case cannotCreate
    /// The user interrupted the work.
    case interrupted
    /// The program has an error.
    case software

    private var row: (exitCode: Int32, status: Int, code: String) {
        switch self {
        case .usage: (64, 422, "invalid")
        case .invalid: (65, 422, "invalid")
        case .notFound: (66, 404, "notFound")
        case .conflict: (65, 409, "conflict")
        case .changed: (75, 412, "hasChanged")
        case .gone: (66, 410, "gone")
        case .notLoggedIn: (77, 401, "notLoggedIn")
        case .notAllowed: (77, 403, "notAllowed")
        case .throttled: (75, 429, "throttled")
        case .busy: (75, 503, "unavailable")
        case .unavailable: (69, 503, "unavailable")
        case .inputOutput: (74, 503, "unavailable")
        case .cannotCreate: (73, 503, "unavailable")
        case .interrupted: (130, 503, "unavailable")
        case .software: (70, 503, "unavailable")
        }
    }

    /// The exit code of a program.
    package var exitCode: Int32 { row.exitCode }
    /// The status of an HTTP response. Only statuses below 500 may reveal the error to a client.
    package var status: Int { row.status }
    /// The code for programs in a response of the API.
    package var code: String { row.code }
}

/// An error with everything that a program needs to report it.
package protocol ExplainedError: Error, CustomStringConvertible {
    /// The kind, which decides the exit code and the HTTP status.
    var errorKind: ErrorKind { get }
    /// The next step for a user of the command line; nil if the description contains it.
    var hint: String? { get }
    /// The code for programs in a response of the API. The same mistake always has the same code.
    var problemCode: String { get }
}

extension ExplainedError {
    package var hint: String? { nil }
    package var problemCode: String { errorKind.code }
}

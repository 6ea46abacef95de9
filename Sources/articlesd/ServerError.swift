import Arguments
import ArticleStore
import Text

/// An error that prevents the server from starting: what failed, what to do next, and the exit code.
struct ServerError: Error {
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
        case let error as ServerError: self = error
        case let error as UsageError: self.init(error.message, hint: error.advice, code: .usage)
        // Only articlesctl has an option for the wait.
        case let error as StoreError where error.kind == .busy:
            self.init(error.description, hint: "try again when the other process has finished", code: .tryAgain)
        case let error as any ExplainedError:
            self.init(error.description, hint: error.hint, code: ExitCode(error.errorKind))
        default: self.init("\(error)", code: .software)
        }
    }
}

import Arguments
import ArticleStore
import FlowCoordinators
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

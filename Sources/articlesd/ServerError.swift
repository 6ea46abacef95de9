import Arguments
import ArticleStore
import Database
import SQLiteStores
import HTTPServer
import Platform

/// An error because of which the server cannot start: what failed, what to do next, and the exit code.
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
        case let error as HTTPServerError:
            let code: ExitCode =
                switch error {
                case .badAddress, .notListening, .notSocket: .usage
                case .badCertificate: .badData
                default: .unavailable
                }
            self.init("\(error)", code: code)
        case let error as StoreError: self.init(error)
        case let error as DatabaseError: self.init(error)
        default: self.init("\(error)", code: .software)
        }
    }

    private init(_ error: StoreError) {
        switch error.kind {
        case .busy, .interrupted, .replaced, .unknownOutcome: self.init("\(error)", code: .tryAgain)
        case .inputOutput, .full, .damaged: self.init("\(error)", hint: "run: articlesctl doctor", code: .ioError)
        case .readOnly, .refused, .unavailable: self.init("\(error)", hint: error.advice, code: .unavailable)
        }
    }

    private init(_ error: DatabaseError) {
        switch error {
        case .needsMigration(let path, _, _):
            self.init("\(error)", hint: "run: articlesctl migrate --database \(path)", code: .unavailable)
        case .cannotOpen: self.init("\(error)", code: .cannotCreate)
        default: self.init(StoreError(error))
        }
    }
}

import ArticleStore
import AuthService
import HTTPServer
import Text

/// The error that refuses a request, with a reason for people.
struct ReaderError: Error {
    var status: HTTPStatus
    var text: String
    var fields: HTTPFields = [:]

    var response: HTTPResponse { HTTPResponse(status, text: text + "\n", fields: fields) }

    static func badRequest(_ text: String) -> ReaderError { ReaderError(status: .badRequest, text: text) }

    /// Refuses an invalid token. Clients that see the field log in again.
    static let badToken = ReaderError(
        status: .unauthorized, text: "Unauthorized", fields: ["x-reader-google-bad-token": "true"])
    static let readOnly = ReaderError(status: .forbidden, text: AuthError.outOfScope.description)
    static let unknownPath = ReaderError(status: .notFound, text: "there is nothing at this address")
    static let notPosted = ReaderError(
        status: .methodNotAllowed, text: "use POST", fields: ["allow": "POST"])
    static let unavailable = ReaderError(
        status: .serviceUnavailable, text: "the library is temporarily unavailable; try again later",
        fields: ["retry-after": "30"])

    /// Runs `body`, and converts the errors of the stores to responses.
    static func catching<T>(_ body: () async throws -> sending T) async throws(ReaderError) -> sending T {
        do {
            return try await body()
        } catch let error as ReaderError {
            throw error
        } catch let error as ExpensiveWorkRefusal {
            throw ReaderError(status: error.status, text: error.description, fields: error.fields)
        } catch is CursorError {
            throw .unknownContinuation
        } catch let error as SubscribeError {
            // Clients show this text. Another status would make some of them log in again or repeat the request.
            throw .badRequest(error.description)
        } catch let error as any ExplainedError {
            switch error.errorKind {
            case .notLoggedIn: throw .badToken
            case .notAllowed: throw ReaderError(status: .forbidden, text: error.description)
            case let kind where kind.status < 500: throw .badRequest(error.description)
            default: throw .unavailable
            }
        } catch {
            throw .unavailable
        }
    }
}

import ArticleStore
import AuthService
import HTTPServer
import Text

/// The error that refuses a request, with a reason for people.
struct Refusal: Error {
    var status: HTTPStatus
    var text: String
    var fields: HTTPFields = [:]

    var response: HTTPResponse { HTTPResponse(status, text: text + "\n", fields: fields) }

    static func badRequest(_ text: String) -> Refusal { Refusal(status: .badRequest, text: text) }

    /// Refuses an invalid token. Clients that see the field log in again.
    static let badToken = Refusal(
        status: .unauthorized, text: "Unauthorized", fields: ["x-reader-google-bad-token": "true"])
    static let readOnly = Refusal(status: .forbidden, text: AuthError.outOfScope.description)
    static let unknownPath = Refusal(status: .notFound, text: "there is nothing at this address")
    static let notPosted = Refusal(
        status: .methodNotAllowed, text: "use POST", fields: ["allow": "POST"])
    static let unavailable = Refusal(
        status: .serviceUnavailable, text: "the library is temporarily unavailable; try again later",
        fields: ["retry-after": "30"])

    /// Runs `body`, and converts the errors of the stores to responses.
    static func catching<T>(_ body: () async throws -> sending T) async throws(Refusal) -> sending T {
        do {
            return try await body()
        } catch let error as Refusal {
            throw error
        } catch let error as ExpensiveWorkRefusal {
            throw Refusal(status: error.status, text: error.description, fields: error.fields)
        } catch is CursorError {
            throw .unknownContinuation
        } catch let error as any ExplainedError {
            switch error.errorKind {
            case .notLoggedIn: throw .badToken
            case .notAllowed: throw Refusal(status: .forbidden, text: error.description)
            case let kind where kind.status < 500: throw .badRequest(error.description)
            default: throw .unavailable
            }
        } catch {
            throw .unavailable
        }
    }
}

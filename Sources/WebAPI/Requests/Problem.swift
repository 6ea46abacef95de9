import ArticleStore
import AuthService
import Text
import HTTPServer

/// The error that refuses a request (RFC 9457), with a sentence for people and a code for programs.
struct Problem: Error, Sendable {
    var status: HTTPStatus
    /// The code. The same mistake always has the same code.
    var code: String
    /// The failure, its object, and the next step, as a clause. The response has it as a sentence.
    var detail: String
    /// The position in the body, as a JSON pointer; nil if the problem is not in the body.
    var pointer: String?
    /// Further members for programs (RFC 9457, section 3.2).
    var extensions: [JSON.Member] = []
    var fields: HTTPFields = [:]

    var response: HTTPResponse {
        var members: [JSON.Member] = [
            // The title of a problem of this type is the phrase of the status (RFC 9457, section 4.2.1).
            .init("type", "about:blank"), .init("title", .string(status.phrase)),
            .init("status", JSON(status.code)), .init("detail", .string(detail.asSentence)),
            .init("code", .string(code)),
        ]
        if let pointer { members.append(.init("pointer", .string(pointer))) }
        members += extensions
        var fields = fields
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        return HTTPResponse(status, text: JSON.object(members).description + "\n", fields: fields)
    }

    static func badRequest(_ code: String, _ detail: String) -> Problem {
        Problem(status: .badRequest, code: code, detail: detail)
    }

    static func notFound(_ detail: String) -> Problem { Problem(status: .notFound, code: "notFound", detail: detail) }

    /// Returns the problem for a request with the right form but an impossible value.
    static func unprocessable(_ code: String, _ detail: String) -> Problem {
        Problem(status: .unprocessableContent, code: code, detail: detail)
    }

    /// A request without a token (RFC 6750, section 3).
    static let notLoggedIn = Problem(
        status: .unauthorized, code: "notLoggedIn",
        detail:
            "send “Authorization: Bearer TOKEN”: the token is an API token, or the “bearer” that POST /session returns",
        fields: [authenticate: "Bearer realm=\"articles\""])

    /// A request with a token that is not valid, or not any more.
    static let invalidToken = Problem(
        status: .unauthorized, code: "notLoggedIn",
        detail:
            "the token in Authorization is wrong or has expired; send “Authorization: Bearer TOKEN” with another: an API token, "
            + "or the “bearer” that POST /session returns",
        fields: [
            authenticate:
                "Bearer realm=\"articles\", error=\"invalid_token\", error_description=\"The token is wrong or has expired\""
        ])

    /// A token that does not allow the request.
    ///
    /// - Parameter scope: the scope that allows it; nil if no API token does.
    static func outOfScope(_ scope: APIToken.Scope?) -> Problem {
        let needed = scope.map { ", scope=\"\($0.rawValue)\"" } ?? ""
        var problem = Problem(status: .forbidden, code: "outOfScope", detail: "\(AuthError.outOfScope)")
        problem.fields[authenticate] = try? HTTPFieldValue(
            "Bearer realm=\"articles\", error=\"insufficient_scope\"" + needed)
        return problem
    }

    private static let authenticate: HTTPFieldName = "www-authenticate"

    static let unavailable = Problem(
        status: .serviceUnavailable, code: "unavailable",
        detail: "the library is temporarily unavailable; try again later", fields: ["retry-after": "30"])

}

extension RateLimiter.Allowance {
    /// The problem if the client has used up its requests; otherwise nil.
    var refusal: Problem? {
        guard remaining == nil else { return nil }
        return Problem(
            status: .tooManyRequests, code: "tooManyRequests",
            detail:
                "you sent \(limit.quantity(of: "request")) in this minute; continue in \(reset.quantity(of: "second"))",
            fields: [.retryAfter: HTTPFieldValue(reset)])
    }
}

extension Problem {
    /// Creates the problem for an error of the services.
    init(_ error: any Error) {
        switch error {
        case let error as Problem: self = error
        case let error as Schema.Mistake:
            self = .badRequest(
                "invalid", "the body\(error.pointer.isEmpty ? "" : " at \(error.pointer)") \(error.reason)")
            pointer = error.pointer
        case let error as ExpensiveWorkRefusal:
            self.init(
                status: error.status, code: error.status == .tooManyRequests ? "tooManyRequests" : "unavailable",
                detail: "\(error)", fields: error.fields)
        case let error as SubscribeError where error.isAboutAddress:
            let isReachable = error.problemCode != "unreachable"
            self.init(
                status: isReachable ? .unprocessableContent : .badGateway, code: error.problemCode,
                detail: error.description)
            // The address of another server may come from an article.
            if isReachable { pointer = "/address" }
        case let error as any ExplainedError: self.init(explaining: error)
        default: self = .unavailable
        }
    }

    private init(explaining error: any ExplainedError) {
        // Details of a server's error are for its operator.
        guard let status = HTTPStatus(error.errorKind.status), status.code < 500 else {
            self = .unavailable
            return
        }
        self.init(status: status, code: error.problemCode, detail: error.description)
        switch error as? AuthError {
        // The token was valid when the request came.
        case .notLoggedIn: self = .invalidToken
        case .outOfScope: self = .outOfScope(nil)
        case .secondFactorNeeded:
            detail =
                "the account has a second factor: also send a code of the authenticator app, or a recovery code, as “code”"
            pointer = "/code"
        case .passwordNeeded:
            detail =
                "the last login was a while ago: send the password to POST /session/confirmation, then repeat this request"
        case .throttled(let seconds): fields[.retryAfter] = HTTPFieldValue(seconds)
        default: break
        }
    }
}

extension SubscribeError {
    /// Whether the address that the client sent is the reason.
    fileprivate var isAboutAddress: Bool {
        switch self {
        case .noFeed, .status, .invalidAddress, .addressWithLogin, .addressNotAllowed, .unreachable: true
        case .unknownFile, .invalidLogin, .notSubscribed, .isBeingFetched, .hasEnded, .fetchingIsOff: false
        }
    }
}

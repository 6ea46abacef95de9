import AuthService
import HTTPServer

/// An operation of the API. Requests are routed by it, and the description is generated from it.
///
/// It is a class because each request is compared with all operations: a copy of a value would retain each of its parts.
final class Operation: Sendable {
    /// The callers that may use an operation.
    enum Access: Sendable {
        /// Anybody.
        case anybody
        /// Logged-in users and API tokens.
        case anyUser
        /// Logged-in users, and API tokens that may write.
        case userWithWriteScope
        /// Users with a login session. API tokens are refused.
        case interactiveUser
        /// Editors, also with an API token that may write.
        case editor
        /// Operators.
        case `operator`
    }

    /// A part of a path.
    enum Segment: Sendable, Hashable {
        case word(String)
        case parameter(String)
    }

    /// A parameter in the address or in the fields of a request.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let words: String
        var isRequired = false
    }

    /// The response of an operation.
    struct ResponseDescription: Sendable {
        let status: HTTPStatus
        let words: String
        /// The schema of the body; nil without a body.
        let schema: Schema?

        init(_ status: HTTPStatus, _ words: String, _ schema: Schema? = nil) {
            (self.status, self.words, self.schema) = (status, words, schema)
        }
    }

    let id: String
    let method: HTTPMethod
    let path: [Segment]
    let summary: String
    let tag: String
    let access: Access
    let query: [Parameter]
    let headers: [Parameter]
    let body: Schema?
    let answer: ResponseDescription
    /// The statuses of refusals that do not follow from the other properties.
    let refusals: [HTTPStatus]
    /// Whether a request with these parameters may take long.
    let isExpensive: @Sendable ([String: String]) -> Bool
    /// Whether the response has an entity tag, which a client may send. Then the response must depend only on the caller
    /// and the library.
    let hasTag: Bool
    let handle: @Sendable (Call) async throws -> HTTPResponse

    init(
        _ id: String, _ method: HTTPMethod, _ path: String, _ summary: String, tag: String, access: Access,
        query: [Parameter] = [], headers: [Parameter] = [], body: Schema? = nil, answer: ResponseDescription,
        refusals: [HTTPStatus] = [], isExpensive: @escaping @Sendable ([String: String]) -> Bool = { _ in false },
        hasTag: Bool = false, handle: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) {
        self.id = id
        self.method = method
        self.path = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .word(String(part))
        }
        self.summary = summary
        self.tag = tag
        self.access = access
        self.query = query
        self.hasTag = hasTag
        self.headers = hasTag ? headers + [.ifNoneMatch] : headers
        self.body = body
        self.answer = answer
        self.refusals = hasTag ? refusals + [.notModified] : refusals
        self.isExpensive = isExpensive
        self.handle = handle
    }

    /// Returns the values of the parameters in a path below `/api/v1`; nil if the path does not fit this operation.
    func values(in segments: ArraySlice<String>) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (part, text) in zip(path, segments) {
            switch part {
            case .word(let word): if word != text { return nil }
            case .parameter(let name): values[name] = text
            }
        }
        return values
    }
}

extension Operation.Parameter {
    /// The entity tag of the client's copy.
    static let ifNoneMatch = Operation.Parameter(name: "If-None-Match", schema: .text, words: "the ETag of your copy")
}

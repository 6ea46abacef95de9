import AuthService
import HTTPServer

/// Something that can be asked for: what requests are led by, and what the description is written from.
struct Operation: Sendable {
    /// The callers that may use an operation.
    enum Access: Sendable {
        /// Anybody.
        case anybody
        /// Logged-in users and API tokens.
        case reader
        /// The same, with a token that may change something.
        case writer
        /// Logged-in users, without API tokens.
        case account
        /// Editors, also with a token that may write.
        case editor
        /// Operators.
        case `operator`
    }

    /// A part of a path.
    enum Segment: Sendable, Hashable {
        case word(String)
        case parameter(String)
    }

    /// A parameter in the address or the head of a request.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let words: String
        var isRequired = false
    }

    /// The response of an operation.
    struct Answer: Sendable {
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
    var query: [Parameter] = []
    var headers: [Parameter] = []
    var body: Schema?
    let answer: Answer
    /// Other statuses than those that follow from the rest.
    var refusals: [HTTPStatus] = []
    /// Whether it may take long with these parameters.
    let isExpensive: @Sendable ([String: String]) -> Bool
    let handle: @Sendable (Call) async throws -> HTTPResponse

    init(
        _ id: String, _ method: HTTPMethod, _ path: String, _ summary: String, tag: String, access: Access,
        query: [Parameter] = [], headers: [Parameter] = [], body: Schema? = nil, answer: Answer,
        refusals: [HTTPStatus] = [], isExpensive: @escaping @Sendable ([String: String]) -> Bool = { _ in false },
        handle: @escaping @Sendable (Call) async throws -> HTTPResponse
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
        self.headers = headers
        self.body = body
        self.answer = answer
        self.refusals = refusals
        self.isExpensive = isExpensive
        self.handle = handle
    }

    /// The values of the parameters of a path below `/api/v1`; nil where it is another path.
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

extension HTTPStatus {
    /// The library was replaced. Read everything again.
    static let gone = HTTPStatus(410) ?? .badRequest
    /// The request has to say which state it is about (RFC 6585).
    static let preconditionRequired = HTTPStatus(428) ?? .preconditionFailed
}

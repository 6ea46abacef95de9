/// The answer to a request.
///
/// The server itself sets `Date`, `Connection`, `Content-Length` and `Transfer-Encoding`; fields of these names are
/// left out.
public struct HTTPResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// Bytes that are there already.
        case bytes([UInt8])
        /// Bytes that are made while they are sent: the next are asked for when the last have left. An error cuts the
        /// connection, so that the client knows that something is missing. Nothing is asked for to answer `HEAD`, with
        /// which the connection then ends.
        case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    /// How the request was answered.
    public var status: HTTPStatus
    /// The fields of the head.
    public var fields: HTTPFields
    /// The body. It is not sent for `HEAD`, nor with the statuses 204 and 304.
    public var body: Body
    /// Whether the connection ends with this answer.
    public var closesConnection = false
    /// The user whom the response is for, if any: the time that it takes to compress is charged to that user.
    public var user: String?

    /// An answer.
    public init(_ status: HTTPStatus = .ok, fields: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer of text, in UTF-8.
    public init(_ status: HTTPStatus = .ok, text: String, fields: HTTPFields = [:]) {
        self.init(status, fields: fields, body: .bytes(Array(text.utf8)))
        if self.fields[.contentType] == nil { self.fields[.contentType] = "text/plain; charset=utf-8" }
    }
}

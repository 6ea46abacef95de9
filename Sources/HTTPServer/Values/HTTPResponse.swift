/// The response to a request.
///
/// The server itself sets `Date`, `Connection`, `Content-Length`, and `Transfer-Encoding`. Fields with these names are
/// ignored.
public struct HTTPResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that are produced while they are sent. The next piece is requested after the last one was sent. An
        /// error cuts the connection, so that the client notices that the body is incomplete. For `HEAD`, no piece is
        /// requested, and the connection ends.
        case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    /// The status.
    public var status: HTTPStatus
    /// The header fields.
    public var fields: HTTPFields
    /// The body. It is not sent for `HEAD`, nor with the statuses 204 and 304.
    public var body: Body
    /// Whether the connection ends after this response.
    public var closesConnection = false
    /// The user for whom the response is, if any. The time for compressing it is charged to that user.
    public var user: String?

    /// Creates a response.
    public init(_ status: HTTPStatus = .ok, fields: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a response with text in UTF-8.
    public init(_ status: HTTPStatus = .ok, text: String, fields: HTTPFields = [:]) {
        self.init(status, fields: fields, body: .bytes(Array(text.utf8)))
        if self.fields[.contentType] == nil { self.fields[.contentType] = "text/plain; charset=utf-8" }
    }
}

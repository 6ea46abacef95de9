/// The response to a request.
///
/// The server itself sets `Date`, `Connection`, `Content-Length`, and `Transfer-Encoding`. Fields with these names are
/// ignored.
package struct HTTPResponse: Sendable {
    /// The body of a response.
    package enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that are produced while they are sent. The next piece is requested after the last one was sent. An
        /// error cuts the connection, so that the client notices that the body is incomplete. For `HEAD`, no piece is
        /// requested, and the connection ends.
        case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    /// The status.
    package var status: HTTPStatus
    /// The header fields.
    package var fields: HTTPFields
    /// The body. It is not sent for `HEAD`, nor with the statuses 204 and 304.
    package var body: Body
    /// Whether the connection ends after this response.
    package var closesConnection = false
    /// The user for whom the response is, if any. The time for compressing it is charged to that user.
    package var user: String?

    /// Creates a response.
    package init(_ status: HTTPStatus = .ok, fields: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a response with text in UTF-8.
    package init(_ status: HTTPStatus = .ok, text: String, fields: HTTPFields = [:]) {
        self.init(status, fields: fields, body: .bytes(Array(text.utf8)))
        if self.fields[.contentType] == nil { self.fields[.contentType] = "text/plain; charset=utf-8" }
    }
}

/// The status of a response: a number from 200 to 599.
package struct HTTPStatus: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package let code: Int

    /// Creates a status by its number; nil outside 200 to 599, the statuses of complete responses.
    package init?(_ code: Int) {
        guard 200...599 ~= code else { return nil }
        self.code = code
    }

    private init(known code: Int) { self.code = code }

    /// The number as text.
    package var description: String { String(code) }

    /// The standard phrase of the status (RFC 9110, section 15; RFC 6585); that of its class for an unknown status.
    package var phrase: String {
        switch code {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 303: "See Other"
        case 304: "Not Modified"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case ..<300: "OK"
        case ..<400: "Multiple Choices"
        case ..<500: "Bad Request"
        default: "Internal Server Error"
        }
    }

    /// Whether a response with this status may have a body.
    var hasBody: Bool { self != .noContent && self != .notModified }

    /// OK.
    package static let ok = HTTPStatus(known: 200)
    /// Created.
    package static let created = HTTPStatus(known: 201)
    /// No Content: the request succeeded, and the response does not have a body.
    package static let noContent = HTTPStatus(known: 204)
    /// See Other: the client should continue with `GET` at another address.
    package static let seeOther = HTTPStatus(known: 303)
    /// Not Modified: the client's copy is current.
    package static let notModified = HTTPStatus(known: 304)
    /// Bad Request: the request is invalid.
    package static let badRequest = HTTPStatus(known: 400)
    /// Unauthorized: the client is not authenticated.
    package static let unauthorized = HTTPStatus(known: 401)
    /// Forbidden: the client is not permitted to do this.
    package static let forbidden = HTTPStatus(known: 403)
    /// Not Found.
    package static let notFound = HTTPStatus(known: 404)
    /// Method Not Allowed: the resource does not support the method.
    package static let methodNotAllowed = HTTPStatus(known: 405)
    /// Request Timeout: the request took too long to arrive.
    package static let requestTimeout = HTTPStatus(known: 408)
    /// Conflict: the request conflicts with the state of the resource.
    package static let conflict = HTTPStatus(known: 409)
    /// Gone: the resource existed, and will not come back.
    package static let gone = HTTPStatus(known: 410)
    /// Length Required: the request must announce the length of its body.
    package static let lengthRequired = HTTPStatus(known: 411)
    /// Precondition Failed: a precondition of the request does not hold.
    package static let preconditionFailed = HTTPStatus(known: 412)
    /// Content Too Large.
    package static let contentTooLarge = HTTPStatus(known: 413)
    /// URI Too Long.
    package static let uriTooLong = HTTPStatus(known: 414)
    /// Unsupported Media Type: the type of the body is not supported.
    package static let unsupportedMediaType = HTTPStatus(known: 415)
    /// Expectation Failed: the server does not support the expectation of the request.
    package static let expectationFailed = HTTPStatus(known: 417)
    /// Unprocessable Content: the body is well-formed but invalid.
    package static let unprocessableContent = HTTPStatus(known: 422)
    /// Precondition Required: the request must name the version that it changes (RFC 6585).
    package static let preconditionRequired = HTTPStatus(known: 428)
    /// Too Many Requests.
    package static let tooManyRequests = HTTPStatus(known: 429)
    /// Request Header Fields Too Large.
    package static let requestHeaderFieldsTooLarge = HTTPStatus(known: 431)
    /// Internal Server Error.
    package static let internalServerError = HTTPStatus(known: 500)
    /// Not Implemented: the server does not support this kind of request.
    package static let notImplemented = HTTPStatus(known: 501)
    /// Bad Gateway: another server, on which the response depends, cannot be reached or does not respond properly.
    package static let badGateway = HTTPStatus(known: 502)
    /// Service Unavailable: the server cannot handle the request at the moment.
    package static let serviceUnavailable = HTTPStatus(known: 503)
}

/// The response to a request for which the handler is not called. The connection ends with it.
struct RejectedRequest: Error, Hashable {
    let status: HTTPStatus
    /// The reason, for the developer of the client.
    let reason: String

    init(_ status: HTTPStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// Returns the response with additional fields.
    func response(_ more: HTTPFields = [:]) -> HTTPResponse {
        var response = HTTPResponse(status, text: reason + "\n", fields: fields(more))
        response.closesConnection = true
        return response
    }

    /// Returns the response as bytes, for use if a response cannot be queued.
    func bytes(_ more: HTTPFields) -> [UInt8] {
        let head = fields(more).map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Refused\r\n\(head)Connection: close\r\nContent-Length: 0\r\n\r\n".utf8)
    }

    private func fields(_ more: HTTPFields) -> HTTPFields {
        var fields = more
        if [.serviceUnavailable, .tooManyRequests].contains(status) { fields[.retryAfter] = "1" }
        return fields
    }

    static let tooManyRequests = RejectedRequest(.serviceUnavailable, "The server is busy. Try again in a second.")
    static let tooManyResponses = RejectedRequest(
        .tooManyRequests, "Too many responses are unread. Read them before you send requests.")
    static let tooManyConnections = RejectedRequest(.tooManyRequests, "Too many connections from this address.")
    static let tooSlow = RejectedRequest(.requestTimeout, "The request took too long.")
    static func bodyTooLong(_ limit: Int) -> RejectedRequest {
        RejectedRequest(.contentTooLarge, "The body is longer than \(limit) bytes.")
    }
}

/// The record of a request that the server has refused without calling the handler: it exceeded a limit or was invalid.
package struct HTTPRefusal: Sendable {
    /// The status of the response.
    package let status: HTTPStatus
    /// The request without a body; nil if its head was invalid or incomplete.
    package let request: HTTPRequest?
    /// The address of the client or proxy.
    package let peer: PeerAddress
}

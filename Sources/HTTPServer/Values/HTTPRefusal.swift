/// A request that the server refused without calling the handler, because it exceeds a limit or is invalid.
public struct HTTPRefusal: Sendable {
    /// The status of the response.
    public let status: HTTPStatus
    /// The request without a body; nil if its head was invalid or incomplete.
    public let request: HTTPRequest?
    /// The address of the client or proxy.
    public let peer: PeerAddress
}

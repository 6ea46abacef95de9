/// A request that the server has refused by itself, without asking the handler: it goes beyond the limits, or is none.
public struct HTTPRefusal: Sendable {
    /// How it was answered.
    public let status: HTTPStatus
    /// The request, without a body; nil where its head was not understood, or had not come.
    public let request: HTTPRequest?
    /// From where the connection came.
    public let peer: PeerAddress
}

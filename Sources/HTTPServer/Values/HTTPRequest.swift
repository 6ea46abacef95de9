/// A complete request with head and body.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path and the query.
    public var target: HTTPTarget
    /// The header fields.
    public var fields: HTTPFields
    /// The body, which may be empty.
    public var body: [UInt8]
    /// The address of the client, or of the proxy if there is one.
    public var peer: PeerAddress
    /// Whether the connection is encrypted by this server.
    public var isSecure: Bool
    /// The path below which a proxy shows this server, such as `/rss`; empty if it shows it at the root. The target
    /// does not contain the prefix.
    public var prefix = ""

    /// Creates a request.
    public init(
        _ method: HTTPMethod = .get, _ target: HTTPTarget, fields: HTTPFields = [:], body: [UInt8] = [],
        peer: PeerAddress = .local, isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
    }

    /// The host and the optional port in the request, such as `example.org:8080`. Only the syntax was checked. Nil if a
    /// client of HTTP/1.0 did not send it.
    public var host: String? { fields[.host]?.text }

    /// The origin that the client believes to speak with, such as `https://example.org:8080`; nil if it did not name
    /// one.
    public var origin: String? { host.map { (isSecure ? "https://" : "http://") + $0 } }

    /// The address of the server as the client knows it: the origin, and the prefix of a proxy. Nil if the client did
    /// not send the host.
    public var site: String? { origin.map { $0 + prefix } }
}

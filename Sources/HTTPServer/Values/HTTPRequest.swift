/// A request, whole: its head and its body.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The kind of the finding.
    public var target: HTTPTarget
    /// The fields of its head.
    public var fields: HTTPFields
    /// The body, which may be empty.
    public var body: [UInt8]
    /// From where the connection came: a proxy, where there is one.
    public var peer: PeerAddress
    /// Whether the connection is encrypted by this server.
    public var isSecure: Bool
    /// The path below which a proxy shows this server, such as `/rss`; empty if it shows it at the root. The target does not have it.
    public var prefix = ""

    /// A request as a client would send it.
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

    /// Whom the client believes to speak with, and the port where it said one, as in `example.org:8080`; checked for
    /// its form alone. Nil where a client of HTTP/1.0 said nothing.
    public var host: String? { fields[.host]?.text }

    /// The origin that the client believes to speak with, such as `https://example.org:8080`; nil if it did not name one.
    public var origin: String? { host.map { (isSecure ? "https://" : "http://") + $0 } }

    /// The address of the server as the client knows it: the origin, and the prefix of a proxy. Nil if the client did not name one.
    public var site: String? { origin.map { $0 + prefix } }
}

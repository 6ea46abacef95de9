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

/// The method of a request: `GET`, `POST`, and so on. Case matters.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    /// The name, as on the wire.
    public let name: String

    /// Creates a method by its name; nil if it is not a token of HTTP.
    public init?(_ name: String) {
        guard isToken(name.utf8) else { return nil }
        self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The name, as on the wire.
    public var description: String { name }

    /// Returns the resource.
    public static let get = HTTPMethod(known: "GET")
    /// Returns the head of the response to `GET`, without the body.
    public static let head = HTTPMethod(known: "HEAD")
    /// Submits data for processing.
    public static let post = HTTPMethod(known: "POST")
    /// Replaces the resource.
    public static let put = HTTPMethod(known: "PUT")
    /// Changes a part of the resource.
    public static let patch = HTTPMethod(known: "PATCH")
    /// Deletes the resource.
    public static let delete = HTTPMethod(known: "DELETE")
    /// Returns the supported methods.
    public static let options = HTTPMethod(known: "OPTIONS")

    static let connect = HTTPMethod(known: "CONNECT")
}

/// Whether the bytes are a token of RFC 9110, as required for methods and field names.
func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"): true
    case UInt8(ascii: "|"), UInt8(ascii: "~"): true
    default: false
    }
}

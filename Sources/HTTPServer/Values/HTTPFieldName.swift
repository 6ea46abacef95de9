/// The name of a header field. Case does not matter.
///
/// An invalid literal stops the program, like an index out of range. For names from input, use `init(_:)`.
public struct HTTPFieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lower case.
    public let text: String

    /// Creates a name from input; nil if it is not a token of HTTP.
    public init?(_ text: String) {
        guard isToken(text.utf8) else { return nil }
        self.init(token: text)
    }

    /// Creates a name from a literal in the program.
    public init(stringLiteral text: String) {
        precondition(isToken(text.utf8), "\(text) is no name of a header field.")
        self.init(token: text)
    }

    private init(token: String) {
        let isLower = token.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
        text = isLower ? token : token.lowercased()
    }

    /// The name, in lower case.
    public var description: String { text }

    /// The media types that the client accepts.
    public static let accept: HTTPFieldName = "accept"
    /// The methods that a resource supports.
    public static let allow: HTTPFieldName = "allow"
    /// The credentials of the client.
    public static let authorization: HTTPFieldName = "authorization"
    /// The time for which a response may be cached.
    public static let cacheControl: HTTPFieldName = "cache-control"
    /// Whether the connection stays open; set by the server.
    public static let connection: HTTPFieldName = "connection"
    /// The compression of a body.
    public static let contentEncoding: HTTPFieldName = "content-encoding"
    /// The length of a body; set by the server.
    public static let contentLength: HTTPFieldName = "content-length"
    /// The media type of a body.
    public static let contentType: HTTPFieldName = "content-type"
    /// The cookies that the client stored.
    public static let cookie: HTTPFieldName = "cookie"
    /// The time of a response; set by the server.
    public static let date: HTTPFieldName = "date"
    /// The version of a resource.
    public static let eTag: HTTPFieldName = "etag"
    /// The response that the client expects before it sends a body.
    public static let expect: HTTPFieldName = "expect"
    /// The host that the client wants to reach.
    public static let host: HTTPFieldName = "host"
    /// The version that the client wants to change.
    public static let ifMatch: HTTPFieldName = "if-match"
    /// The version that the client has.
    public static let ifNoneMatch: HTTPFieldName = "if-none-match"
    /// The address to continue at.
    public static let location: HTTPFieldName = "location"
    /// The time after which to try again.
    public static let retryAfter: HTTPFieldName = "retry-after"
    /// A cookie for the client to store.
    public static let setCookie: HTTPFieldName = "set-cookie"
    /// The transfer encoding of a body, such as chunks; set by the server.
    public static let transferEncoding: HTTPFieldName = "transfer-encoding"
    /// The name of the client program.
    public static let userAgent: HTTPFieldName = "user-agent"
    /// The request fields on which a response depends.
    public static let vary: HTTPFieldName = "vary"
}

/// The name of a header field. Case does not matter.
///
/// An invalid literal ends the program, as an index out of range does; names that come from
/// elsewhere go through `init(_:)`.
public struct HTTPFieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lower case.
    public let text: String

    /// Creates a name from input; nil if it is not a token of HTTP.
    public init?(_ text: String) {
        guard isToken(text.utf8) else { return nil }
        self.init(token: text)
    }

    /// A name that the program knows.
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

    /// Which kinds of answers the client takes.
    public static let accept: HTTPFieldName = "accept"
    /// Which methods a place knows.
    public static let allow: HTTPFieldName = "allow"
    /// The credentials of the client.
    public static let authorization: HTTPFieldName = "authorization"
    /// How long an answer may be kept.
    public static let cacheControl: HTTPFieldName = "cache-control"
    /// Whether the connection goes on; set by the server.
    public static let connection: HTTPFieldName = "connection"
    /// How a body is packed.
    public static let contentEncoding: HTTPFieldName = "content-encoding"
    /// How long a body is; set by the server.
    public static let contentLength: HTTPFieldName = "content-length"
    /// Of which kind a body is.
    public static let contentType: HTTPFieldName = "content-type"
    /// The cookies that the client stored.
    public static let cookie: HTTPFieldName = "cookie"
    /// When an answer was made; set by the server.
    public static let date: HTTPFieldName = "date"
    /// Which version of a thing an answer is.
    public static let eTag: HTTPFieldName = "etag"
    /// The response that the client expects before it sends a body.
    public static let expect: HTTPFieldName = "expect"
    /// Whom the client believes to speak with.
    public static let host: HTTPFieldName = "host"
    /// Which version the client wants to change.
    public static let ifMatch: HTTPFieldName = "if-match"
    /// Which version the client has.
    public static let ifNoneMatch: HTTPFieldName = "if-none-match"
    /// The address to continue at.
    public static let location: HTTPFieldName = "location"
    /// When to try again.
    public static let retryAfter: HTTPFieldName = "retry-after"
    /// A cookie for the client to store.
    public static let setCookie: HTTPFieldName = "set-cookie"
    /// How a body is cut for the way; set by the server.
    public static let transferEncoding: HTTPFieldName = "transfer-encoding"
    /// Which program asks.
    public static let userAgent: HTTPFieldName = "user-agent"
    /// Which fields of a request an answer depends on.
    public static let vary: HTTPFieldName = "vary"
}

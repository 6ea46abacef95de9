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

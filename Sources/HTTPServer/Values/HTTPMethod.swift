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

    /// Asks for what is there.
    public static let get = HTTPMethod(known: "GET")
    /// Asks for what `GET` would say of it, without the thing itself.
    public static let head = HTTPMethod(known: "HEAD")
    /// Hands something over to be worked on.
    public static let post = HTTPMethod(known: "POST")
    /// Puts something in the place.
    public static let put = HTTPMethod(known: "PUT")
    /// Changes a part of what is there.
    public static let patch = HTTPMethod(known: "PATCH")
    /// Takes away what is there.
    public static let delete = HTTPMethod(known: "DELETE")
    /// Asks what may be asked.
    public static let options = HTTPMethod(known: "OPTIONS")

    static let connect = HTTPMethod(known: "CONNECT")
}

/// Whether bytes are a token as RFC 9110 has it: what methods and the names of fields are made of.
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

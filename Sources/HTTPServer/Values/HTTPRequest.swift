internal import Text

/// A complete request with head and body.
package struct HTTPRequest: Hashable, Sendable {
    /// The method.
    package var method: HTTPMethod
    /// The path and the query.
    package var target: HTTPTarget
    /// The header fields.
    package var fields: HTTPFields
    /// The body, which may be empty.
    package var body: [UInt8]
    /// The address of the client, or of the proxy if there is one.
    package var peer: PeerAddress
    /// Whether the connection is encrypted by this server.
    package var isSecure: Bool
    /// The path below which a proxy shows this server, such as `/rss`; empty if it shows it at the root. The target
    /// does not contain the prefix.
    package var prefix = ""

    /// Creates a request.
    package init(
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
    package var host: String? { fields[.host]?.text }

    /// The origin that the client believes to speak with, such as `https://example.org:8080`; nil if it did not name
    /// one.
    package var origin: String? { host.map { (isSecure ? "https://" : "http://") + $0 } }

    /// The address of the server as the client knows it: the origin, and the prefix of a proxy. Nil if the client did
    /// not send the host.
    package var site: String? { origin.map { $0 + prefix } }
}

/// The method of a request: `GET`, `POST`, and so on. Case matters.
package struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    /// The name, as on the wire.
    package let name: String

    /// Creates a method by its name; nil if it is not a token of HTTP.
    package init?(_ name: String) {
        guard isToken(name.utf8) else { return nil }
        self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The name, as on the wire.
    package var description: String { name }

    /// Returns the resource.
    package static let get = HTTPMethod(known: "GET")
    /// Returns the head of the response to `GET`, without the body.
    package static let head = HTTPMethod(known: "HEAD")
    /// Submits data for processing.
    package static let post = HTTPMethod(known: "POST")
    /// Replaces the resource.
    package static let put = HTTPMethod(known: "PUT")
    /// Changes a part of the resource.
    package static let patch = HTTPMethod(known: "PATCH")
    /// Deletes the resource.
    package static let delete = HTTPMethod(known: "DELETE")
    /// Returns the supported methods.
    package static let options = HTTPMethod(known: "OPTIONS")

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

extension HTTPRequest {
    /// Whether `If-None-Match` names a version of the response, so that the client needs no other copy. Weak tags count, and
    /// `*` stands for any version. Source: RFC 9110, section 13.1.2.
    ///
    /// - Parameter tag: the entity tag of the version, with its quotation marks.
    package func hasCopy(tagged tag: String) -> Bool {
        guard var list = fields.list(of: .ifNoneMatch) else { return false }
        var tag = tag
        // Only the ends of a tag are quotation marks, so a tag that occurs in the list is a member of it.
        return list == "*" || list.withUTF8 { list in tag.withUTF8 { list.contains($0) } }
    }
}

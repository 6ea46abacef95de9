/// The head of a request as it arrived, in parts.
struct RequestHead {
    var method: String
    var target: String
    var version: String
    var fields: [(name: [UInt8], value: [UInt8])]

    /// The way in which a body follows.
    enum Body: Hashable {
        case none
        case length(Int)
        case chunks
    }

    /// Parses the head strictly: everything that a proxy could understand differently is refused.
    func read(peer: PeerAddress, isSecure: Bool) throws(RejectedRequest) -> (request: HTTPRequest, body: Body) {
        guard let method = HTTPMethod(method) else { throw RejectedRequest(.badRequest, "The method is not a token.") }
        guard method != .connect else { throw RejectedRequest(.notImplemented, "\(method) is not implemented.") }
        let fields = try readFields()
        let body = try readBody(fields)
        let hosts = fields.values(of: .host)
        guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else {
            throw RejectedRequest(.badRequest, "A request must have exactly one Host field.")
        }
        if let host = hosts.first {
            guard isHost(host.text) else { throw RejectedRequest(.badRequest, "The Host field is not a valid host.") }
        }
        guard let target = readTarget(method, hosts.first?.text) else {
            throw RejectedRequest(.badRequest, "The request target is invalid.")
        }
        let expectations = fields.values(of: .expect)
        guard expectations.allSatisfy({ $0.text.lowercased() == "100-continue" }) else {
            throw RejectedRequest(.expectationFailed, "The Expect field may only be 100-continue.")
        }
        return (HTTPRequest(method, target, fields: fields, peer: peer, isSecure: isSecure), body)
    }

    private func readFields() throws(RejectedRequest) -> HTTPFields {
        var result = HTTPFields()
        result.reserve(fields.count)
        for field in fields {
            guard let name = String(validating: field.name, as: UTF8.self).flatMap(HTTPFieldName.init) else {
                throw RejectedRequest(.badRequest, "A field name is not a token.")
            }
            guard let value = field.value.withUnsafeBufferPointer({ HTTPFieldValue(bytes: $0) }) else {
                throw RejectedRequest(.badRequest, "A field value contains a control character.")
            }
            result.append(value, for: name)
        }
        return result
    }

    private func readBody(_ fields: HTTPFields) throws(RejectedRequest) -> Body {
        let lengths = fields.values(of: .contentLength)
        let codings = fields.values(of: .transferEncoding)
        if let coding = codings.first {
            guard lengths.isEmpty else {
                throw RejectedRequest(.badRequest, "A request must not have both Content-Length and Transfer-Encoding.")
            }
            guard version != "HTTP/1.0" else {
                throw RejectedRequest(.badRequest, "HTTP/1.0 does not support Transfer-Encoding.")
            }
            guard codings.count == 1, coding.text.lowercased() == "chunked" else {
                throw RejectedRequest(.badRequest, "Transfer-Encoding may only be chunked.")
            }
            return .chunks
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, !length.text.isEmpty, length.text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw RejectedRequest(.badRequest, "A request must have at most one Content-Length, in digits.")
        }
        guard let count = Int(length.text) else { throw RejectedRequest(.contentTooLarge, "The body is too long.") }
        return count == 0 ? .none : .length(count)
    }

    /// Parses the target, in the form for servers or the one for proxies. The host in the latter must match the `Host`
    /// field.
    private func readTarget(_ method: HTTPMethod, _ host: String?) -> HTTPTarget? {
        if target.utf8.first == UInt8(ascii: "/") { return HTTPTarget(target) }
        if target == "*" { return method == .options ? .asterisk : nil }
        let lower = target.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix), let host else { return nil }
        let rest = target.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard !host.isEmpty, String(Substring(rest[..<end])).lowercased() == host.lowercased() else { return nil }
        let path = String(Substring(rest[end...]))
        return HTTPTarget(path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    }
}

/// Whether a text is a host with an optional port: a name, an IPv4 address, or an IPv6 address in brackets.
private func isHost(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "[") {
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let address = rest[rest.index(after: rest.startIndex)..<end]
        guard !address.isEmpty,
            address.allSatisfy({ hexadecimal($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        else { return false }
        rest = rest[rest.index(after: end)...]
    } else {
        rest = rest.drop { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
    guard let colon = rest.first else { return true }
    let port = rest.dropFirst()
    return colon == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy { 0x30...0x39 ~= $0 }
}

internal import Platform

/// The proxies whose reports about clients are trusted.
///
/// If a request came through several proxies, the client's address is the last one that does not belong to a trusted
/// proxy. Addresses before it are untrusted, because the client could have written them. `Forwarded` (RFC 7239) takes
/// precedence over `X-Forwarded-For`, `-Proto`, and `-Host`. `X-Forwarded-Prefix` is the path below which the proxy
/// shows the server.
package struct TrustedProxies: Sendable, Hashable {
    /// A network of addresses.
    private struct Network: Sendable, Hashable {
        let bytes: [UInt8]
        let bits: Int

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            let (whole, rest) = (bits / 8, bits % 8)
            guard address[..<whole] == bytes[..<whole] else { return false }
            return rest == 0 || (address[whole] ^ bytes[whole]) >> (8 - rest) == 0
        }
    }

    private var networks: [Network] = []
    private var trustsLocal = false

    /// Creates an empty set: forwarding fields of requests are ignored.
    package init() {}

    /// Trusts a proxy.
    ///
    /// - Parameter text: an address in digits, a network such as `10.0.0.0/8`, or `unix` for all clients of a Unix
    ///   socket.
    /// - Returns: whether the text is valid.
    package mutating func insert(_ text: String) -> Bool {
        if text == "unix" {
            trustsLocal = true
            return true
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(String(parts[0])) else { return false }
        let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let bits, 0...bytes.count * 8 ~= bits else { return false }
        networks.append(Network(bytes: bytes, bits: bits))
        return true
    }

    /// Returns the request as the client sent it: with the client's address, encryption, host, and prefix.
    package func reading(_ request: HTTPRequest) -> HTTPRequest {
        guard isTrusted(request.peer) else { return request }
        var request = request
        request.prefix = request.fields.values(of: "x-forwarded-prefix").last.flatMap { BasePath($0.text)?.text } ?? ""
        let hops = Self.hops(of: request.fields)
        for hop in hops.reversed() {
            if let address = hop.address { request.peer = .internet(host: address, port: hop.port ?? 0) }
            if let scheme = hop.scheme { request.isSecure = scheme == "https" }
            if let host = hop.host, let value = try? HTTPFieldValue(host) { request.fields[.host] = value }
            // Stop at the first address that is missing or not a trusted proxy; ignore everything before it.
            guard hop.address != nil, isTrusted(request.peer) else { break }
        }
        return request
    }

    private func isTrusted(_ peer: PeerAddress) -> Bool {
        guard case .internet(let host, _) = peer else { return trustsLocal }
        guard let bytes = Self.bytes(host) else { return false }
        return networks.contains { $0.contains(bytes) }
    }

    /// A proxy's report of its client.
    fileprivate struct Hop {
        var address: String?
        var port: Int?
        var scheme: String?
        var host: String?
    }

    private static func hops(of fields: HTTPFields) -> [Hop] {
        let forwarded = fields.values(of: "forwarded").flatMap(\.list)
        if !forwarded.isEmpty { return forwarded.map(hop) }
        func last(_ name: HTTPFieldName) -> String? { fields.values(of: name).flatMap(\.list).last }
        var hops = fields.values(of: "x-forwarded-for").flatMap(\.list).map { Hop(node: $0) }
        if hops.isEmpty { hops = [Hop()] }
        // These fields have one value for the whole path, which the last proxy has set or forwarded.
        hops[hops.count - 1].scheme = last("x-forwarded-proto").flatMap(scheme)
        hops[hops.count - 1].host = last("x-forwarded-host").flatMap(host)
        return hops
    }

    private static func hop(_ element: String) -> Hop {
        var hop = Hop()
        for pair in element.split(separator: ";") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { continue }
            var value = sides[1][...]
            if value.first == "\"", value.last == "\"", value.count > 1 { value = value.dropFirst().dropLast() }
            switch sides[0].drop(while: { $0 == " " }).lowercased() {
            case "for":
                let node = Hop(node: String(value))
                (hop.address, hop.port) = (node.address, node.port)
            case "proto": hop.scheme = scheme(String(value))
            case "host": hop.host = host(String(value))
            default: break
            }
        }
        return hop
    }

    private static func scheme(_ text: String) -> String? {
        let text = text.lowercased()
        return text == "http" || text == "https" ? text : nil
    }

    private static func host(_ text: String) -> String? {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-:[]_".utf8.contains(byte)
            }
        } && !text.isEmpty ? text : nil
    }

    /// Returns the bytes of an address in digits, with IPv4-mapped IPv6 addresses as IPv4; nil if it is not an address.
    fileprivate static func bytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let mapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return mapped ? Array(bytes[12...]) : bytes
    }
}

extension TrustedProxies.Hop {
    /// Parses an address with an optional port, such as `192.0.2.1:4711` or `[2001:db8::1]:4711`. Other text, such as
    /// `unknown` or a pseudonym, gives no address.
    fileprivate init(node: String) {
        var host = node[...]
        var port: Substring?
        if node.first == "[", let end = node.firstIndex(of: "]") {
            host = node[node.index(after: node.startIndex)..<end]
            let rest = node[node.index(after: end)...]
            port = rest.first == ":" ? rest.dropFirst() : nil
        } else if let colon = node.firstIndex(of: ":"), node[node.index(after: colon)...].firstIndex(of: ":") == nil {
            (host, port) = (node[..<colon], node[node.index(after: colon)...])
        }
        guard TrustedProxies.bytes(String(host)) != nil else { return }
        address = String(host)
        self.port = port.flatMap { Int($0) }
    }
}

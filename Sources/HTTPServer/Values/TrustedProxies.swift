internal import Platform

/// Proxies that stand between clients and the server, and are believed what they say of a client.
///
/// Of what came through several, the address that counts is the last that no trusted proxy has: whatever stands before it, anybody
/// can have written. `Forwarded` (RFC 7239) goes before `X-Forwarded-For`, `-Proto` and `-Host`. `X-Forwarded-Prefix` is the path below which
/// the proxy shows the server.
public struct TrustedProxies: Sendable, Hashable {
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

    /// No proxy: what a request says of its way is not looked at.
    public init() {}

    /// Trusts a proxy.
    ///
    /// - Parameter text: an address in digits, one with the bits of its network as in `10.0.0.0/8`, or `unix` for whoever comes by
    ///   a Unix socket.
    /// - Returns: whether it is one of these.
    public mutating func insert(_ text: String) -> Bool {
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

    /// The request as the client sent it: its address, whether it was encrypted, and the host and the prefix it was for.
    public func reading(_ request: HTTPRequest) -> HTTPRequest {
        guard isTrusted(request.peer) else { return request }
        var request = request
        request.prefix = request.fields.values(of: "x-forwarded-prefix").last.flatMap { Self.prefix($0.text) } ?? ""
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
        // These have one value for the whole way, which the last proxy has set or passed on.
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

    /// A path without the slash at its end; nil if it is not one that every part of an address can begin with.
    private static func prefix(_ text: String) -> String? {
        var path = text[...]
        while path.last == "/" { path.removeLast() }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "", parts.count > 1, text.utf8.count <= 200 else { return nil }
        let isPlain = parts.dropFirst().allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-._~".utf8.contains(byte)
                    }
                }
        }
        return isPlain ? String(path) : nil
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

    /// The bytes of an address in digits, an IPv4 address in IPv6 as that of IPv4; nil where it is none.
    fileprivate static func bytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let mapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return mapped ? Array(bytes[12...]) : bytes
    }
}

extension TrustedProxies.Hop {
    /// Parses an address with or without a port, as in `192.0.2.1:4711` and `[2001:db8::1]:4711`. Other text, such as `unknown` or a
    /// pseudonym, gives no address.
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

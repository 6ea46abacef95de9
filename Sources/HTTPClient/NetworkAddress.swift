package import Platform

/// The address of a computer in the network: 4 bytes of IPv4, or 16 bytes of IPv6.
package struct NetworkAddress: Sendable, Hashable {
    private let bytes: [UInt8]

    /// Creates the address of a socket; nil if it is neither IPv4 nor IPv6.
    package init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// Parses an address in digits; nil if the text is something else.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Whether the address is in the public network, by the registries of special addresses of IANA
    /// (RFC 6890, <https://www.iana.org/assignments/iana-ipv4-special-registry>, `iana-ipv6-special-registry`). An IPv6
    /// address that contains an IPv4 address is public only if that one is.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
        if let embedded { return NetworkAddress(bytes: embedded).isPublic }
        return Self.globalIPv6.contains(bytes) && !Self.specialIPv6.contains { $0.contains(bytes) }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The IPv4 address that this IPv6 address leads to: mapped (RFC 4291), translated (RFC 6052), or 6to4 (RFC 3056).
    private var embedded: [UInt8]? {
        if Self.mapped.contains(bytes) || Self.translated.contains(bytes) { return Array(bytes[12...]) }
        if Self.sixToFour.contains(bytes) { return Array(bytes[2..<6]) }
        return nil
    }

    /// The addresses that begin with the same bits.
    private struct Network {
        let prefix: [UInt8]
        let bits: Int

        init(_ text: String, _ bits: Int) {
            prefix = NetworkAddress(text)?.bytes ?? []
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            guard bytes.count == prefix.count else { return false }
            return zip(bytes, prefix).enumerated().allSatisfy { index, pair in
                let rest = min(max(bits - index * 8, 0), 8)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
                return pair.0 & mask == pair.1 & mask
            }
        }
    }

    private static let specialIPv4 = [
        Network("0.0.0.0", 8), Network("10.0.0.0", 8), Network("100.64.0.0", 10), Network("127.0.0.0", 8),
        Network("169.254.0.0", 16), Network("172.16.0.0", 12), Network("192.0.0.0", 24), Network("192.0.2.0", 24),
        Network("192.88.99.0", 24), Network("192.168.0.0", 16), Network("198.18.0.0", 15), Network("198.51.100.0", 24),
        Network("203.0.113.0", 24), Network("224.0.0.0", 4), Network("240.0.0.0", 4),
    ]
    private static let mapped = Network("::ffff:0:0", 96)
    private static let translated = Network("64:ff9b::", 96)
    private static let sixToFour = Network("2002::", 16)
    private static let globalIPv6 = Network("2000::", 3)
    private static let specialIPv6 = [Network("2001::", 23), Network("2001:db8::", 32), Network("3fff::", 20)]
}

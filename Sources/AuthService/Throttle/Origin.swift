internal import Platform

/// Where an attempt comes from, so that whoever guesses keeps out nobody but themselves: a network address, a terminal.
///
/// It is to be something that costs a guesser to change, and that the service itself has seen: never what a client says
/// of itself, such as `X-Forwarded-For` from anybody but one's own proxy.
public struct Origin: Hashable, Sendable {
    /// What it is called.
    public let text: String

    /// An origin of any kind, such as `local:1000`. The first 200 characters are kept.
    public init(_ text: String) {
        let isShort = text.utf8.count <= Self.longest
        self.text = isShort ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longest)))
    }

    private static let longest = 200

    /// Nobody knows where.
    public static let unknown = Origin("")

    /// The origin that a network address stands for. Of IPv6 that is its network of 64 bits: whoever has one of its
    /// addresses has them all (RFC 6177). An IPv4 address that is written as one of IPv6 is that IPv4 address.
    ///
    /// - Parameter address: as `inet_ntop` writes it, without a port; anything else is taken as it is.
    public init(address: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else {
            self.init(address)
            return
        }
        if bytes.starts(with: Self.mappedIPv4) {
            self.init(bytes.suffix(4).map { String($0) }.joined(separator: "."))
        } else {
            self.init(Self.network(of: bytes))
        }
    }

    private static let mappedIPv4 = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The networks that contain the origin, the smallest first: the origin itself, then of IPv6 the network of 48 bits that a
    /// site is given (RFC 6177), because whoever has a site has all of its 65,536 smaller networks.
    package var networks: [Origin] {
        guard text.hasSuffix("::/64") else { return [self] }
        let groups = text.dropLast(5).split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count == 4 else { return [self] }
        return [self, Origin(groups.prefix(3).joined(separator: ":") + "::/48")]
    }

    /// The largest of them.
    var site: Origin { networks.last ?? self }

    private static func network(of address: [UInt8]) -> String {
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(Int(address[index]) << 8 | Int(address[index + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}

extension Origin: CustomStringConvertible {
    /// What it is called.
    public var description: String { text }
}

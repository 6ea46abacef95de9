internal import Platform

/// The origin of an attempt, such as a network address or a terminal. Attempts are counted per origin, so that an
/// attacker locks out only themselves.
///
/// It should be hard for an attacker to change, and be observed by the service itself. Never use a claim of the client,
/// such as `X-Forwarded-For` from an untrusted proxy.
public struct Origin: Hashable, Sendable {
    /// The text of the origin.
    public let text: String

    /// Creates an origin of any kind, such as `local:1000`. The text is cut after 200 characters.
    public init(_ text: String) {
        let isShort = text.utf8.count <= Self.longest
        self.text = isShort ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longest)))
    }

    /// Creates a stored origin; nil if the text is longer than an origin can be.
    package init?(whole text: String) {
        self.init(text)
        guard self.text.utf8.count == text.utf8.count else { return nil }
    }

    private static let longest = 200

    /// An unknown origin.
    public static let unknown = Origin("")

    /// Creates the origin of a network address. For IPv6 it is the 64-bit network, because the owner of one of its
    /// addresses owns all of them (RFC 6177). An IPv4-mapped IPv6 address is treated as the IPv4 address.
    ///
    /// - Parameter address: the address in the format of `inet_ntop`, without a port. Other text is used unchanged.
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

    /// The networks that contain the origin, smallest first: the origin itself and, for IPv6, the 48-bit network of a
    /// site (RFC 6177), because the owner of a site owns all of its 65,536 smaller networks.
    package var networks: [Origin] {
        guard text.hasSuffix("::/64") else { return [self] }
        let groups = text.dropLast(5).split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count == 4 else { return [self] }
        return [self, Origin(groups.prefix(3).joined(separator: ":") + "::/48")]
    }

    /// The largest network.
    var site: Origin { networks.last ?? self }

    private static func network(of address: [UInt8]) -> String {
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(Int(address[index]) << 8 | Int(address[index + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}

extension Origin: CustomStringConvertible {
    /// The text of the origin.
    public var description: String { text }
}

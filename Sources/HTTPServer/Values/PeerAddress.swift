import Platform

/// The address from which a connection comes.
package enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// An Internet address in digits, and a port.
    case internet(host: String, port: Int)
    /// A Unix socket.
    case local

    /// The address for logs: `127.0.0.1:4711`, `[::1]:4711`, or `local`.
    package var description: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .local: "local"
        }
    }

    /// Creates the address of an accepted connection.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            self = withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    .internet(
                        host: digits(AF_INET, address.pointer(to: \.sin_addr)),
                        port: Int(UInt16(bigEndian: address.pointee.sin_port)))
                }
            }
        case AF_INET6:
            self = withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    let host = digits(AF_INET6, address.pointer(to: \.sin6_addr))
                    let mapped = "::ffff:"
                    return .internet(
                        host: host.hasPrefix(mapped) && host.contains(".")
                            ? String(host.dropFirst(mapped.count)) : host,
                        port: Int(UInt16(bigEndian: address.pointee.sin6_port)))
                }
            }
        default: self = .local
        }
    }

    /// The key for counting connections: the address, or for IPv6 the 64-bit network, which usually belongs to one
    /// customer. Nil for Unix sockets, whose client is unknown.
    package var origin: String? {
        guard case .internet(let host, _) = self else { return nil }
        guard host.contains(":") else { return host }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, host, &bytes) == 1 else { return host }
        for index in 8..<16 { bytes[index] = 0 }
        return digits(AF_INET6, bytes) + "/64"
    }
}

private func digits(_ family: Int32, _ address: UnsafeRawPointer?) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard let address, inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

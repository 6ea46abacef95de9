/// The address at which a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address in digits, and a port; 0 selects a free port. `0.0.0.0` means all IPv4 addresses, `::` all addresses.
    case internet(host: String, port: Int)
    /// A Unix socket at a path. The mode, such as 0o660, determines who may connect.
    case local(path: String, mode: Int)
    /// A socket that already listens, opened by the program that started this one. The server takes ownership and
    /// closes it.
    case descriptor(Int32)

    /// The address as it is written in messages.
    public var description: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .local(let path, _): path
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        }
    }
}

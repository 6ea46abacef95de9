/// The address at which a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address in digits, and a port; 0 is any that is free. `0.0.0.0` is every address of IPv4, `::` every address.
    case internet(host: String, port: Int)
    /// A Unix socket at a path, which those may use whom its mode lets write, such as 0o660.
    case local(path: String, mode: Int)
    /// A socket that listens already, opened by whoever started the program. The server takes it over and closes it.
    case descriptor(Int32)

    /// As it is written in messages.
    public var description: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .local(let path, _): path
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        }
    }
}

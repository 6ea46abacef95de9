import Platform

/// A listening socket without a server. Clients can connect, and wait until a server uses it.
package struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// The port, even if 0 was requested; nil for a Unix socket.
    package let port: Int?
    /// The address, even if another program opened the socket.
    package let address: ListenAddress
    /// The path and inode of a Unix socket. The file is deleted at the end, unless another file has replaced it.
    private let file: (path: String, number: UInt64)?

    /// Listens at an address until the socket is closed or its server is stopped.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be used.
    package init(_ address: ListenAddress) throws(HTTPServerError) {
        switch address {
        case .internet(let host, let port): self = try Self.internet(host, port, at: address)
        case .local(let path, let mode): self = try Self.local(path, mode, at: address)
        case .descriptor(let descriptor): self = try Self.given(descriptor)
        }
    }

    private init(descriptor: Int32, address: ListenAddress, file: (path: String, number: UInt64)? = nil) {
        self.descriptor = descriptor
        self.address = address
        self.file = file
        port = Self.port(of: descriptor)
    }

    /// Stops listening. Call this at most once, and not if a server uses the socket: the server closes it.
    package func close() {
        if let file, Self.fileNumber(file.path) == file.number { unlink(file.path) }
        Platform.close(descriptor)
    }

    private static func internet(
        _ host: String, _ port: Int, at given: ListenAddress
    ) throws(HTTPServerError) -> ListeningSocket {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = streamSocket
        var found: UnsafeMutablePointer<addrinfo>?
        guard 0...65535 ~= port, getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee
        else {
            throw .badAddress(given.description)
        }
        defer { freeaddrinfo(found) }
        let descriptor = try opened(address.ai_family, named: given.description) { descriptor in
            set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if address.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1) }
            return bind(descriptor, address.ai_addr, address.ai_addrlen)
        }
        return ListeningSocket(descriptor: descriptor, address: given)
    }

    private static func local(
        _ path: String, _ mode: Int, at given: ListenAddress
    ) throws(HTTPServerError) -> ListeningSocket {
        guard let named = localAddress(path) else { throw .badAddress(path) }
        var address = named.address
        // A server that was killed leaves its socket behind. Such a socket refuses connections.
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notSocket(path) }
            let probe = socket(AF_UNIX, streamSocket | cloexec, 0)
            defer { Platform.close(probe) }
            let refused = withAddress(&address) { connect(probe, $0, named.size) != 0 && errno == ECONNREFUSED }
            if refused { unlink(path) }
        }
        let descriptor = try opened(AF_UNIX, named: path) { descriptor in
            // Set the mode before the socket has a name, so that others cannot use it even for a moment.
            fchmod(descriptor, mode_t(mode))
            return withAddress(&address) { bind(descriptor, $0, named.size) }
        }
        // Restore the bits that the umask removed.
        chmod(path, mode_t(mode))
        return ListeningSocket(
            descriptor: descriptor, address: given, file: fileNumber(path).map { (path: path, number: $0) })
    }

    private static func given(_ descriptor: Int32) throws(HTTPServerError) -> ListeningSocket {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0 else {
            throw .notListening(descriptor)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return ListeningSocket(descriptor: descriptor, address: address(of: descriptor))
    }

    /// Returns the address of a socket that another program opened.
    private static func address(of descriptor: Int32) -> ListenAddress {
        if let storage = name(of: descriptor), case .internet(let host, let port) = PeerAddress(storage) {
            return .internet(host: host, port: port)
        }
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        guard withAddress(&address, { getsockname(descriptor, $0, &size) }) == 0,
            Int32(address.sun_family) == AF_UNIX
        else { return .descriptor(descriptor) }
        let length = min(Int(size), MemoryLayout<sockaddr_un>.size) - MemoryLayout.size(ofValue: address.sun_family)
        var bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix(max(0, length))) }
        // An abstract name, which is not in the file system, begins with a zero; other names end with one.
        if bytes.first == 0 { bytes[0] = UInt8(ascii: "@") } else { bytes = Array(bytes.prefix { $0 != 0 }) }
        return bytes.isEmpty ? .descriptor(descriptor) : .local(path: String(decoding: bytes, as: UTF8.self), mode: 0)
    }

    private static func opened(
        _ family: Int32, named name: String, _ bind: (Int32) -> Int32
    ) throws(HTTPServerError) -> Int32 {
        let descriptor = socket(family, streamSocket | cloexec | nonblocking, 0)
        guard descriptor >= 0 else { throw .failed("Cannot open a socket for \(name)", .current) }
        guard bind(descriptor) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let error = SystemError.current
            Platform.close(descriptor)
            switch error.code {
            case EADDRINUSE: throw .addressInUse(name)
            case EACCES, EPERM: throw .notPermitted(name)
            case EADDRNOTAVAIL, ENOENT, ENOTDIR: throw .badAddress(name)
            default: throw .failed("Cannot listen on \(name)", error)
            }
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int? {
        guard let storage = name(of: descriptor), case .internet(_, let port) = PeerAddress(storage) else { return nil }
        return port
    }

    private static func name(of descriptor: Int32) -> sockaddr_storage? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withAddress(&storage) { getsockname(descriptor, $0, &size) } == 0 ? storage : nil
    }

    private static func fileNumber(_ path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

let streamSocket = Int32(SOCK_STREAM.rawValue)
let cloexec = Int32(SOCK_CLOEXEC.rawValue)
let nonblocking = Int32(SOCK_NONBLOCK.rawValue)

/// Returns the address of a Unix socket; a leading `@` stands for an abstract name. Nil if the path is too long.
func localAddress(_ path: String) -> (address: sockaddr_un, size: socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < capacity, isAbstract || !bytes.contains(0) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let head = MemoryLayout.size(ofValue: address.sun_family)
    return (address, socklen_t(head + bytes.count + (isAbstract ? 0 : 1)))
}

/// Passes an address to a system call that accepts addresses of any family.
func withAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

/// The address at which a server listens.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address in digits, and a port; 0 selects a free port. `0.0.0.0` means all IPv4 addresses, `::` all addresses.
    case internet(host: String, port: Int)
    /// A Unix socket at a path. The mode, such as 0o660, determines who may connect.
    case local(path: String, mode: Int)
    /// A socket that already listens, opened by the program that started this one. The server takes ownership and
    /// closes it.
    case descriptor(Int32)

    /// The address as it is written in messages.
    package var description: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .local(let path, _): path
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        }
    }
}

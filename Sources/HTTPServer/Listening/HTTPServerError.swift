public import Platform

/// The reason why a server could not start or use other certificates.
public enum HTTPServerError: Error, Hashable, CustomStringConvertible {
    /// Another process listens at the address.
    case addressInUse(String)
    /// The path is a file that is not a socket.
    case notSocket(String)
    /// The user of the process is not permitted to listen there.
    case notPermitted(String)
    /// The text is not an address of this machine.
    case badAddress(String)
    /// The descriptor from another program is not a listening socket.
    case notListening(Int32)
    /// The certificate and the key are not usable, or do not belong to each other.
    case badCertificate
    /// The server was already stopped.
    case stopped
    /// Another error of the operating system.
    case failed(String, SystemError)

    /// The error as a message.
    public var description: String {
        switch self {
        case .addressInUse(let address):
            "\(address) is in use by another program. Stop that program, or listen elsewhere."
        case .notSocket(let path):
            "\(path) is there already, and is no socket. Choose another path for the socket, or move what is there away."
        case .notPermitted(let address):
            """
            Listening on \(address) is not permitted. Ports below 1024 and other people's folders need rights: \
            choose another, or let the service manager open the socket.
            """
        case .badAddress(let address):
            """
            \(address) is no address of this machine. Give one in digits, such as 127.0.0.1, ::1 or 0.0.0.0, and a \
            port, or the path of a socket, of at most 107 bytes, in a folder that exists.
            """
        case .notListening(let descriptor):
            """
            The open file \(descriptor) is no listening socket. Check the socket unit: it needs ListenStream= and \
            Accept=no.
            """
        case .badCertificate:
            """
            The certificate and the key cannot be used together. Both have to be in PEM, the chain from the server's \
            certificate upwards.
            """
        case .stopped: "The server has been stopped. Start another."
        case .failed(let what, let error): "\(what): \(error)."
        }
    }
}

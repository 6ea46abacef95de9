package import Text

/// The reason why a request has no response.
package enum HTTPClientError: Error, Hashable, ExplainedError {
    /// libcurl cannot be loaded.
    case unavailable(String)
    /// The text is not an address.
    case badAddress(String)
    /// The scheme is not `http` or `https`.
    case badScheme(String)
    /// Requests to this port are not allowed.
    case forbiddenPort(Int)
    /// The host has only addresses to which requests are not allowed, such as that of this machine.
    case forbiddenHost(String)
    /// A password would be sent to this host without encryption.
    case passwordInTheClear(String)
    /// The host does not exist.
    case unknownHost(String)
    /// The host does not accept a connection.
    case noConnection(String)
    /// The server's certificate is not valid, or encryption failed.
    case insecure(host: String, reason: String)
    case tooManyRedirects(Int)
    /// The body is longer than this number of bytes.
    case bodyTooLarge(Int)
    /// The header is longer than this number of bytes.
    case headerTooLarge(Int)
    /// The response did not end in time.
    case timedOut
    /// The server broke off or violated the protocol.
    case brokenResponse(String)
    /// A field has a line break in its value.
    case badField(String)
    case outOfMemory
    /// The task was canceled, or the client was released.
    case canceled

    package var description: String {
        switch self {
        case .unavailable(let reason): "libcurl cannot be loaded: \(reason)"
        case .badAddress(let text): "“\(text.shortened())” is not a web address"
        case .badScheme(let scheme): "addresses with “\(scheme.shortened()):” cannot be fetched"
        case .forbiddenPort(let port): "requests to port \(port) are not allowed"
        case .forbiddenHost(let host): "\(host.shortened()) is in a private network, to which requests are not allowed"
        case .passwordInTheClear(let host): "the password for \(host.shortened()) would be sent without encryption"
        case .unknownHost(let host): "there is no host \(host.shortened())"
        case .noConnection(let host): "\(host.shortened()) does not accept connections"
        case .insecure(let host, let reason): "the connection to \(host.shortened()) is not secure: \(reason)"
        case .tooManyRedirects(let limit): "the server redirected more than \(limit) times"
        case .bodyTooLarge(let limit): "the response is longer than \(limit) bytes"
        case .headerTooLarge(let limit): "the header of the response is longer than \(limit) bytes"
        case .timedOut: "the server did not respond in time"
        case .brokenResponse(let reason): "the response is broken: \(reason)"
        case .badField(let name): "the field \(name) has a line break"
        case .outOfMemory: "there is not enough memory for a request"
        case .canceled: "the request was canceled"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .badAddress, .badScheme, .badField: .usage
        case .forbiddenPort, .forbiddenHost, .passwordInTheClear: .notAllowed
        case .unknownHost: .notFound
        case .canceled: .interrupted
        case .unavailable: .unavailable
        case .noConnection, .timedOut, .outOfMemory: .busy
        case .insecure, .tooManyRedirects, .bodyTooLarge, .headerTooLarge, .brokenResponse: .invalid
        }
    }

    package var hint: String? {
        switch self {
        case .unavailable: "install libcurl: apt-get install libcurl4"
        case .passwordInTheClear: "use an address with https, or allow the host: --allow-host HOST"
        case .forbiddenHost, .forbiddenPort:
            "the operator can allow a host: --allow-host HOST or fetch.allow-host, and for articlesd --fetch-host HOST"
        default: nil
        }
    }
}

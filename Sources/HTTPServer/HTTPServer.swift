package import Platform
import Synchronization
package import Text

/// A server that listens at an address and calls a handler for each request.
///
/// It serves from its creation until it is stopped. A few threads serve all connections. Each handler is a task, which is
/// canceled if its client disconnects. The task of a `GET` or `HEAD` request runs on the thread of its connection until it
/// waits, so its handler should pass on work that takes long, as ``ExpensiveWork`` does.
///
/// libmicrohttpd reads HTTP/1.1. The server refuses requests that another program on the way could read differently, and
/// passes on only valid values: a path without `..`, a field without a line break. After a body in chunks, the response
/// ends the connection, because libmicrohttpd accepts a bare line feed in the lines of chunks; see
/// ``HTTPLimits/allowsChunks``.
package final class HTTPServer: Sendable {
    /// The address. For a socket that another program opened, it is the address to which it is bound.
    package let address: ListenAddress
    /// The port, even if 0 was requested; nil for a Unix socket.
    package let port: Int?

    private let site: Site
    private let acceptor: Acceptor

    private struct State {
        var pool: WorkerPool
        /// The tasks that end connections with older certificates.
        var retiring: [Task<Void, Never>] = []
        var stopping: Task<Void, Never>?
    }
    private let state: Mutex<State>

    /// Serves on a socket that already listens.
    ///
    /// - Parameters:
    ///   - listening: the socket. It is closed with the server, or immediately if this initializer throws.
    ///   - identity: the certificate and key; nil for a server without TLS.
    ///   - limits: the limits of requests and responses.
    ///   - clock: the time, for the date of responses.
    ///   - refused: called for each request that the server refuses by itself. It returns additional fields of the
    ///     response, and must not block.
    ///   - handler: responds to a request. It is called for many requests concurrently.
    /// - Throws: `HTTPServerError` if the certificate cannot be used.
    package init(
        on listening: ListeningSocket, identity: TLSIdentity? = nil, limits: HTTPLimits = HTTPLimits(),
        clock: @escaping @Sendable () -> Date = { Date() },
        refused: @escaping @Sendable (HTTPRefusal) -> HTTPFields = { _ in [:] },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        site = Site(handler: handler, refused: refused, limits: limits, date: HTTPDate(clock: clock))
        (address, port) = (listening.address, listening.port)
        let pool: WorkerPool
        do throws(HTTPServerError) {
            pool = try WorkerPool(site, identity: identity)
            do throws(HTTPServerError) {
                acceptor = try Acceptor(site, listening, pool)
            } catch {
                pool.stop()
                throw error
            }
        } catch {
            listening.close()
            throw error
        }
        state = Mutex(State(pool: pool))
    }

    /// Listens at an address and serves.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - identity: the certificate and key; nil for a server without TLS.
    ///   - limits: the limits of requests and responses.
    ///   - clock: the time, for the date of responses.
    ///   - refused: called for each request that the server refuses by itself. It returns additional fields of the
    ///     response, and must not block.
    ///   - handler: responds to a request. It is called for many requests concurrently.
    /// - Throws: `HTTPServerError` if the address or the certificate cannot be used.
    package convenience init(
        on address: ListenAddress, identity: TLSIdentity? = nil, limits: HTTPLimits = HTTPLimits(),
        clock: @escaping @Sendable () -> Date = { Date() },
        refused: @escaping @Sendable (HTTPRefusal) -> HTTPFields = { _ in [:] },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        try self.init(
            on: ListeningSocket(address), identity: identity, limits: limits, clock: clock, refused: refused,
            handler: handler)
    }

    /// The number of open connections.
    package var connections: Int { site.connections.count }

    /// The number of requests in progress.
    package var requests: Int { site.requests }

    /// Uses another certificate for new connections. Existing connections end after their current request, or when the
    /// time is over.
    ///
    /// - Parameters:
    ///   - identity: the certificate and key.
    ///   - time: the time for existing connections.
    /// - Throws: `HTTPServerError` if the certificate cannot be used, in which case nothing changes, or if the server
    ///   was stopped.
    package func replaceIdentity(_ identity: TLSIdentity, within time: Duration) throws(HTTPServerError) {
        let pool = try WorkerPool(site, identity: identity)
        let isReplaced = state.withLock { state in
            guard state.stopping == nil else { return false }
            let old = state.pool
            state.pool = pool
            acceptor.hand(to: pool)
            state.retiring.append(Task { await old.retire(within: time) })
            return true
        }
        guard isReplaced else {
            pool.stop()
            throw .stopped
        }
    }

    /// Stops listening, waits for requests in progress, and then closes all connections.
    ///
    /// - Parameter time: the time for requests in progress. After it, they are canceled, and their connections are cut.
    package func stop(within time: Duration) async {
        let stopping = state.withLock { state in
            if let stopping = state.stopping { return stopping }
            let (pool, retiring) = (state.pool, state.retiring)
            let stopping = Task { [acceptor] in
                await acceptor.closeListening()
                await pool.retire(within: time)
                for other in retiring { await other.value }
                acceptor.end()
            }
            state.stopping = stopping
            return stopping
        }
        await stopping.value
    }
}

/// The certificate and key of a server.
package struct TLSIdentity: Sendable {
    /// The certificate and its chain, in PEM.
    let certificate: [UInt8]
    /// The private key, in PEM.
    let key: [UInt8]

    /// Creates an identity from a certificate with its chain, and its private key, both in PEM.
    package init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }
}

/// The reason why a server could not start or use other certificates.
package enum HTTPServerError: Error, Hashable, CustomStringConvertible {
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
    package var description: String {
        switch self {
        case .addressInUse(let address):
            "Cannot listen on \(address): another program uses it. Stop that program, or choose another address."
        case .notSocket(let path):
            "Cannot listen on \(path): the file exists and is not a socket. Choose another path, or move the file."
        case .notPermitted(let address):
            """
            Cannot listen on \(address): permission denied. Ports below 1024 and folders of other users need \
            privileges. Choose another address, or let the service manager open the socket.
            """
        case .badAddress(let address):
            """
            Cannot listen on \(address): it is not an address of this machine. Use an IP address such as 127.0.0.1, \
            ::1, or 0.0.0.0 with a port, or a socket path of at most 107 bytes in an existing folder.
            """
        case .notListening(let descriptor):
            """
            File descriptor \(descriptor) is not a listening socket. Check the socket unit: it needs ListenStream= and \
            Accept=no.
            """
        case .badCertificate:
            """
            Cannot use the certificate with the key. Both must be in PEM format, and the chain must begin with the \
            server's certificate.
            """
        case .stopped: "The server is stopped. Create another."
        case .failed(let what, let error): "\(what): \(error)."
        }
    }
}

extension HTTPServerError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .badAddress, .notListening, .notSocket: .usage
        case .badCertificate: .invalid
        case .addressInUse, .notPermitted, .stopped, .failed: .unavailable
        }
    }
}

public import Text
import Synchronization

/// A server that listens at an address and calls a handler for each request.
///
/// It serves from its creation until it is stopped. A few threads wait for all connections. Each handler is a task,
/// which is canceled if its client disconnects.
public final class HTTPServer: Sendable {
    /// The address. For a socket that another program opened, it is the address to which it is bound.
    public let address: ListenAddress
    /// The port, even if 0 was requested; nil for a Unix socket.
    public let port: Int?

    private let site: Site
    private let acceptor: Acceptor

    private struct State {
        var crew: Crew
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
    public init(
        on listening: ListeningSocket, identity: TLSIdentity? = nil, limits: HTTPLimits = HTTPLimits(),
        clock: @escaping @Sendable () -> Date = { Date() },
        refused: @escaping @Sendable (HTTPRefusal) -> HTTPFields = { _ in [:] },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        site = Site(handler: handler, refused: refused, limits: limits, date: HTTPDate(clock: clock))
        (address, port) = (listening.address, listening.port)
        let crew: Crew
        do throws(HTTPServerError) {
            crew = try Crew(site, identity: identity)
            do throws(HTTPServerError) {
                acceptor = try Acceptor(site, listening, crew)
            } catch {
                crew.stop()
                throw error
            }
        } catch {
            listening.close()
            throw error
        }
        state = Mutex(State(crew: crew))
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
    public convenience init(
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
    public var connections: Int { site.connections.count }

    /// The number of requests in progress.
    public var requests: Int { site.requests }

    /// Uses another certificate for new connections. Existing connections end after their current request, or when the
    /// time is over.
    ///
    /// - Parameters:
    ///   - identity: the certificate and key.
    ///   - time: the time for existing connections.
    /// - Throws: `HTTPServerError` if the certificate cannot be used, in which case nothing changes, or if the server
    ///   was stopped.
    public func replaceIdentity(_ identity: TLSIdentity, within time: Duration) throws(HTTPServerError) {
        let crew = try Crew(site, identity: identity)
        let isReplaced = state.withLock { state in
            guard state.stopping == nil else { return false }
            let old = state.crew
            state.crew = crew
            acceptor.hand(to: crew)
            state.retiring.append(Task { await old.retire(within: time) })
            return true
        }
        guard isReplaced else {
            crew.stop()
            throw .stopped
        }
    }

    /// Stops listening, waits for requests in progress, and then closes all connections.
    ///
    /// - Parameter time: the time for requests in progress. After it, they are canceled, and their connections are cut.
    public func stop(within time: Duration) async {
        let stopping = state.withLock { state in
            if let stopping = state.stopping { return stopping }
            let (crew, retiring) = (state.crew, state.retiring)
            let stopping = Task { [acceptor] in
                await acceptor.closeListening()
                await crew.retire(within: time)
                for other in retiring { await other.value }
                acceptor.end()
            }
            state.stopping = stopping
            return stopping
        }
        await stopping.value
    }
}

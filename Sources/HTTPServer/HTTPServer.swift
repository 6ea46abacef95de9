public import Essentials
import Synchronization

/// A server: it listens at one address and asks a handler for the answer to each request.
///
/// It serves from the moment it is made until it is stopped. A few threads wait for all connections; handlers are
/// tasks, each of which is cancelled when its client leaves.
public final class HTTPServer: Sendable {
    /// The address; for a socket that was handed over, the address that it is bound to.
    public let address: ListenAddress
    /// The port where it listens, the real one where 0 was asked for; nil on a Unix socket.
    public let port: Int?

    private let site: Site
    private let acceptor: Acceptor

    private struct State {
        var crew: Crew
        /// The end of those with older certificates.
        var retiring: [Task<Void, Never>] = []
        var stopping: Task<Void, Never>?
    }
    private let state: Mutex<State>

    /// Serves who comes to a place that is listened at already.
    ///
    /// - Parameters:
    ///   - listening: the place, which is closed with the server, and also where there can be none.
    ///   - identity: what to prove itself with; nil for a server without TLS.
    ///   - limits: how much of anything is taken.
    ///   - clock: the time, for the date of responses.
    ///   - refused: called for each request that the server refuses by itself. It returns additional fields of the
    ///     response, and must not wait for anything.
    ///   - handler: answers a request. It is called for many requests side by side.
    /// - Throws: where the certificate cannot be used.
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

    /// Listens, and serves.
    ///
    /// - Parameters:
    ///   - address: where to listen.
    ///   - identity: what to prove itself with; nil for a server without TLS.
    ///   - limits: how much of anything is taken.
    ///   - clock: the time, for the date of responses.
    ///   - refused: called for each request that the server refuses by itself. It returns additional fields of the
    ///     response, and must not wait for anything.
    ///   - handler: answers a request. It is called for many requests side by side.
    /// - Throws: where nobody can listen there, or the certificate cannot be used.
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

    /// How many connections there are.
    public var connections: Int { site.connections.count }

    /// How many requests are being worked on.
    public var requests: Int { site.requests }

    /// Proves itself with something else to those who come from now on. Connections that are there end after the
    /// request that they are at, or when the time is over.
    ///
    /// - Parameters:
    ///   - identity: what to prove itself with.
    ///   - time: how long connections may still take.
    /// - Throws: where the certificate cannot be used, and then all is as it was; or where the server was stopped.
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

    /// Listens no more, lets the requests end that have come, and then closes all connections.
    ///
    /// - Parameter time: how long requests may still take. Then they are cancelled, and their connections cut.
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

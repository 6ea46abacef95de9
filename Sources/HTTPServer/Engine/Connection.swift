import CMicroHTTPD
import Platform
import Synchronization

/// An open connection.
final class Connection: Sendable {
    let descriptor: Int32
    let peer: PeerAddress
    let origin: String?
    let pool: WorkerPool
    let thread: ConnectionThread
    /// The time of the monotonic clock by which the client must act; 0 without a deadline.
    private let deadline: Atomic<UInt64>

    private struct State {
        var exchange: Exchange?
        var hasLeft = false
        /// The number of checks in a row that found the connection idle, since the last request began.
        var quietChecks = 0
        /// Whether the server has ended the connection because it was idle.
        var isRetired = false
        var hasEnded = false
    }
    private let state = Mutex(State())

    init(descriptor: Int32, peer: PeerAddress, pool: WorkerPool) {
        self.descriptor = descriptor
        self.peer = peer
        self.pool = pool
        thread = pool.thread(for: descriptor)
        origin = peer.origin
        deadline = Atomic(after(pool.site.limits.headTime))
    }

    /// Begins a request.
    func begin(_ exchange: Exchange) {
        state.withLock { state in
            state.exchange = exchange
            state.quietChecks = 0
        }
    }

    /// Sets the time in which the client must send the next part; nil if nothing is expected.
    func expect(within time: Duration?) {
        deadline.store(time.map(after) ?? 0, ordering: .relaxed)
        if hasLeft { hurry() }
    }

    /// Sets the time in which the client must read the next part of the response.
    func expectReading(within time: Duration) { deadline.store(after(time), ordering: .relaxed) }

    /// Ends the request. Another one may follow.
    func end() {
        expect(within: pool.site.limits.idleTime + pool.site.limits.headTime)
        state.withLock { $0.exchange = nil }
    }

    /// The number of checks that must find a connection idle. Bytes that were just read from the socket may be a request that is
    /// not known yet, and the thread that has read them may wait for a processor.
    private static let neededChecks = 20

    /// Ends the connection if it was idle in the last checks, each of which is a call.
    func endIfQuiet() {
        state.withLock { state in
            var waiting: Int32 = 0
            guard state.exchange == nil, !state.hasEnded, ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting == 0
            else { return state.quietChecks = 0 }
            state.quietChecks += 1
            guard state.quietChecks >= Self.neededChecks else { return }
            state.isRetired = true
            shutdown(descriptor, Int32(SHUT_RD))
        }
    }

    /// Handles that the client has closed its side of the connection.
    func clientLeft() {
        let (isRetired, exchange) = state.withLock { state in
            if !state.isRetired { state.hasLeft = true }
            return (state.isRetired, state.exchange)
        }
        // The server has closed that side itself. A request may have been read before, and its client waits.
        guard !isRetired else { return }
        exchange?.cancel()
        hurry()
    }

    /// Shortens the deadline, because all data of the client has arrived. The library does not notice a closed
    /// connection if the close arrives together with a part of the request.
    private func hurry() {
        let deadline = deadline.load(ordering: .relaxed)
        guard deadline != 0 else { return }
        _ = self.deadline.compareExchange(
            expected: deadline, desired: min(deadline, after(.milliseconds(500))), ordering: .relaxed)
    }

    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    /// Ends the connection if its deadline has passed.
    func cutIfLate(now: UInt64) {
        let deadline = deadline.load(ordering: .relaxed)
        guard deadline != 0, deadline <= now else { return }
        state.withLock { state in
            guard !state.hasEnded, self.deadline.load(ordering: .relaxed) == deadline else { return }
            // During a response, another head would be read as a part of it.
            if let exchange = state.exchange, !exchange.isAnswered { send(.tooSlow, to: exchange.request) }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        expect(within: nil)
    }

    /// Reports a refusal, and returns the additional fields of its response.
    func report(_ refusal: RejectedRequest, of request: HTTPRequest?) -> HTTPFields {
        pool.site.refused(HTTPRefusal(status: refusal.status, request: request, peer: peer))
    }

    /// Sends a refusal directly, if a response cannot be queued. An encrypted connection is closed without a response.
    func send(_ refusal: RejectedRequest, to request: HTTPRequest?) {
        let more = report(refusal, of: request)
        guard !pool.isSecure else { return }
        let bytes = refusal.bytes(more)
        Platform.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    /// Ends the connection immediately.
    func cut() {
        state.withLock { $0.exchange }?.abandon()
        state.withLock { state in
            if !state.hasEnded { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Handles that the connection is about to be closed. Its descriptor must not be used after this.
    func close() {
        state.withLock { $0.hasEnded = true }
        pool.site.connections.remove(self)
    }
}

/// The time of the monotonic clock in nanoseconds.
func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func after(_ time: Duration) -> UInt64 { monotonicNow() + nanoseconds(time) }

func nanoseconds(_ time: Duration) -> UInt64 {
    UInt64(max(0, time.components.seconds)) * 1_000_000_000
        + UInt64(max(0, time.components.attoseconds / 1_000_000_000))
}

/// The open connections of a server, by their descriptors.
final class Connections: Sendable {
    private struct State {
        var all: [Int32: Connection] = [:]
        var byOrigin: [String: Int] = [:]
        /// Called after a connection has ended.
        var ended: (@Sendable () -> Void)?

        mutating func discount(_ connection: Connection) {
            guard let origin = connection.origin, let count = byOrigin[origin] else { return }
            byOrigin[origin] = count > 1 ? count - 1 : nil
        }
    }
    private let state = Mutex(State())

    /// Sets the function to call after a connection has ended.
    func onEnd(_ body: (@Sendable () -> Void)?) { state.withLock { $0.ended = body } }

    /// Adds a connection. Returns false if its address has reached the limit.
    func add(_ connection: Connection, perOrigin limit: Int?) -> Bool {
        state.withLock { state in
            if let origin = connection.origin {
                let count = state.byOrigin[origin, default: 0]
                if let limit, count >= limit { return false }
                state.byOrigin[origin] = count + 1
            }
            // An older connection with this descriptor was closed just now.
            if let old = state.all.updateValue(connection, forKey: connection.descriptor) { state.discount(old) }
            return true
        }
    }

    /// Removes a connection.
    func remove(_ connection: Connection) {
        let ended: (@Sendable () -> Void)? = state.withLock { state in
            guard state.all[connection.descriptor] === connection else { return nil }
            state.all[connection.descriptor] = nil
            state.discount(connection)
            return state.ended
        }
        ended?()
    }

    func at(_ descriptor: Int32) -> Connection? { state.withLock { $0.all[descriptor] } }

    var count: Int { state.withLock { $0.all.count } }

    /// All connections, or those of one pool.
    func all(of pool: WorkerPool? = nil) -> [Connection] {
        state.withLock { state in state.all.values.filter { pool == nil || $0.pool === pool } }
    }
}

/// The handle of a connection in libmicrohttpd.
///
/// It may be passed between threads: the library allows resuming from any thread, and everything else happens on the
/// thread of the connection.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    let thread: ConnectionThread

    /// Stops serving the connection until `resume()`. Call it on the thread of the connection.
    func suspend() { MHD_suspend_connection(pointer) }

    /// Goes on serving the connection.
    func resume() {
        MHD_resume_connection(pointer)
        thread.wake()
    }
}

import CPlatform
import Platform
import Synchronization

/// The thread that accepts connections, notices when clients leave, and ends connections that exceed a time limit.
///
/// libmicrohttpd could also accept connections. But it closes excess connections without a response, counts connections
/// per thread instead of in total, may end the program if it is told to stop accepting at the wrong moment, and does
/// not watch suspended connections.
final class Acceptor: Sendable {
    private struct State {
        var pool: WorkerPool
        var listening: ListeningSocket?
        /// The callers that wait until no more connections are accepted.
        var closing: [CheckedContinuation<Void, Never>] = []
        var isClosing = false
        var isEnding = false
    }

    private let site: Site
    private let events: Int32
    private let wakeUp: WakeUpPipe
    private let state: Mutex<State>
    private let isPaused = Atomic(false)

    init(_ site: Site, _ listening: ListeningSocket, _ pool: WorkerPool) throws(HTTPServerError) {
        self.site = site
        state = Mutex(State(pool: pool, listening: listening))
        events = platform_events_open()
        guard events >= 0, let wakeUp = WakeUpPipe(), platform_events_watch_input(events, wakeUp.descriptor) == 0,
            platform_events_watch_input(events, listening.descriptor) == 0
        else {
            let error = SystemError.current
            if events >= 0 { close(events) }
            throw .failed("Cannot wait for connections", error)
        }
        self.wakeUp = wakeUp
        site.connections.onEnd { [weak self] in
            if let self, self.isPaused.load(ordering: .sequentiallyConsistent) { self.wakeUp.wake() }
        }
        do {
            try startThread { self.run() }
        } catch {
            close(events)
            throw .failed("Cannot start a thread", error)
        }
    }

    /// Passes connections that are accepted from now on to another pool.
    func hand(to pool: WorkerPool) { state.withLock { $0.pool = pool } }

    /// Accepts the connections that have arrived until now, and then stops listening.
    func closeListening() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard state.listening != nil else { return true }
                state.isClosing = true
                state.closing.append(continuation)
                return false
            }
            if isClosed { continuation.resume() } else { wakeUp.wake() }
        }
    }

    /// Ends the thread.
    func end() {
        site.connections.onEnd(nil)
        state.withLock { $0.isEnding = true }
        wakeUp.wake()
    }

    // MARK: On the thread

    private func run() {
        let limits = site.limits
        let interval = min(
            1_000_000_000, max(5_000_000, min(nanoseconds(limits.headTime), nanoseconds(limits.bodyTime)) / 8))
        var nextSweep: UInt64 = 0
        var ready = [Int32](repeating: 0, count: 256)
        while true {
            let count = platform_events_wait(
                events, &ready, Int32(ready.count),
                site.connections.count == 0 && !isHeldUp ? -1 : Int32(interval / 1_000_000))
            guard count >= 0 || errno == EINTR else { break }
            for descriptor in ready.prefix(Int(max(0, count))) where descriptor != wakeUp.descriptor {
                site.connections.at(descriptor)?.clientLeft()
            }
            if ready.prefix(Int(max(0, count))).contains(wakeUp.descriptor) { wakeUp.drain() }
            accept()
            if state.withLock({ $0.isEnding }) { break }
            let now = monotonicNow()
            if now >= nextSweep {
                for connection in site.connections.all() { connection.cutIfLate(now: now) }
                nextSweep = now + interval
            }
        }
        closeNow()
        close(events)
    }

    private var isHeldUp: Bool { isPaused.load(ordering: .sequentiallyConsistent) }

    /// The maximum number of connections to accept in a row. Without it, a flood of refused connections would keep the
    /// thread from its other tasks.
    private static let turn = 256

    /// Accepts the waiting connections, up to the limit.
    private func accept() {
        let (pool, listening, isClosing) = state.withLock { ($0.pool, $0.listening, $0.isClosing) }
        guard let listening else { return }
        var isFull = false
        // Before the socket is closed, accept all waiting connections. The system queues no more than this.
        for _ in 0..<(isClosing ? Int(SOMAXCONN) : Self.turn) {
            guard site.connections.count < site.limits.connections else {
                isFull = true
                break
            }
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withAddress(&address) { platform_accept(listening.descriptor, $0, &size) }
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // Out of descriptors or memory. Wait until a connection ends.
                isFull = errno != EAGAIN
                break
            }
            serve(descriptor, address, size, pool)
        }
        if isClosing { return closeNow() }
        pause(isFull, listening)
    }

    private func serve(_ descriptor: Int32, _ address: sockaddr_storage, _ size: socklen_t, _ pool: WorkerPool) {
        let connection = Connection(descriptor: descriptor, peer: PeerAddress(address), pool: pool)
        guard site.connections.add(connection, perOrigin: site.limits.connectionsPerAddress) else {
            connection.send(.tooManyConnections, to: nil)
            close(descriptor)
            return
        }
        _ = platform_events_watch_hangup(events, descriptor)
        guard connection.thread.serve(connection, address, size) else {
            connection.close()
            close(descriptor)
            return
        }
    }

    /// While the limit of connections is reached, stops accepting. New connections wait in the queue of the system.
    private func pause(_ isFull: Bool, _ listening: ListeningSocket) {
        guard isFull != isHeldUp else { return }
        isPaused.store(isFull, ordering: .sequentiallyConsistent)
        if isFull {
            platform_events_forget(events, listening.descriptor)
            // Check again: a connection may have ended before `isPaused` was set.
            if site.connections.count < site.limits.connections { wakeUp.wake() }
        } else {
            _ = platform_events_watch_input(events, listening.descriptor)
        }
    }

    private func closeNow() {
        let (listening, waiting) = state.withLock { state in
            defer { (state.listening, state.closing) = (nil, []) }
            return (state.listening, state.closing)
        }
        if let listening {
            platform_events_forget(events, listening.descriptor)
            listening.close()
        }
        for continuation in waiting { continuation.resume() }
    }
}

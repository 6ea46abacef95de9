import CMicroHTTPD
import Platform
import Synchronization

/// A thread that serves connections with libmicrohttpd.
///
/// The library can start threads by itself. But such a thread loses time: if it receives exactly 128 events, it processes
/// them only after another event (`MHD_epoll`, at least in the versions 0.9.75 to 1.0.1). Therefore this thread waits for
/// events, and the library only processes those that have arrived.
final class ConnectionThread: Sendable {
    /// The maximum size of the head of a response.
    static let responseHeadBytes = 16 * 1024

    /// An accepted connection that the library does not know yet.
    private struct Arrival {
        let connection: Connection
        var address: sockaddr_storage
        let size: socklen_t
    }

    private struct State {
        var arrivals: [Arrival] = []
        var isEnding = false
        var hasEnded = false
        /// The callers that wait for the end.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// A daemon of the library. Only the thread uses it.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let site: Site
    private let daemon: Daemon
    private let wakeUp: WakeUpPipe
    private let state = Mutex(State())

    /// Starts the thread.
    init(_ site: Site, identity: TLSIdentity?) throws(HTTPServerError) {
        guard let wakeUp = WakeUpPipe() else { throw .failed("Cannot start the server", .current) }
        guard let daemon = Self.start(site, identity) else {
            let error = SystemError.current
            throw identity == nil ? .failed("Cannot start the server", error) : .badCertificate
        }
        (self.site, self.daemon, self.wakeUp) = (site, Daemon(pointer: daemon), wakeUp)
        do {
            try startThread { self.run() }
        } catch {
            MHD_stop_daemon(daemon)
            throw .failed("Cannot start a thread", error)
        }
    }

    /// Serves a connection that was accepted. Returns false if the thread ends.
    func serve(_ connection: Connection, _ address: sockaddr_storage, _ size: socklen_t) -> Bool {
        let isServed = state.withLock { state in
            if !state.isEnding {
                state.arrivals.append(Arrival(connection: connection, address: address, size: size))
            }
            return !state.isEnding
        }
        if isServed { wakeUp.wake() }
        return isServed
    }

    /// Makes the thread look for resumed connections.
    func wake() { wakeUp.wake() }

    /// Makes the thread close its connections and end.
    func end() {
        state.withLock { $0.isEnding = true }
        wakeUp.wake()
    }

    /// Waits until the thread has closed its connections.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: On the thread

    private func run() {
        var files = [mhd_events(daemon.pointer), wakeUp.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            if poll(&files, nfds_t(files.count), timeout) > 0, files[1].revents != 0 { wakeUp.drain() }
            let (arrivals, isEnding) = state.withLock { state in
                defer { state.arrivals = [] }
                return (state.arrivals, state.isEnding)
            }
            for arrival in arrivals { add(arrival) }
            if isEnding { break }
            MHD_run_wait(daemon.pointer, 0)
        }
        MHD_stop_daemon(daemon.pointer)
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The time in milliseconds until the library must look for idle connections; negative if it has none.
    private var timeout: Int32 {
        var milliseconds: CUnsignedLongLong = 0
        return MHD_get_timeout(daemon.pointer, &milliseconds) == mhd_yes() ? Int32(clamping: milliseconds) : -1
    }

    private func add(_ arrival: Arrival) {
        let connection = arrival.connection
        var address = arrival.address
        let isAdded = withAddress(&address) {
            MHD_add_connection(daemon.pointer, connection.descriptor, $0, arrival.size) == mhd_yes()
        }
        // The library has closed the descriptor.
        if !isAdded { connection.close() }
    }

    private static func start(_ site: Site, _ identity: TLSIdentity?) -> OpaquePointer? {
        let limits = site.limits
        var settings = mhd_settings()
        // Unretained is safe: the thread retains the site.
        settings.context = Unmanaged.passUnretained(site).toOpaque()
        settings.handle = { _, _, _, method, version, data, size, state in
            guard let exchange = state?.pointee.map({ Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }),
                let method, let version, let size
            else { return mhd_no() }
            let piece = data.map { UnsafeRawBufferPointer(start: $0, count: size.pointee) }
            guard exchange.go(method: method, version: version, piece: piece) else { return mhd_no() }
            size.pointee = 0
            return mhd_yes()
        }
        settings.line = { _, target, handle in
            guard let target, let handle, let state = mhd_socket_state(handle) else { return nil }
            let connection = Unmanaged<Connection>.fromOpaque(state).takeUnretainedValue()
            let exchange = Exchange(
                connection, ConnectionHandle(pointer: handle, thread: connection.thread), target: target)
            // The library would also parse the query, and hang if its memory is too small for the items. Cut the query
            // off here: the library parses its own memory and finds the end.
            if let mark = strchr(target, Int32(UInt8(ascii: "?"))), mark[1] != 0 { mark[1] = 0 }
            return Unmanaged.passRetained(exchange).toOpaque()
        }
        settings.completed = { _, _, state, _ in
            guard let state, let exchange = state.pointee else { return }
            state.pointee = nil
            Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue().finish()
        }
        settings.connection = { context, handle, state, code in
            guard let context, let handle, let state else { return }
            if mhd_is_closed(code) != 0 {
                guard let connection = state.pointee else { return }
                state.pointee = nil
                Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue().close()
            } else {
                let site = Unmanaged<Site>.fromOpaque(context).takeUnretainedValue()
                state.pointee = site.connections.at(mhd_descriptor(handle)).map {
                    Unmanaged.passRetained($0).toOpaque()
                }
            }
        }
        // Memory for the head of a request with its index, the head of a response, and the library's own responses.
        settings.memory = 2 * limits.headBytes + 128 * limits.headFields + Self.responseHeadBytes + 4096
        // The acceptor counts connections, and distributes them over the threads.
        settings.connections = UInt32(clamping: limits.connections + 1)
        settings.idle_seconds = UInt32(
            clamping: max(1, (nanoseconds(limits.idleTime) + 999_999_999) / 1_000_000_000))
        guard let identity else { return mhd_start(&settings) }
        // The library requires texts that end with a NUL, so remove others.
        let certificate = identity.certificate.filter { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
        let key = identity.key.filter { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
        return certificate.withUnsafeBufferPointer { certificate in
            key.withUnsafeBufferPointer { key in
                "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE".withCString { priorities in
                    (settings.certificate, settings.key, settings.priorities) =
                        (certificate.baseAddress, key.baseAddress, priorities)
                    return mhd_start(&settings)
                }
            }
        }
    }
}

/// Runs a request on the thread of its connection until the request waits, and then on Swift's threads for tasks.
///
/// A request that does not wait, such as one that only reads, needs no other thread.
final class RequestExecutor: TaskExecutor {
    private struct State {
        /// The jobs that wait for the thread of the connection, oldest first.
        var jobs: [UnownedJob] = []
        /// Whether the request has not waited yet.
        var isOnConnection = true
    }
    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isQueued = state.withLock { state in
            if state.isOnConnection { state.jobs.append(job) }
            return state.isOnConnection
        }
        // Swift's global executor would run the job as one without a task executor. Then each later call that can
        // change threads would change them.
        if !isQueued { Task.detached { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    /// Runs jobs on this thread until there are none. Later jobs run on Swift's threads.
    func runUntilWaiting() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isOnConnection = false }
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

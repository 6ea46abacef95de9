import CMicroHTTPD
import Platform
import Synchronization

/// The threads of libmicrohttpd that serve connections with one certificate. A new certificate requires a new pool.
final class WorkerPool: Sendable {
    /// The maximum size of the head of a response.
    static let responseHeadBytes = 16 * 1024

    let site: Site
    let isSecure: Bool
    private let retired = Atomic(false)
    private let cutting = Atomic(false)
    private let daemons = Mutex<[Daemon]>([])

    /// A daemon of the library. Any thread may pass connections to it, and one thread stops it.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Starts the threads.
    init(_ site: Site, identity: TLSIdentity?) throws(HTTPServerError) {
        self.site = site
        isSecure = identity != nil
        let limits = site.limits
        for _ in 0..<max(1, limits.threads) {
            guard let daemon = start(identity, limits) else {
                let error = SystemError.current
                stop()
                throw isSecure ? .badCertificate : .failed("Cannot start the server", error)
            }
            daemons.withLock { $0.append(Daemon(pointer: daemon)) }
        }
    }

    /// Whether connections end after their current responses.
    var isRetired: Bool { retired.load(ordering: .sequentiallyConsistent) }

    /// Whether no more requests are started.
    var isCut: Bool { cutting.load(ordering: .sequentiallyConsistent) }

    /// Serves a connection that was accepted. On failure the descriptor has been closed.
    func serve(_ connection: Connection, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Bool {
        // Hold the lock, so that no thread is stopped in the meantime.
        daemons.withLock { daemons in
            guard !daemons.isEmpty else {
                close(connection.descriptor)
                return false
            }
            let daemon = daemons[Int(connection.descriptor) % daemons.count]
            return MHD_add_connection(daemon.pointer, connection.descriptor, address, size) == mhd_yes()
        }
    }

    /// Ends all connections after their current requests, or when the time is over. Then it stops the threads.
    func retire(within time: Duration) async {
        retired.store(true, ordering: .sequentiallyConsistent)
        let deadline = ContinuousClock.now + time
        while true {
            let connections = site.connections.all(of: self)
            if connections.isEmpty { break }
            if ContinuousClock.now >= deadline {
                cut()
                break
            }
            for connection in connections { connection.endIfQuiet() }
            // Cancelling the caller must not extend the wait.
            await Task { try? await Task.sleep(for: .milliseconds(10)) }.value
        }
        await onThread { self.stop() }
        // Connections that the threads had not processed yet were closed by the library.
        for connection in site.connections.all(of: self) { connection.close() }
    }

    /// Cancels all requests, because connections must not be suspended when the threads are stopped.
    private func cut() {
        cutting.store(true, ordering: .sequentiallyConsistent)
        for connection in site.connections.all(of: self) { connection.cut() }
    }

    /// Stops the threads and waits until they have ended.
    func stop() {
        let daemons = daemons.withLock { daemons in
            defer { daemons = [] }
            return daemons
        }
        for daemon in daemons { MHD_stop_daemon(daemon.pointer) }
    }

    private func start(_ identity: TLSIdentity?, _ limits: HTTPLimits) -> OpaquePointer? {
        var settings = mhd_settings()
        // Unretained is safe: the threads end before this object is released.
        settings.context = Unmanaged.passUnretained(self).toOpaque()
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
            let exchange = Exchange(connection, ConnectionHandle(pointer: handle), target: target)
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
                let pool = Unmanaged<WorkerPool>.fromOpaque(context).takeUnretainedValue()
                state.pointee = pool.site.connections.at(mhd_descriptor(handle)).map {
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

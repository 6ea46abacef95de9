import Arguments
import ArticleStore
import AuthService
import Dispatch
import FlowCoordinators
import GoogleReader
import HTTPServer
import LibraryServices
import Platform
import Synchronization
import Terminal
import Text
import WebAPI
import WebFront

/// Serves a library until a signal stops it.
struct Server {
    private let options: ServerOptions
    private let manager: ServiceManager
    private let log: RequestLog
    private let clock: @Sendable () -> Date = { Date() }

    init(_ options: ServerOptions, manager: ServiceManager) {
        self.options = options
        self.manager = manager
        log = RequestLog(options.logFormat, isJournal: manager.keepsJournal(of: STDERR_FILENO), clock: clock) { line in
            // Write each line with a single system call, so that lines do not mix.
            let bytes = Array((line + "\n").utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
        }
    }

    /// Serves until a signal stops the server, and returns after all requests are answered.
    ///
    /// - Throws: `ServerError`, `HTTPServerError`, or `StoreError` if it cannot start.
    func serve() async throws {
        try requireMemory()
        let signals = try signals()
        let identity = try identity()
        let (sockets, library) = try await opened()
        let (services, work) = (library.services, ExpensiveWork(limits: options.work))
        let limiter = RateLimiter(limit: options.apiLimit)
        let fetchPause = Pause()
        let site = Site(
            web: WebFront(services: services, visits: library.visits, settings: options.front, work: work),
            reader: GoogleReader(services: services, limiter: limiter, work: work),
            api: WebAPI(
                services: services, version: ProgramVersion.number, limiter: limiter, work: work,
                origins: options.apiOrigins),
            feeds: FeedFront(services: services, name: options.front.name, limiter: limiter, work: work),
            hubs: options.hubAddress.map { _ in
                HubFront(
                    services.subscriptions, limiter: limiter, clock: clock, random: { .random(in: 0...1) },
                    onPing: fetchPause.end)
            },
            work: work, limiter: limiter, proxies: options.proxies, basePath: options.basePath, log: log,
            metrics: Metrics(),
            reasonNotReady: { await library.reasonNotReady() },
            newID: { Base64URL.encode(Sodium.randomBytes(9)) })
        var servers: [HTTPServer] = []
        for (index, socket) in sockets.enumerated() {
            let fronts = servers
            do {
                servers.append(
                    index < options.addresses.count
                        ? try HTTPServer(
                            on: socket, identity: identity, limits: options.limits, clock: clock, refused: site.refused
                        ) { await site.answer($0) }
                        : try HTTPServer(on: socket) { Self.metricsResponse(to: $0, site: site, servers: fronts) })
            } catch {
                for server in servers { await server.stop(within: .zero) }
                for socket in sockets[(index + 1)...] { socket.close() }
                throw explained(error)
            }
        }
        announce(servers.prefix(options.addresses.count))
        if let metrics = servers.dropFirst(options.addresses.count).first {
            let url = metrics.address.url(port: metrics.port, isSecure: false)
            log.info("metrics at \(url.map { $0 + "metrics" } ?? metrics.address.description)")
        }
        if await library.awaitsOperator() {
            log.info("no user exists yet: the first user who registers becomes the operator")
        }
        let indexing = Task { await library.index(log: log) }
        // A search for a pattern takes a thread for up to a tenth of a second.
        let ruling = Task(executorPreference: FewThreads(1, called: "rules")) { await library.applyRules(log: log) }
        let sharing = Task { await library.shareCounts(of: limiter) }
        // Imports take a thread of their own, so that requests do not wait for it.
        let fetching = Task(executorPreference: FewThreads(1, called: "fetching")) { [options] in
            await library.fetch(hubAddress: options.hubAddress, pause: fetchPause, log: log)
        }
        notify(.ready)
        for await request in signals.requests {
            guard case .reload = request else { break }
            reload(servers.prefix(options.addresses.count))
        }
        notify(.stopping)
        log.info("stopping: waiting up to \(options.patience.components.seconds) s for requests in progress")
        indexing.cancel()
        ruling.cancel()
        fetching.cancel()
        sharing.cancel()
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop(within: options.patience) } }
        }
        await indexing.value
        await ruling.value
        await fetching.value
        await sharing.value
        log.info("stopped")
    }

    /// Watches for signals. If the server does not stop by itself in time, the process is ended.
    private func signals() throws -> Signals {
        let patience = Int(options.patience.components.seconds) * 1_000 + 5_000
        do {
            return try Signals(patience: patience) { [log] number in
                log.info("stopped before all requests were answered; answered requests are saved")
                _exit((number == SIGINT ? ExitCode.interrupted : .terminated).rawValue)
            }
        } catch {
            throw ServerError(
                "cannot start a thread: \(error)", hint: "allow more threads or more memory", code: .tryAgain)
        }
    }

    /// With less address space, allocations can fail anywhere, and Swift ends the process without a message.
    private func requireMemory() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return }
        let required: rlim_t = 512 << 20
        guard limit.rlim_cur < required else { return }
        throw ServerError(
            "the address space is limited to \(limit.rlim_cur >> 20) MiB, but the server needs \(required >> 20) MiB",
            hint: "raise the limit with ulimit -v or, in a service, LimitAS=; to limit memory, use MemoryMax=",
            code: .tryAgain)
    }

    /// Opens the sockets, that of the metrics last, and then the library. A second server that is started by mistake
    /// fails at the sockets, before it touches the library.
    private func opened() async throws -> (sockets: [ListeningSocket], library: Library) {
        var sockets: [ListeningSocket] = []
        do {
            for address in options.addresses + (options.metrics.map { [$0] } ?? []) {
                sockets.append(try ListeningSocket(address))
            }
            return (
                sockets,
                try await Library(
                    at: options.database, fetch: options.fetch, keepsImages: options.front.images == .kept, clock: clock
                ) { log.warn($0) }
            )
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
    }

    private func announce(_ servers: ArraySlice<HTTPServer>) {
        if options.ignoresListen {
            log.warn("--listen is ignored because the service manager passed sockets")
        }
        for server in servers {
            let address = server.address
            let url = address.url(port: server.port, isSecure: options.identity != nil)
                .map { String($0.dropLast()) + options.basePath.text + "/" }
            log.info("serving \(options.database) on \(url ?? address.description)")
            if address.isOpenToOthers, options.identity == nil, !options.hasProxies {
                log.warn(
                    "connections to \(address) are not encrypted, so others can intercept passwords: pass "
                        + "--tls-certificate and --tls-key, or --trusted-proxy if a proxy handles TLS")
            }
        }
    }

    /// Reads the certificate again. If it cannot be used, the previous one stays.
    private func reload(_ servers: ArraySlice<HTTPServer>) {
        notify(.reloading(since: monotonicMicroseconds()))
        do {
            if let identity = try identity() {
                for server in servers { try server.replaceIdentity(identity, within: options.patience) }
                log.info("reloaded the certificate")
            } else {
                log.info("no certificate to reload")
            }
        } catch {
            log.warn(
                "cannot reload the certificate, so the previous one stays in use: \(ServerError(explained(error)).message)"
            )
        }
        notify(.ready)
    }

    private func identity() throws -> TLSIdentity? {
        guard let files = options.identity else { return nil }
        func bytes(_ path: String) throws -> [UInt8] {
            guard let data = FileManager.default.contents(atPath: path) else {
                let reason = access(path, R_OK) == 0 ? "it is not a readable file" : "\(SystemError.current)"
                throw ServerError(
                    "cannot read \(path): \(reason)", hint: "check that the file exists and that you may read it",
                    code: .noInput)
            }
            return Array(data)
        }
        let identity = TLSIdentity(certificate: try bytes(files.certificate), key: try bytes(files.key))
        var status = stat()
        if stat(files.key, &status) == 0, status.st_mode & 0o007 != 0 {
            log.warn("other users can access the key \(files.key): run chmod o= \(files.key)")
        }
        return identity
    }

    /// Adds the names of the certificate files to an error.
    private func explained(_ error: any Error) -> any Error {
        guard case HTTPServerError.badCertificate = error, let files = options.identity else { return error }
        return ServerError(
            "cannot use \(files.certificate) with \(files.key)",
            hint: "the first file must contain the certificate chain, beginning with the server's certificate, and the "
                + "second its private key without a password, both in PEM format", code: .badData)
    }

    private func notify(_ state: ServiceManager.State) {
        do { try manager.notify(state) } catch { log.warn("cannot notify the service manager: \(error)") }
    }

    private func monotonicMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }

    private static func metricsResponse(to request: HTTPRequest, site: Site, servers: [HTTPServer]) -> HTTPResponse {
        guard request.target.path == "/metrics" else {
            return HTTPResponse(.notFound, text: "not found: only /metrics is available\n")
        }
        let gauges = [
            ("articlesd_connections", "Open connections.", servers.reduce(0) { $0 + $1.connections }),
            ("articlesd_requests_in_flight", "Requests in progress.", servers.reduce(0) { $0 + $1.requests }),
            ("process_resident_memory_bytes", "Resident memory size in bytes.", residentBytes()),
        ]
        return HTTPResponse(
            text: site.metrics.text(
                gauges: gauges.map { (name: $0.0, help: $0.1, value: $0.2) },
                counters: [
                    (
                        name: "articlesd_limit_exchanges_total",
                        help: "Exchanges of request counts with other servers.", value: site.limiter.exchanges
                    )
                ]),
            fields: [.contentType: "text/plain; version=0.0.4; charset=utf-8"])
    }

    private static func residentBytes() -> Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let pages = String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A few threads for work that takes much time and memory, such as password hashing. The number of threads limits the
/// load, so that other requests do not wait.
final class FewThreads: TaskExecutor {
    private let queues: [DispatchQueue]
    private let next = Atomic(0)

    init(_ count: Int, called name: String) {
        queues = (0..<count).map { DispatchQueue(label: "\(name) \($0)") }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = queues[next.wrappingAdd(1, ordering: .relaxed).oldValue % queues.count]
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// An error that prevents the server from starting: what failed, what to do next, and the exit code.
struct ServerError: Error {
    let message: String
    let hint: String?
    let code: ExitCode

    init(_ message: String, hint: String? = nil, code: ExitCode) {
        self.message = message
        self.hint = hint
        self.code = code
    }

    init(_ error: any Error) {
        switch error {
        case let error as ServerError: self = error
        case let error as UsageError: self.init(error.message, hint: error.advice, code: .usage)
        // Only articlesctl has an option for the wait.
        case let error as StoreError where error.kind == .busy:
            self.init(error.description, hint: "try again when the other process has finished", code: .tryAgain)
        case let error as any ExplainedError:
            self.init(error.description, hint: error.hint, code: ExitCode(error.errorKind))
        default: self.init("\(error)", code: .software)
        }
    }
}

import LibraryServices
import Arguments
import ArticleStore
import AuthService
import Text
import FlowCoordinators
import GoogleReader
import HTTPServer
import Platform
import Terminal
import WebAPI
import WebFront

/// Serves a library until it is told to stop.
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

    /// Serves, and returns after it was told to stop and all requests were answered.
    ///
    /// - Throws: `ServerError`, `HTTPServerError`, or `DatabaseError` if it cannot start.
    func serve() async throws {
        try requireMemory()
        let signals = try signals()
        let identity = try identity()
        let (sockets, library) = try opened()
        let (services, work, limit) = (library.services, ExpensiveWork(limits: options.work), options.apiLimit)
        let site = Site(
            web: WebFront(services: services, settings: options.front, work: work),
            reader: GoogleReader(services: services, limit: limit, work: work),
            api: WebAPI(
                services: services, version: ProgramVersion.number, limit: limit, work: work,
                origins: options.apiOrigins),
            feeds: FeedFront(services: services, name: options.front.name, limit: limit, work: work),
            work: work, proxies: options.proxies, log: log,
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
                        : try HTTPServer(on: socket) { Self.measured($0, site: site, servers: fronts) })
            } catch {
                for server in servers { await server.stop(within: .zero) }
                for socket in sockets[(index + 1)...] { socket.close() }
                throw explained(error)
            }
        }
        announce(servers.prefix(options.addresses.count))
        if let metrics = servers.dropFirst(options.addresses.count).first {
            let url = metrics.address.url(port: metrics.port, isSecure: false)
            log.say("measured at \(url.map { $0 + "metrics" } ?? metrics.address.description)")
        }
        if await library.awaitsOperator() {
            log.say("there is no user yet: the first account that is registered becomes the operator")
        }
        let indexing = Task { await library.index() }
        tell(.ready)
        for await wish in signals.wishes {
            guard case .reload = wish else { break }
            reload(servers.prefix(options.addresses.count))
        }
        tell(.stopping)
        log.say("stopping: what has come is answered, for \(options.patience.components.seconds) s at most")
        indexing.cancel()
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop(within: options.patience) } }
        }
        await indexing.value
        log.say("stopped")
    }

    /// Watches for signals. If the server does not stop by itself in time, the process is ended.
    private func signals() throws -> Signals {
        let patience = Int(options.patience.components.seconds) * 1_000 + 5_000
        do {
            return try Signals(patience: patience) { [log] number in
                log.say("ended at once: requests were cut off; what was answered is kept")
                _exit((number == SIGINT ? ExitCode.interrupted : .terminated).rawValue)
            }
        } catch {
            throw ServerError(
                "a thread cannot be started: \(error)", hint: "allow more threads or more memory", code: .tryAgain)
        }
    }

    /// With less address space, allocations can fail anywhere, and Swift ends the process without a message.
    private func requireMemory() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return }
        let required: rlim_t = 512 << 20
        guard limit.rlim_cur < required else { return }
        throw ServerError(
            "the address space is limited to \(limit.rlim_cur >> 20) MiB, and the server needs \(required >> 20) MiB",
            hint: "raise the limit: ulimit -v, or LimitAS= of the service. MemoryMax= limits memory itself",
            code: .tryAgain)
    }

    /// Opens the sockets, that of the metrics last, and then the library. A second server that is started by mistake
    /// fails at the sockets, before it touches the library.
    private func opened() throws -> (sockets: [ListeningSocket], library: Library) {
        var sockets: [ListeningSocket] = []
        do {
            for address in options.addresses + (options.metrics.map { [$0] } ?? []) {
                sockets.append(try ListeningSocket(address))
            }
            return (sockets, try Library(path: options.database, clock: clock) { log.warn($0) })
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
    }

    private func announce(_ servers: ArraySlice<HTTPServer>) {
        if options.ignoresListen {
            log.warn("--listen is not looked at, because the service manager has opened the sockets")
        }
        for server in servers {
            let address = server.address
            let url = address.url(port: server.port, isSecure: options.identity != nil)
            log.say("serving \(options.database) on \(url ?? address.description)")
            if address.isOpenToOthers, options.identity == nil, !options.hasProxies {
                log.warn(
                    "others reach \(address) without encryption, so passwords can be read on the way: give "
                        + "--tls-certificate and --tls-key, or --trusted-proxy where a proxy encrypts")
            }
        }
    }

    /// Reads the certificate again. If it cannot be used, the previous one stays.
    private func reload(_ servers: ArraySlice<HTTPServer>) {
        tell(.reloading(since: monotonicMicroseconds()))
        do {
            if let identity = try identity() {
                for server in servers { try server.replaceIdentity(identity, within: options.patience) }
                log.say("the certificate was read anew")
            } else {
                log.say("there is no certificate to read anew")
            }
        } catch {
            log.warn("the certificate of before stays: \(ServerError(explained(error)).message)")
        }
        tell(.ready)
    }

    private func identity() throws -> TLSIdentity? {
        guard let files = options.identity else { return nil }
        func bytes(_ path: String) throws -> [UInt8] {
            guard let data = FileManager.default.contents(atPath: path) else {
                let reason = access(path, R_OK) == 0 ? "it is no file that can be read" : "\(SystemError.current)"
                throw ServerError(
                    "cannot read \(path): \(reason)", hint: "check that the file is there and yours to read",
                    code: .noInput)
            }
            return Array(data)
        }
        let identity = TLSIdentity(certificate: try bytes(files.certificate), key: try bytes(files.key))
        var status = stat()
        if stat(files.key, &status) == 0, status.st_mode & 0o007 != 0 {
            log.warn("others can read or write the key \(files.key): chmod o= \(files.key)")
        }
        return identity
    }

    /// Adds the names of the certificate files to an error.
    private func explained(_ error: any Error) -> any Error {
        guard case HTTPServerError.badCertificate = error, let files = options.identity else { return error }
        return ServerError(
            "\(files.certificate) and \(files.key) cannot be used together",
            hint: "the first has to hold the server's certificate and those above it, the second the key of that "
                + "certificate, without a password; both in PEM", code: .badData)
    }

    private func tell(_ state: ServiceManager.State) {
        do { try manager.notify(state) } catch { log.warn("the service manager could not be told: \(error)") }
    }

    private func monotonicMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }

    private static func measured(_ request: HTTPRequest, site: Site, servers: [HTTPServer]) -> HTTPResponse {
        guard request.target.path == "/metrics" else { return HTTPResponse(.notFound, text: "only /metrics is here\n") }
        let gauges = [
            ("articlesd_connections", "Connections that are open.", servers.reduce(0) { $0 + $1.connections }),
            ("articlesd_requests_in_flight", "Requests that are worked on.", servers.reduce(0) { $0 + $1.requests }),
            ("process_resident_memory_bytes", "Memory that the process has, in bytes.", residentBytes()),
        ]
        return HTTPResponse(
            text: site.metrics.text(gauges: gauges.map { (name: $0.0, help: $0.1, value: $0.2) }),
            fields: [.contentType: "text/plain; version=0.0.4; charset=utf-8"])
    }

    private static func residentBytes() -> Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let pages = String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

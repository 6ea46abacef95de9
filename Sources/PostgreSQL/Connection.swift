internal import CPostgreSQL
internal import Platform
internal import Synchronization

/// A connection to a server. Only one task at a time may use it: the pool lends it to one.
final class Connection: @unchecked Sendable {
    // It is safe to pass between tasks, because the pool lends it to one task at a time.
    private let libpq: UnsafePointer<libpq>
    private let handle: OpaquePointer
    private let waiting: Waiting
    private let cancelRequests: CancelRequests
    private var prepared = PreparedStatements()

    /// Whether the connection can run further statements. It cannot after a deadline or a cancellation, because its
    /// results would be those of an earlier statement.
    private(set) var isUsable = true

    /// Whether the connection failed because of its server, so that other connections to it may fail as well.
    private(set) var hasLostServer = false

    /// Whether the wait for an answer ends if the task is canceled.
    var isCancellable = true

    private init(_ handle: OpaquePointer, _ libpq: UnsafePointer<libpq>, _ services: Services) {
        (self.handle, self.libpq) = (handle, libpq)
        (waiting, cancelRequests) = (services.waiting, services.cancelRequests)
    }

    deinit { libpq.pointee.PQfinish(handle) }

    /// Whether a transaction is open, also one that an error has ended.
    var isInTransaction: Bool { libpq.pointee.PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Whether the server has closed the idle connection.
    var isClosedByServer: Bool {
        // An idle connection has nothing to read but the end of the stream, or notices before it.
        guard libpq.pointee.PQconsumeInput(handle) == 1 else { return true }
        return libpq.pointee.PQstatus(handle) != CONNECTION_OK
    }

    /// Runs statements in one round trip. Without `BEGIN`, they are one transaction.
    ///
    /// - Returns: the result of each statement.
    /// - Throws: `PostgreSQLError` for the first statement that failed, after which the server skips the rest;
    ///   `CancellationError` if the task was canceled, after which the connection is not usable.
    func run(_ statements: [Statement], until deadline: ContinuousClock.Instant) async throws -> [Rows] {
        try await answered {
            guard libpq.pointee.PQenterPipelineMode(handle) == 1 else { throw lost() }
            var expected: [Expected] = []
            for statement in statements { try send(statement, &expected) }
            guard libpq.pointee.PQpipelineSync(handle) == 1 else { throw lost() }
            let results = try await results(of: expected, until: deadline)
            guard libpq.pointee.PQexitPipelineMode(handle) == 1 else { throw lost() }
            return try results.get()
        }
    }

    /// Runs a text of several statements without values. Their results are discarded.
    ///
    /// - Throws: as ``run(_:until:)``.
    func run(script: String, until deadline: ContinuousClock.Instant) async throws {
        try await answered {
            guard libpq.pointee.PQsendQuery(handle, script) == 1 else { throw lost() }
            var refusal: PostgreSQLError?
            while let result = try await nextResult(until: deadline) {
                defer { libpq.pointee.PQclear(result) }
                switch libpq.pointee.PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
                default: refusal = refusal ?? error(of: result, sql: nil)
                }
            }
            if let refusal { throw refusal }
        }
    }

    /// Runs `body`. If it ends before the server has answered, the connection is not usable anymore.
    private func answered<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as PostgreSQLError {
            if error.isAboutServer { (isUsable, hasLostServer) = (false, true) }
            throw error
        } catch {
            isUsable = false
            cancelRequests.send(for: handle, libpq)
            throw error
        }
    }

    /// A result that the server will send.
    private enum Expected {
        case prepared(Statement)
        case discarded
        case rows(Statement)

        var sql: String? {
            switch self {
            case .prepared(let statement), .rows(let statement): statement.sql
            case .discarded: nil
            }
        }
    }

    private func send(_ statement: Statement, _ expected: inout [Expected]) throws(PostgreSQLError) {
        let name: String
        if let known = prepared.name(of: statement) {
            name = known
        } else {
            let added = prepared.add(statement)
            name = added.name
            if let discarded = added.discarded {
                // The name is ours, so it needs no quotes.
                guard libpq.pointee.PQsendQueryParams(handle, "DEALLOCATE " + discarded, 0, nil, nil, nil, nil, 0) == 1
                else { throw lost() }
                expected.append(.discarded)
            }
            let types = statement.values.map(\.type)
            guard libpq.pointee.PQsendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1 else {
                throw lost()
            }
            expected.append(.prepared(statement))
        }
        guard sendExecution(of: name, statement.values) else { throw lost() }
        expected.append(.rows(statement))
    }

    private func sendExecution(of name: String, _ values: [Value]) -> Bool {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        for value in values {
            let start = bytes.count
            value.encode(into: &bytes)
            ranges.append(value == .null ? nil : start..<bytes.count)
        }
        // An empty value needs an address that is not null.
        bytes.append(0)
        return bytes.withUnsafeBytes { bytes in
            let starts = ranges.map { range in
                range.flatMap { range in
                    bytes.baseAddress.map { ($0 + range.lowerBound).assumingMemoryBound(to: CChar.self) }
                }
            }
            let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            return libpq.pointee.PQsendQueryPrepared(handle, name, Int32(values.count), starts, lengths, formats, 1)
                == 1
        }
    }

    /// Reads the results up to the end of the pipeline.
    private func results(
        of expected: [Expected], until deadline: ContinuousClock.Instant
    ) async throws -> Result<[Rows], PostgreSQLError> {
        var rows: [Rows] = []
        var refusal: PostgreSQLError?
        for expected in expected {
            guard let result = try await nextResult(until: deadline) else { throw lost() }
            switch libpq.pointee.PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if case .rows = expected {
                    rows.append(Rows(result, libpq))
                } else {
                    libpq.pointee.PQclear(result)
                }
            default:
                if case .prepared(let statement) = expected { prepared.remove(statement) }
                // After the first error, the server skips the other statements.
                refusal = refusal ?? error(of: result, sql: expected.sql)
                libpq.pointee.PQclear(result)
            }
            // The results of a statement end with nil.
            while let further = try await nextResult(until: deadline) { libpq.pointee.PQclear(further) }
        }
        guard let end = try await nextResult(until: deadline) else { throw lost() }
        defer { libpq.pointee.PQclear(end) }
        guard libpq.pointee.PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
        return refusal.map { .failure($0) } ?? .success(rows)
    }

    /// Returns the next result; nil at the end of the results of a statement. The task is suspended until it arrives.
    private func nextResult(until deadline: ContinuousClock.Instant) async throws -> OpaquePointer? {
        while libpq.pointee.PQisBusy(handle) == 1 {
            let unsent = libpq.pointee.PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            switch await waiting.wait(
                for: libpq.pointee.PQsocket(handle), orOutput: unsent == 1, until: deadline,
                isCancellable: isCancellable)
            {
            case .ready: break
            case .deadlinePassed: throw PostgreSQLError.deadlinePassed
            case .cancelled: throw CancellationError()
            }
            guard libpq.pointee.PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return libpq.pointee.PQgetResult(handle)
    }

    private func lost() -> PostgreSQLError { .connectionLost(message) }

    private var message: String { Self.message(of: handle, libpq) }

    private static func message(of handle: OpaquePointer, _ libpq: UnsafePointer<libpq>) -> String {
        let text = libpq.pointee.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func error(of result: OpaquePointer, sql: String?) -> PostgreSQLError {
        func field(_ code: Character) -> String? {
            guard let code = code.asciiValue else { return nil }
            return libpq.pointee.PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        guard let state = field("C") else { return lost() }
        return .refused(
            PostgreSQLError.Refusal(
                state: state, message: field("M") ?? "", detail: field("D"), constraint: field("n"), sql: sql))
    }
}

extension Connection {
    /// The objects that the connections of a pool share.
    struct Services: Sendable {
        let waiting: Waiting
        let cancelRequests = CancelRequests()
        let hosts = Hosts()
    }

    /// The hosts of an address, and the one that accepted the latest connection.
    final class Hosts: Sendable {
        private let state = Mutex((parameters: [[String: String]](), latest: 0))

        /// The parameters of each host, in the order in which to try them; empty until they are known.
        var inOrder: [(number: Int, parameters: [String: String])] {
            state.withLock { state in
                let all = state.parameters.enumerated().map { (number: $0.offset, parameters: $0.element) }
                return Array(all[state.latest...] + all[..<state.latest])
            }
        }

        /// Stores the parameters of each host.
        func set(_ parameters: [[String: String]]) { state.withLock { $0.parameters = parameters } }

        /// Records the host that accepted a connection.
        func recordAcceptance(by number: Int) { state.withLock { $0.latest = number } }
    }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - address: the server. Off this machine, the server must prove that it has the name of the address, unless the
    ///     URL itself has another `sslmode`.
    ///   - settings: parameters of libpq that the address does not give.
    ///   - services: the objects that the connections of the pool share.
    ///   - deadline: the end of the attempt.
    /// - Throws: `PostgreSQLError.unavailable`, `PostgreSQLError.libraryMissing`, `PostgreSQLError.oldServer`.
    static func open(
        _ address: ServerAddress, settings: [String: String], services: Services,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) -> Connection {
        let loaded = Loaded(functions: try loadedLibrary())
        let opened = Opened()
        // Looking up a host blocks a thread, so the connection is opened on one of its own.
        await onThread {
            opened.result = Result { () throws(PostgreSQLError) in
                try opening(address, settings, loaded.functions, services, until: deadline)
            }
        }
        guard let result = opened.result else { throw PostgreSQLError.unavailable("no thread could be started") }
        return try result.get()
    }

    /// The oldest version of PostgreSQL that this package is tested with.
    static let oldestServer = 15

    private struct Loaded: @unchecked Sendable {
        // It is safe to share, because libpq is never unloaded.
        let functions: UnsafePointer<libpq>
    }

    /// The result of the thread, which has ended when it is read.
    private final class Opened: @unchecked Sendable {
        var result: Result<Connection, PostgreSQLError>?
    }

    private static func opening(
        _ address: ServerAddress, _ settings: [String: String], _ libpq: UnsafePointer<libpq>, _ services: Services,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> Connection {
        let parameters = settings.merging(address.parameters) { $1 }
        if services.hosts.inOrder.isEmpty { services.hosts.set(try hosts(of: address, parameters, libpq)) }
        // libpq waits for a host without a limit, so a host that does not answer would hide the others.
        let hosts = services.hosts.inOrder
        var reasons: [String] = []
        for (index, host) in hosts.enumerated() {
            let now = ContinuousClock.now
            do throws(PostgreSQLError) {
                let connection = try opened(
                    parameters.merging(host.parameters) { $1 }, libpq, services,
                    until: now + now.duration(to: deadline) / (hosts.count - index))
                services.hosts.recordAcceptance(by: host.number)
                return connection
            } catch {
                guard case .unavailable(let reason) = error else { throw error }
                reasons.append(reason)
            }
        }
        throw .unavailable(reasons.joined(separator: "; "))
    }

    /// Returns the parameters that each host of an address needs in addition to those of the address. The environment and
    /// a service file may also give hosts.
    private static func hosts(
        of address: ServerAddress, _ parameters: [String: String], _ libpq: UnsafePointer<libpq>
    ) throws(PostgreSQLError) -> [[String: String]] {
        // Nothing secret is sent before the connection is used.
        let handle = try start(parameters, libpq)
        defer { libpq.pointee.PQfinish(handle) }
        guard let options = libpq.pointee.PQconninfo(handle) else { return [[:]] }
        defer { libpq.pointee.PQconninfoFree(options) }
        let values = ServerAddress.values(of: options)
        let isUnproven =
            address.parameters["sslmode"] == nil && !ServerAddress.isLocal(values)
            && values["sslmode"] != "verify-full"
        return ServerAddress.hosts(in: values).map { host in
            isUnproven ? host.merging(["sslmode": "verify-full"]) { $1 } : host
        }
    }

    private static func opened(
        _ parameters: [String: String], _ libpq: UnsafePointer<libpq>, _ services: Services,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> Connection {
        let handle = try start(parameters, libpq)
        do {
            try finish(handle, libpq, until: deadline)
        } catch {
            libpq.pointee.PQfinish(handle)
            throw error
        }
        // Since version 10, the last four digits are the minor version.
        let version = Int(libpq.pointee.PQserverVersion(handle)) / 10_000
        guard version >= Self.oldestServer else {
            libpq.pointee.PQfinish(handle)
            throw PostgreSQLError.oldServer(version: version, oldest: Self.oldestServer)
        }
        libpq_discard_notices(libpq, handle)
        guard libpq.pointee.PQsetnonblocking(handle, 1) == 0 else {
            defer { libpq.pointee.PQfinish(handle) }
            throw PostgreSQLError.unavailable(message(of: handle, libpq))
        }
        return Connection(handle, libpq, services)
    }

    private static func start(
        _ parameters: [String: String], _ libpq: UnsafePointer<libpq>
    ) throws(PostgreSQLError) -> OpaquePointer {
        let names = parameters.keys.sorted()
        let started = withCStrings(names) { names in
            withCStrings(parameters.sorted { $0.key < $1.key }.map(\.value)) { values in
                libpq.pointee.PQconnectStartParams(names, values, 0)
            }
        }
        guard let handle = started else { throw PostgreSQLError.unavailable("no memory") }
        guard libpq.pointee.PQstatus(handle) != CONNECTION_BAD else {
            defer { libpq.pointee.PQfinish(handle) }
            throw PostgreSQLError.unavailable(message(of: handle, libpq))
        }
        return handle
    }

    /// Waits on this thread until the connection is open.
    private static func finish(
        _ handle: OpaquePointer, _ libpq: UnsafePointer<libpq>, until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            let left = ContinuousClock.now.duration(to: deadline).components
            guard left.seconds >= 0, left.attoseconds >= 0 else {
                throw PostgreSQLError.unavailable("the server did not answer in time")
            }
            let wanted = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            var socket = pollfd(fd: libpq.pointee.PQsocket(handle), events: Int16(wanted), revents: 0)
            let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
            guard poll(&socket, 1, Int32(clamping: milliseconds)) > 0 else { continue }
            state = libpq.pointee.PQconnectPoll(handle)
            guard state != PGRES_POLLING_FAILED else {
                throw PostgreSQLError.unavailable(message(of: handle, libpq))
            }
        }
    }
}

/// Calls `body` with C strings, and a null pointer after them.
private func withCStrings<T>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T) -> T {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
        starts.append(bytes.count)
        bytes.append(contentsOf: string.utf8CString)
    }
    return bytes.withUnsafeBufferPointer { bytes in
        var pointers = starts.map { start in bytes.baseAddress.map { $0 + start } }
        pointers.append(nil)
        return body(pointers)
    }
}

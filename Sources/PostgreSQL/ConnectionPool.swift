internal import Platform
internal import Synchronization

/// A database on a PostgreSQL server, reached over a bounded number of connections.
///
/// ```swift
/// let pool = try ConnectionPool(ServerAddress("postgres://reader@db.example/articles"))
/// let titles = try await pool.read([Statement("SELECT title FROM article WHERE id = ANY($1)", [.integers(ids)])])
/// try await pool.write { try await $0.run([Statement("DELETE FROM article WHERE id = $1", [.integer(id)])]) }
/// ```
///
/// - **Time**: no task blocks a thread. A task waits for a connection and for each answer until a deadline. The server
///   ends a statement a little earlier, so that the connection stays usable.
/// - **Cancellation**: only a read that permits it ends if its task is canceled. All others end at their deadline: it would
///   not be known whether a canceled write was done, and a canceled task must be able to undo its work.
/// - **Retries**: a read is sent again if the connection ends. A write is sent again only if it certainly had no effect;
///   else its error is an unknown outcome.
package final class ConnectionPool: Sendable {
    /// The limits of a pool.
    package struct Limits: Sendable {
        /// The maximum number of connections. More than 8 for each core of the server make it slower.
        package var connections = 16
        /// The maximum number of tasks that wait for a connection. A further one fails immediately.
        package var waitingTasks = 256
        /// The time for opening a connection, for getting one, and for the answer to each group of statements.
        package var patience = Duration.seconds(5)
        /// The time that a statement waits for a lock, at most 60 % of `patience`.
        package var lockTimeout = Duration.seconds(86_400)
        /// The number of times that a read or a write is sent again after a failure that may pass.
        package var retries = 3

        /// Creates the default limits.
        package init() {}
    }

    private enum Grant {
        case connection(Connection)
        /// The permission to open a connection.
        case permit
    }

    private struct State {
        var idle: [Connection] = []
        /// The number of connections that are open, lent, or being opened.
        var count = 0
        var queue: [Waiting.Ticket] = []
        var grants: [Waiting.Ticket: Grant] = [:]
    }

    private let address: ServerAddress
    private let settings: [String: String]
    private let limits: Limits
    private let services: Connection.Services
    private let jitter: @Sendable () -> Double
    private let onRoundTrip: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a pool. It opens connections when they are needed.
    ///
    /// - Parameters:
    ///   - address: the database.
    ///   - limits: the limits of the pool.
    ///   - name: the name of this program in the server's list of sessions.
    ///   - jitter: a random number between 0 and 1, so that several tasks do not repeat their writes at the same time.
    ///   - onRoundTrip: called before each message to the server, to count them.
    /// - Throws: `SystemError` if the system has no more files or threads.
    package init(
        _ address: ServerAddress, limits: Limits = Limits(), name: String = "articlesctl",
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        onRoundTrip: @escaping @Sendable () -> Void = {}
    ) throws {
        self.address = address
        self.limits = limits
        self.jitter = jitter
        self.onRoundTrip = onRoundTrip
        services = Connection.Services(waiting: try Waiting())
        let milliseconds = Self.milliseconds(limits.patience)
        let lockTimeout = min(milliseconds * 6 / 10, Self.milliseconds(limits.lockTimeout))
        // The server gives up before this side does, because a connection whose answer is missing must be closed.
        let options = [
            "statement_timeout=\(max(1, milliseconds * 9 / 10))", "lock_timeout=\(max(1, lockTimeout))",
            "idle_in_transaction_session_timeout=\(milliseconds * 2)",
        ].map { "-c " + $0 }.joined(separator: " ")
        settings = [
            "application_name": name, "client_encoding": "UTF8", "target_session_attrs": "read-write",
            "options": [options, address.parameters["options"] ?? ""].joined(separator: " "),
        ]
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
    }

    /// Runs statements that change nothing, in one round trip and on one snapshot of the data.
    ///
    /// - Parameter isCancellable: whether the server ends the statements if the task is canceled.
    /// - Returns: the result of each statement.
    /// - Throws: `PostgreSQLError`, `CancellationError`.
    package func read(_ statements: [Statement], isCancellable: Bool = false) async throws -> [Rows] {
        guard statements.count > 1 else {
            return try await retrying(isRead: true, isCancellable: isCancellable) { connection in
                try await self.run(statements, on: connection)
            }
        }
        return try await retrying(isRead: true, isCancellable: isCancellable) { connection in
            let rows = try await self.run([Self.beginSnapshot] + statements + ["COMMIT"], on: connection)
            return Array(rows.dropFirst().dropLast())
        }
    }

    /// Runs a transaction. If it fails for a reason that may pass and certainly had no effect, it is repeated.
    ///
    /// - Parameter body: runs the statements. If it throws, the transaction is rolled back.
    /// - Throws: the error of `body`, `PostgreSQLError`. If ``PostgreSQLError/isOutcomeUnknown``,
    ///   the transaction may have been committed.
    @discardableResult
    package func write<T>(_ body: (Transaction) async throws -> T) async throws -> T {
        try await retrying(isRead: false) { connection in
            let transaction = Transaction(
                send: { try await self.run($0, on: connection) },
                sendScript: { script in
                    self.onRoundTrip()
                    // A script changes the schema, which may take longer than any other statement.
                    try await connection.run(script: script, until: .now + .seconds(86_400))
                })
            do {
                let result = try await body(transaction)
                try await transaction.commit()
                return result
            } catch {
                throw transaction.known(error)
            }
        }
    }

    /// Runs statements as one transaction and in one round trip. If it fails for a reason that may pass and certainly had
    /// no effect, it is repeated.
    ///
    /// - Returns: the result of each statement.
    /// - Throws: `PostgreSQLError`. If ``PostgreSQLError/isOutcomeUnknown``, the transaction may have been committed.
    @discardableResult
    package func write(_ statements: [Statement]) async throws -> [Rows] {
        // Without BEGIN, the statements of a pipeline are one transaction.
        try await retrying(isRead: false) { connection in try await self.run(statements, on: connection) }
    }

    private static let beginSnapshot: Statement = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private func run(_ statements: [Statement], on connection: Connection) async throws -> [Rows] {
        onRoundTrip()
        return try await connection.run(statements, until: .now + limits.patience)
    }

    private func retrying<T>(
        isRead: Bool, isCancellable: Bool = false, _ body: (Connection) async throws -> T
    ) async throws -> T {
        var attempt = 0
        // If one attempt took all the time, as with a host that does not answer, another one does not help.
        let end = ContinuousClock.now + limits.patience
        while true {
            do {
                return try await withConnection(isCancellable: isCancellable, body)
            } catch let error as PostgreSQLError {
                attempt += 1
                let isLost = if case .connectionLost = error { isRead } else { false }
                guard error.isTransient || isLost, attempt <= limits.retries, .now < end else { throw error }
                // 20 ms, 80 ms, 320 ms, each reduced by up to a half.
                let milliseconds = Double(20 << (2 * (attempt - 1))) * (1 - jitter() / 2)
                let pause = services.waiting.ticket()
                if await services.waiting.wait(
                    pause, until: .now + .milliseconds(milliseconds), isCancellable: isCancellable) == .cancelled
                {
                    throw CancellationError()
                }
            }
        }
    }

    private func withConnection<T>(
        isCancellable: Bool, _ body: (Connection) async throws -> T
    ) async throws -> T {
        let connection = try await connection(until: .now + limits.patience, isCancellable: isCancellable)
        connection.isCancellable = isCancellable
        defer { giveBack(connection) }
        do {
            return try await body(connection)
        } catch {
            // If the rollback fails, the connection stays in the transaction and is closed.
            if connection.isUsable, connection.isInTransaction { _ = try? await run(["ROLLBACK"], on: connection) }
            throw error
        }
    }

    private func connection(
        until deadline: ContinuousClock.Instant, isCancellable: Bool
    ) async throws -> Connection {
        var isLimited = false
        while true {
            switch try await grant(until: deadline, isCancellable: isCancellable, isLimited: isLimited) {
            case .connection(let connection):
                guard connection.isClosedByServer else { return connection }
                release()
            case .permit:
                do {
                    return try await Connection.open(address, settings: settings, services: services, until: deadline)
                } catch {
                    // If the server refuses another connection, wait for one of those that exist.
                    guard error.isAboutConnectionLimit, withdrawPermit() else {
                        release()
                        throw error
                    }
                    isLimited = true
                }
            }
        }
    }

    /// Gives back the permission to open a connection, without passing it to a task in the queue, which the server would
    /// refuse as well.
    ///
    /// - Returns: false if it is the only one. Then waiting for another connection would not end.
    private func withdrawPermit() -> Bool {
        state.withLock { state in
            guard state.count > 1 else { return false }
            state.count -= 1
            return true
        }
    }

    /// Returns a connection or the permission to open one, as soon as there is one.
    ///
    /// - Parameter isLimited: whether to wait for a connection although the pool may open more.
    private func grant(
        until deadline: ContinuousClock.Instant, isCancellable: Bool, isLimited: Bool
    ) async throws -> Grant {
        let (grant, ticket): (Grant?, Waiting.Ticket?) = state.withLock { state in
            if let connection = state.idle.popLast() { return (.connection(connection), nil) }
            if state.count < (isLimited ? 1 : limits.connections) {
                state.count += 1
                return (.permit, nil)
            }
            guard state.queue.count < limits.waitingTasks else { return (nil, nil) }
            let ticket = services.waiting.ticket()
            state.queue.append(ticket)
            return (nil, ticket)
        }
        if let grant { return grant }
        guard let ticket else { throw PostgreSQLError.busy }
        let end = await services.waiting.wait(ticket, until: deadline, isCancellable: isCancellable)
        let received = state.withLock { state in
            state.queue.removeAll { $0 == ticket }
            return state.grants.removeValue(forKey: ticket)
        }
        if let received { return received }
        if end == .cancelled { throw CancellationError() }
        throw PostgreSQLError.busy
    }

    private func giveBack(_ connection: Connection) {
        guard connection.isUsable, !connection.isInTransaction else {
            // The other connections go to the same server. If it is frozen, each of them would cost a request its time; if it
            // wakes up after another one became the primary, it answers with old data.
            if connection.hasLostServer { closeIdleConnections() }
            return release()
        }
        state.withLock { state in
            if !Self.pass(.connection(connection), to: &state, services.waiting) { state.idle.append(connection) }
        }
    }

    private func closeIdleConnections() {
        // They are closed after the lock is free.
        _ = state.withLock { state in
            defer { state.idle = [] }
            state.count -= state.idle.count
            return state.idle
        }
    }

    /// Makes room for a connection, after another was closed.
    private func release() {
        state.withLock { state in
            if !Self.pass(.permit, to: &state, services.waiting) { state.count -= 1 }
        }
    }

    /// Gives the first task in the queue a grant.
    ///
    /// - Returns: false if no task waits.
    private static func pass(_ grant: Grant, to state: inout State, _ waiting: Waiting) -> Bool {
        while !state.queue.isEmpty {
            let ticket = state.queue.removeFirst()
            if waiting.wake(ticket) {
                state.grants[ticket] = grant
                return true
            }
        }
        return false
    }
}

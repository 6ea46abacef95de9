internal import CSQLite
internal import Synchronization
internal import Text

/// Interrupts a connection from another thread.
///
/// The handle is stored as a number under a lock, so that it is never used after the connection was closed.
final class Interrupter: Sendable {
    private let address: Mutex<UInt>

    init(_ handle: OpaquePointer) {
        address = Mutex(UInt(bitPattern: handle))
    }

    /// Makes the running statements of the connection fail with `DatabaseError.interrupted`.
    func interrupt() {
        address.withLock { address in
            if let handle = OpaquePointer(bitPattern: address) { sqlite3_interrupt(handle) }
        }
    }

    /// Whether the connection was closed.
    var isForgotten: Bool { address.withLock { $0 == 0 } }

    func forget() {
        address.withLock { $0 = 0 }
    }
}

extension Snapshot {
    /// Ends the statements of `body` with `DatabaseError.interrupted` after a deadline. Rows that were read before
    /// remain valid. Inside another deadline, the earlier one applies.
    ///
    /// The deadline is checked between instructions of SQLite's virtual machine. A full-text search executes many of
    /// them.
    ///
    /// - Throws: the errors of `body`, and `DatabaseError.interrupted`.
    package func withDeadline<T>(_ deadline: ContinuousClock.Instant, _ body: () throws -> T) throws -> T {
        // A short statement ends before the first check.
        guard ContinuousClock.now < deadline else { throw DatabaseError.interrupted }
        let outer = connection.deadline
        connection.deadline = outer.map { min($0, deadline) } ?? deadline
        defer { connection.deadline = outer }
        guard outer == nil else { return try body() }
        sqlite3_progress_handler(
            connection.handle, 100,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                return connection.deadline.map { ContinuousClock.now < $0 } ?? true ? 0 : 1
            }, Unmanaged.passUnretained(connection).toOpaque())
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        return try body()
    }
}

/// The way in which a connection waits for a lock of another program: like SQLite's own busy timeout, but the wait can
/// be interrupted.
final class BusyWait {
    /// The timeout in seconds; 0 to not wait.
    var timeout: Double
    /// Whether the last wait was interrupted.
    private(set) var wasInterrupted = false
    private let isInterrupted: @Sendable () -> Bool
    private var start = ContinuousClock.now
    /// The pauses in milliseconds. The last is repeated. Source: `sqliteDefaultBusyCallback`.
    private static let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    init(timeout: Double, isInterrupted: @escaping @Sendable () -> Bool) {
        self.timeout = timeout
        self.isInterrupted = isInterrupted
    }

    /// Installs this as the busy handler of `handle`. The object must outlive the handle.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().wait(Int(count)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Returns: whether to try again.
    private func wait(_ count: Int) -> Bool {
        let now = ContinuousClock.now
        if count == 0 { start = now }
        wasInterrupted = timeout > 0 && isInterrupted()
        guard !wasInterrupted, now - start < .seconds(timeout) else { return false }
        sqlite3_sleep(Self.pauses[min(count, Self.pauses.count - 1)])
        return true
    }
}

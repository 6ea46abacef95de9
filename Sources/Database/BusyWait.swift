internal import CSQLite
internal import Essentials

/// How a connection waits for a lock that another program holds: as SQLite's own busy timeout, but for as long only as it
/// is not interrupted.
final class BusyWait {
    /// In seconds; 0 to wait for nobody.
    var timeout: Double
    /// Whether the last wait was interrupted.
    private(set) var wasInterrupted = false
    private let isInterrupted: @Sendable () -> Bool
    private var start = ContinuousClock.now
    /// In milliseconds; the last is repeated. Source: `sqliteDefaultBusyCallback`.
    private static let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    init(timeout: Double, isInterrupted: @escaping @Sendable () -> Bool) {
        self.timeout = timeout
        self.isInterrupted = isInterrupted
    }

    /// Makes `handle` wait in this way. The value must outlive it.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().wait(Int(count)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Returns: whether to look again.
    private func wait(_ count: Int) -> Bool {
        let now = ContinuousClock.now
        if count == 0 { start = now }
        wasInterrupted = timeout > 0 && isInterrupted()
        guard !wasInterrupted, now - start < .seconds(timeout) else { return false }
        sqlite3_sleep(Self.pauses[min(count, Self.pauses.count - 1)])
        return true
    }
}

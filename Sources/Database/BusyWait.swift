internal import CSQLite
internal import Text

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

import CPlatform

/// Makes a closed pipe and a full quota errors of the write that meets them (EPIPE, EFBIG), not the end of the process.
/// Call once, first thing.
public func ignoreWriteSignals() {
    platform_ignore_write_signals()
}

/// Watches for SIGINT and SIGTERM, so that long work can stop between two steps and say how far it came.
///
/// Ctrl-C a second time ends the process at once. What was in place before comes back when the watch goes. One watch at a time.
public final class InterruptWatch: Sendable {
    /// Begins to watch.
    public init() {
        platform_watch_interrupts()
    }

    deinit {
        platform_unwatch_interrupts()
    }

    /// The signal that arrived, if one did.
    public var signal: Int32? {
        let signal = platform_interrupt()
        return signal == 0 ? nil : signal
    }
}

import CPlatform
public import Platform

/// Makes a closed pipe and a full quota errors of the write that meets them (EPIPE, EFBIG), not the end of the process.
/// Call once, first thing.
public func ignoreWriteSignals() {
    platform_ignore_write_signals()
}

/// Says what is likely where a file that was mapped is cut by somebody else, which ends the process with SIGBUS. Call once.
public func explainBusErrors(_ message: StaticString) {
    platform_explain_bus_errors(UnsafeRawPointer(message.utf8Start).assumingMemoryBound(to: CChar.self))
}

/// Why running tasks side by side would wait for ever or end the process: no thread can be started, or no file opened. Nil where
/// all is well.
public func resourceShortage() -> SystemError? {
    let code = platform_check_resources()
    return code == 0 ? nil : SystemError(code: code)
}

/// Watches for SIGINT and SIGTERM, so that long work can stop between two steps and say how far it came.
///
/// A second Ctrl-C ends the process at once. When the watch is deinitialized, it restores the previous handlers. Only one watch
/// can exist at a time.
public final class InterruptWatch: Sendable {
    /// Begins to watch.
    public init() {
        platform_watch_interrupts()
    }

    deinit {
        platform_unwatch_interrupts()
    }

    /// The signal that arrived, if one did.
    public var signal: Int32? { Self.noted }

    /// The signal that arrived since the last watch began, if there was one.
    public static var noted: Int32? {
        let signal = platform_interrupt()
        return signal == 0 ? nil : signal
    }

    /// Lets so many seconds pass on this thread.
    ///
    /// - Throws: `CancellationError` when a signal that is watched for has arrived.
    public static func pause(seconds: Int) throws {
        var (pause, rest) = (timespec(tv_sec: seconds, tv_nsec: 0), timespec())
        while nanosleep(&pause, &rest) != 0, errno == EINTR {
            if noted != nil { throw CancellationError() }
            pause = rest
        }
    }
}

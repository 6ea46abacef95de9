import CPlatform
package import Platform

/// Makes writes to a closed pipe or beyond a file size limit fail with an error (EPIPE, EFBIG) instead of ending the
/// process. Call it once at the start.
package func ignoreWriteSignals() {
    platform_ignore_write_signals()
}

/// Prints a message if the process ends with SIGBUS, which usually means that another program truncated a mapped file.
/// Call it once.
package func explainBusErrors(_ message: StaticString) {
    platform_explain_bus_errors(UnsafeRawPointer(message.utf8Start).assumingMemoryBound(to: CChar.self))
}

/// Returns the error that would block concurrent tasks forever or end the process: a thread cannot be
/// started, or a file cannot be opened. Nil if there is none.
package func resourceShortage() -> SystemError? {
    let code = platform_check_resources()
    return code == 0 ? nil : SystemError(code: code)
}

/// Watches for SIGINT and SIGTERM, so that long work can stop between two steps and report its progress.
///
/// A second Ctrl-C ends the process immediately. When the object is released, the previous handlers are restored. Only
/// one object can exist at a time.
package final class InterruptWatch: Sendable {
    /// Starts to watch.
    package init() {
        platform_watch_interrupts()
    }

    deinit {
        platform_unwatch_interrupts()
    }

    /// The signal that arrived, if any.
    package var signal: Int32? { Self.noted }

    /// The signal that arrived since the last watch began, if any.
    package static var noted: Int32? {
        let signal = platform_interrupt()
        return signal == 0 ? nil : signal
    }

    /// Pauses this thread.
    ///
    /// - Throws: `CancellationError` if a watched signal arrives.
    package static func pause(seconds: Int) throws {
        var (pause, rest) = (timespec(tv_sec: seconds, tv_nsec: 0), timespec())
        while nanosleep(&pause, &rest) != 0, errno == EINTR {
            if noted != nil { throw CancellationError() }
            pause = rest
        }
    }
}

import CPlatform
import Platform

/// The signals that control the server, from the creation of this object on.
///
/// A separate thread waits for them, so that they work even if no other thread can be started.
final class Signals: Sendable {
    /// The actions that signals request.
    enum Request: Sendable {
        /// Stop the server.
        case stop
        /// Read changed files again.
        case reload
    }

    /// The requested actions, in order.
    let requests: AsyncStream<Request>

    /// Starts to watch for the signals.
    ///
    /// - Parameters:
    ///   - patience: the time in milliseconds that the process has to stop after the first signal.
    ///   - endNow: ends the process. It is called with the signal if the time is over, or at another signal to stop
    ///     more than a second after the first. (A script that forwards Ctrl-C makes it arrive twice at once.)
    /// - Throws: `SystemError` if a thread cannot be created.
    init(patience: Int, endNow: @escaping @Sendable (_ signal: Int32) -> Void) throws(SystemError) {
        let (stream, continuation) = AsyncStream.makeStream(of: Request.self)
        requests = stream
        let pipe = platform_signal_pipe()
        guard pipe >= 0 else { throw SystemError.current }
        try startThread {
            let clock = ContinuousClock()
            var stopped: ContinuousClock.Instant?
            while true {
                let left = stopped.map { .milliseconds(patience) - ($0.duration(to: clock.now)) }
                let number = platform_next_signal(pipe, left.map { Int32(max(0, $0 / .milliseconds(1))) } ?? -1)
                switch (number, stopped) {
                case (SIGHUP, _): continuation.yield(.reload)
                case (0, _): return endNow(SIGTERM)
                case (_, let start?):
                    if start.duration(to: clock.now) > .seconds(1) { return endNow(number) }
                case (_, nil):
                    stopped = clock.now
                    continuation.yield(.stop)
                }
            }
        }
    }
}

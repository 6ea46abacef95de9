import CPlatform
import Platform

/// The signals that control the server, from the start of this object on.
///
/// A thread of its own waits for them, so that they work even if no other thread can be started.
final class Signals: Sendable {
    /// The requests that signals stand for.
    enum Wish: Sendable {
        /// To end.
        case stop
        /// To read changed files again.
        case reload
    }

    /// The requests, in order.
    let wishes: AsyncStream<Wish>

    /// Watches for the signals.
    ///
    /// - Parameters:
    ///   - patience: the time that the process has to end after the first signal to stop, in milliseconds.
    ///   - endNow: ends the process. Called if the time is over, or at a signal to stop more than a second after the first, with
    ///     its number. Ctrl-C reaches the server twice at once if a script that runs it forwards the signal.
    /// - Throws: `SystemError` if there cannot be another thread.
    init(patience: Int, endNow: @escaping @Sendable (_ signal: Int32) -> Void) throws(SystemError) {
        let (stream, continuation) = AsyncStream.makeStream(of: Wish.self)
        wishes = stream
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

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
    ///   - endNow: ends the process. Called if the time is over, or at the second signal to stop, with its number.
    /// - Throws: `SystemError` if there cannot be another thread.
    init(patience: Int, endNow: @escaping @Sendable (_ signal: Int32) -> Void) throws(SystemError) {
        let (stream, continuation) = AsyncStream.makeStream(of: Wish.self)
        wishes = stream
        let pipe = platform_signal_pipe()
        guard pipe >= 0 else { throw SystemError.current }
        try startThread {
            var isStopping = false
            while true {
                let number = platform_next_signal(pipe, isStopping ? Int32(clamping: patience) : -1)
                switch number {
                case SIGHUP: continuation.yield(.reload)
                case _ where isStopping: return endNow(number > 0 ? number : SIGTERM)
                default:
                    isStopping = true
                    continuation.yield(.stop)
                }
            }
        }
    }
}

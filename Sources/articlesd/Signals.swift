import Dispatch
import Platform

/// The signals by which the server is told what to do, as long as this is kept.
final class Signals {
    /// What a signal asks for.
    enum Wish: Sendable {
        /// To end.
        case stop
        /// To read anew what may have changed.
        case reload
    }

    /// The wishes, as they come.
    let wishes: AsyncStream<Wish>
    private let sources: [any DispatchSourceSignal]

    /// Watches for the signals, which do nothing else from now on.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Wish.self)
        sources = [(SIGTERM, Wish.stop), (SIGINT, .stop), (SIGHUP, .reload)].map { number, wish in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(wish) }
            source.resume()
            return source
        }
        wishes = stream
    }
}

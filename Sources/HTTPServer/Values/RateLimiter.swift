package import Text
import Synchronization

/// Counts the requests of each client in the current minute.
package final class RateLimiter: Sendable {
    /// The remaining requests and the time until the limit resets.
    package struct Allowance: Sendable, Hashable {
        /// The number of requests per minute.
        package let limit: Int
        /// The number of remaining requests; nil if the limit was exceeded.
        package let remaining: Int?
        /// The time until the limit resets, in seconds.
        package let reset: Int
    }

    private struct Window {
        var minute: Int
        var count: Int
    }

    private let limit: Int
    private let windows = Mutex<[String: Window]>([:])
    /// The number of clients that are remembered. Beyond it, those with the most remaining requests are forgotten.
    private static let most = 10_000

    /// Creates a limiter.
    ///
    /// - Parameter limit: the number of requests per minute.
    package init(limit: Int) { self.limit = max(1, limit) }

    /// Counts a request, and returns what remains.
    package func count(_ key: String, at time: Date) -> Allowance {
        let seconds = Int(time.unixSecondsClamped)
        let minute = seconds / 60
        let count = windows.withLock { windows in
            if windows.count >= Self.most, windows[key] == nil {
                windows = windows.filter { $0.value.minute == minute }
                if windows.count >= Self.most { windows = windows.filter { $0.value.count > limit / 2 } }
                if windows.count >= Self.most { windows.removeAll() }
            }
            var window = windows[key] ?? Window(minute: minute, count: 0)
            if window.minute != minute { window = Window(minute: minute, count: 0) }
            window.count = min(window.count + 1, limit + 1)
            windows[key] = window
            return window.count
        }
        return Allowance(limit: limit, remaining: count > limit ? nil : limit - count, reset: 60 - seconds % 60)
    }
}

extension Date {
    fileprivate var unixSecondsClamped: Int64 {
        Int64(exactly: timeIntervalSince1970.rounded(.down)).map { max($0, 0) } ?? 0
    }
}

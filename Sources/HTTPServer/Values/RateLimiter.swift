package import Text
import Synchronization

/// Counts the requests of each client in the current minute.
///
/// If several servers share the clients, each exchanges its counts with the others from time to time. In between, it counts
/// only its own requests, so that no request waits for an exchange.
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

    /// The requests of a client in a minute.
    package struct Count: Sendable, Hashable {
        /// The key of the client.
        package let client: String
        /// The minute since 1970.
        package let minute: Int
        /// The number of requests.
        package let count: Int

        /// Creates a count.
        package init(client: String, minute: Int, count: Int) {
            (self.client, self.minute, self.count) = (client, minute, count)
        }
    }

    private struct Window {
        let minute: Int
        /// The requests to this server that were reported to the other servers.
        var reported = 0
        /// The requests to this server that were not reported yet.
        var unreported = 0
        /// The requests to the other servers.
        var atOtherServers = 0

        var count: Int { reported + unreported + atOtherServers }
    }

    private struct State {
        var windows: [String: Window] = [:]
        var exchanges = 0
    }

    /// The number of requests per minute.
    package let limit: Int
    private let state = Mutex(State())
    /// The number of clients that are remembered. Beyond it, those with the most remaining requests are forgotten.
    private static let most = 10_000

    /// Creates a limiter.
    ///
    /// - Parameter limit: the number of requests per minute.
    package init(limit: Int) { self.limit = max(1, limit) }

    /// Counts a request, and returns what remains.
    package func count(_ client: String, at time: Date) -> Allowance {
        let seconds = Self.seconds(at: time)
        let minute = seconds / 60
        let count = state.withLock { state in
            makeRoom(for: client, in: minute, &state)
            var window = state.windows[client] ?? Window(minute: minute)
            if window.minute != minute { window = Window(minute: minute) }
            if window.count <= limit { window.unreported += 1 }
            state.windows[client] = window
            return window.count
        }
        return Allowance(limit: limit, remaining: count > limit ? nil : limit - count, reset: 60 - seconds % 60)
    }

    /// Exchanges counts with other servers. Call it again only after it has returned.
    ///
    /// - Parameter exchange: adds the new requests of this server to those of all servers in the minutes, and returns the
    ///   sums: of each client that it gets and, for the present minute, of each that has used half of the limit. If it
    ///   throws, the next exchange sends the requests again.
    package func exchange(
        at time: Date, by exchange: (_ new: [Count], _ minute: Int, _ half: Int) async throws -> [Count]
    ) async rethrows {
        let minute = Self.seconds(at: time) / 60
        let new = state.withLock { state in
            state.windows.filter { $0.value.unreported > 0 }.map { client, window in
                state.windows[client]?.reported += window.unreported
                state.windows[client]?.unreported = 0
                return Count(client: client, minute: window.minute, count: window.unreported)
            }
        }
        do {
            let sums = try await exchange(new, minute, (limit + 1) / 2)
            state.withLock { state in
                for sum in sums { add(sum, at: minute, &state) }
                state.exchanges += 1
            }
        } catch {
            state.withLock { state in
                for count in new where state.windows[count.client]?.minute == count.minute {
                    state.windows[count.client]?.reported -= count.count
                    state.windows[count.client]?.unreported += count.count
                }
            }
            throw error
        }
    }

    /// The number of exchanges that succeeded.
    package var exchanges: Int { state.withLock { $0.exchanges } }

    private func add(_ sum: Count, at minute: Int, _ state: inout State) {
        var window = state.windows[sum.client]
        if window == nil || window?.minute != sum.minute {
            // A request may have begun the next minute during the exchange.
            guard sum.minute >= minute, window.map({ $0.minute < sum.minute }) ?? true else { return }
            makeRoom(for: sum.client, in: sum.minute, &state)
            window = Window(minute: sum.minute)
        }
        guard var window else { return }
        window.atOtherServers = max(0, min(sum.count, limit + 1) - window.reported)
        state.windows[sum.client] = window
    }

    private func makeRoom(for client: String, in minute: Int, _ state: inout State) {
        guard state.windows.count >= Self.most, state.windows[client] == nil else { return }
        state.windows = state.windows.filter { $0.value.minute == minute }
        if state.windows.count >= Self.most { state.windows = state.windows.filter { $0.value.count > limit / 2 } }
        if state.windows.count >= Self.most { state.windows.removeAll() }
    }

    private static func seconds(at time: Date) -> Int {
        Int64(exactly: time.timeIntervalSince1970.rounded(.down)).map { Int(max($0, 0)) } ?? 0
    }
}

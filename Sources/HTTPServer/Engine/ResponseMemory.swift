import Synchronization

/// Counts the bytes of large bodies that clients have not read yet, in total and for each user.
final class ResponseMemory: Sendable {
    private struct State {
        var total = 0
        var byUser: [String: Int] = [:]
    }
    private let state = Mutex(State())
    private let limits: HTTPLimits

    init(limits: HTTPLimits) { self.limits = limits }

    /// Counts a body, or returns the refusal to send instead if the limit is reached. A single body is always accepted.
    func hold(_ bytes: Int, for user: String) -> Refusal? {
        state.withLock { state in
            let held = state.byUser[user, default: 0]
            guard held == 0 || held + bytes <= limits.responseBytesPerUser else { return .tooManyResponses }
            guard state.total == 0 || state.total + bytes <= limits.responseBytesInAll else { return .tooManyRequests }
            state.total += bytes
            state.byUser[user] = held + bytes
            return nil
        }
    }

    /// Stops counting a body that was sent or whose connection has ended.
    func letGo(_ bytes: Int, for user: String) {
        state.withLock { state in
            state.total -= bytes
            let held = state.byUser[user, default: 0] - bytes
            state.byUser[user] = held > 0 ? held : nil
        }
    }
}

import Synchronization

/// The state that all connections of a server share.
final class Site: Sendable {
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    /// Reports a refusal, and returns the additional fields of its response.
    let refused: @Sendable (HTTPRefusal) -> HTTPFields
    let limits: HTTPLimits
    let date: HTTPDate
    let connections = Connections()
    let responses: ResponseMemory
    private let working = Mutex(0)
    private let bodies = Mutex(0)

    /// The number of requests in progress.
    var requests: Int { working.withLock { $0 } }

    init(
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        refused: @escaping @Sendable (HTTPRefusal) -> HTTPFields, limits: HTTPLimits, date: HTTPDate
    ) {
        self.handler = handler
        self.refused = refused
        self.limits = limits
        responses = ResponseMemory(limits: limits)
        self.date = date
    }

    /// Counts a request. Returns false if the limit is reached.
    func begin() -> Bool {
        working.withLock { working in
            guard working < limits.requests else { return false }
            working += 1
            return true
        }
    }

    /// Stops counting a request.
    func end() { working.withLock { $0 -= 1 } }

    /// Whether a body of this size is within the limit.
    func hasRoom(for bytes: Int) -> Bool { bodies.withLock { $0 + bytes <= limits.bodyBytesInAll } }

    /// Counts received bytes of a body. Returns false if the limit is reached.
    func reserve(_ bytes: Int) -> Bool {
        bodies.withLock { held in
            guard held + bytes <= limits.bodyBytesInAll else { return false }
            held += bytes
            return true
        }
    }

    /// Stops counting bytes of a body.
    func release(_ bytes: Int) { bodies.withLock { $0 -= bytes } }
}

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
    func reserve(_ bytes: Int, for user: String) -> RejectedRequest? {
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
    func release(_ bytes: Int, for user: String) {
        state.withLock { state in
            state.total -= bytes
            let held = state.byUser[user, default: 0] - bytes
            state.byUser[user] = held > 0 ? held : nil
        }
    }
}

import Synchronization

/// What all connections of a server have in common.
final class Site: Sendable {
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    let limits: HTTPLimits
    let date: HTTPDate
    let connections = Connections()
    private let working = Mutex(0)

    /// How many requests are worked on.
    var requests: Int { working.withLock { $0 } }

    init(
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, limits: HTTPLimits, date: HTTPDate
    ) {
        self.handler = handler
        self.limits = limits
        self.date = date
    }

    /// Counts a request that is to be worked on; false where there are as many as may be.
    func begin() -> Bool {
        working.withLock { working in
            guard working < limits.requests else { return false }
            working += 1
            return true
        }
    }

    /// A request is worked on no more.
    func end() { working.withLock { $0 -= 1 } }
}

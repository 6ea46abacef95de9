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

    /// How many requests are worked on.
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

    /// Whether so many bytes of a body may come.
    func hasRoom(for bytes: Int) -> Bool { bodies.withLock { $0 + bytes <= limits.bodyBytesInAll } }

    /// Counts bytes of a body that have come; false where there are as many as may be.
    func hold(_ bytes: Int) -> Bool {
        bodies.withLock { held in
            guard held + bytes <= limits.bodyBytesInAll else { return false }
            held += bytes
            return true
        }
    }

    /// Bytes of a body are held no more.
    func letGo(_ bytes: Int) { bodies.withLock { $0 -= bytes } }
}

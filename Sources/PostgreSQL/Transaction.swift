/// An open transaction. Only the task that opened it may use it.
package final class Transaction {
    private let send: ([Statement]) async throws -> [Rows]
    private let sendScript: (String) async throws -> Void
    private var queue: [Statement] = ["BEGIN"]
    private var isBegun = false
    private var isCommitting = false

    init(
        send: @escaping ([Statement]) async throws -> [Rows], sendScript: @escaping (String) async throws -> Void
    ) {
        (self.send, self.sendScript) = (send, sendScript)
    }

    /// Adds statements whose results are not needed. They are sent with the next ones, or with the commit.
    package func queue(_ statements: [Statement]) {
        queue += statements
        for statement in statements { queuedBytes += statement.size }
    }

    /// The approximate size of the queued statements.
    package private(set) var queuedBytes = 0

    /// Runs statements in one round trip, after the queued ones.
    ///
    /// - Returns: the result of each statement, without those of the queued ones.
    @discardableResult
    package func run(_ statements: [Statement]) async throws -> [Rows] {
        let queued = queue
        queue = []
        queuedBytes = 0
        isBegun = true
        return Array(try await send(queued + statements).dropFirst(queued.count))
    }

    /// Runs a text of several statements without values, after the queued statements.
    package func run(script: String) async throws {
        try await run([])
        try await sendScript(script)
    }

    /// Sends the queued statements and commits, in one round trip.
    func commit() async throws {
        // A transaction without statements is not begun.
        guard isBegun || queue.count > 1 else { return }
        isCommitting = true
        try await run(["COMMIT"])
    }

    /// The error of this transaction. Before the commit is sent, the server rolls back a transaction whose connection
    /// ends, so its outcome is known.
    func known(_ error: any Error) -> any Error {
        guard !isCommitting, let failure = error as? PostgreSQLError, failure.isOutcomeUnknown else { return error }
        return if case .connectionLost(let message) = failure { PostgreSQLError.unavailable(message) } else { error }
    }
}

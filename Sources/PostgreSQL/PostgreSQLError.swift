/// The failure of a database on a PostgreSQL server.
package enum PostgreSQLError: Error, Sendable, Hashable {
    /// libpq cannot be loaded. The text is the reason of the system.
    case libraryMissing(String)
    /// The address of the database cannot be used.
    case invalidAddress(String)
    /// The address of the database contains a password, which other users of the machine can see.
    case passwordInAddress
    /// A connection cannot be opened. Nothing was sent.
    case unavailable(String)
    /// The version of the server is too old. Nothing was sent.
    case oldServer(version: Int, oldest: Int)
    /// The connection ended while statements were on the way. They may have been executed or not.
    case connectionLost(String)
    /// The server did not answer before the deadline. The statements may have been executed or not.
    case deadlinePassed
    /// All connections are in use, and the queue is full or did not move before the deadline. Nothing was sent.
    case busy
    /// The server refused a statement, and undid the transaction.
    case refused(Refusal)
    /// A column has another type than the caller expects, or a value that its type does not allow.
    case unexpectedValue(column: Int, expected: String)

    /// The error message of a server. Source: PostgreSQL, “Error and Notice Message Fields”.
    package struct Refusal: Sendable, Hashable {
        /// The five characters of the condition, such as `23505`. Source: PostgreSQL, appendix A.
        package let state: String
        /// The message.
        package let message: String
        /// The details of the message.
        package let detail: String?
        /// The name of the constraint that is violated.
        package let constraint: String?
        /// The statement.
        package let sql: String?
    }

    /// The five characters of the condition, if the server refused a statement.
    package var state: String? {
        if case .refused(let refusal) = self { refusal.state } else { nil }
    }

    /// Whether the transaction had no effect and may succeed if it is sent again: no connection could be opened, the
    /// server was starting, stopping, or read-only, or another transaction was in the way.
    package var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let refusal): Self.transientStates.contains(refusal.state)
        default: false
        }
    }

    /// Whether the statements may have been executed or not.
    package var isOutcomeUnknown: Bool {
        switch self {
        case .connectionLost, .deadlinePassed: true
        // An administrator ended the connection, possibly after a commit that a standby has not confirmed.
        case .refused(let refusal): refusal.state == "57P01"
        default: false
        }
    }

    /// Whether the connection cannot be used anymore because its server has ended it or does not answer.
    var isAboutServer: Bool {
        switch self {
        case .connectionLost, .deadlinePassed: true
        default: false
        }
    }

    /// Whether the server refused a connection because it, the database, or the role has too many. Before a session, the server
    /// does not send the condition, so its message decides.
    package var isAboutConnectionLimit: Bool {
        guard case .unavailable(let reason) = self else { return false }
        return ["too many clients already", "too many connections for", "remaining connection slots"].contains {
            reason.contains($0)
        }
    }

    /// cannot_connect_now, read_only_sql_transaction, serialization_failure, deadlock_detected. A statement that did not get
    /// a lock has waited as long as the caller permits (`ConnectionPool.Limits.lockTimeout`).
    private static let transientStates: Set = ["57P03", "25006", "40001", "40P01"]
}

package import Text

/// The failure of a store. Its kinds do not depend on the engine, so callers can react to them.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure. Each requires a different reaction.
    public enum Kind: Sendable, Hashable {
        /// The work was interrupted and undone.
        case interrupted
        /// Another writer did not finish in time. Retry later.
        case busy
        /// The data may be read but not written.
        case readOnly
        /// The disk, or the quota on it, is full.
        case full
        /// The data cannot be read or written, as on a failing disk.
        case inputOutput
        /// The data is inconsistent.
        case damaged
        /// The open file was moved or replaced. After opening the store again, it uses the present file.
        case replaced
        /// The store cannot be reached.
        case unavailable
        /// The address of the store cannot be used.
        case invalidAddress
        /// The connection ended during a write, which may have happened or not.
        case unknownOutcome
        /// The engine refused the work for another reason.
        case refused
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The failure and its object, in one sentence without a period.
    public let description: String
    /// The next step for an operator; nil if it depends on the program.
    public let advice: String?
    /// The engine's own error, for a log.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ kind: Kind, _ description: String, advice: String? = nil, cause: (any Error)? = nil) {
        (self.kind, self.description, self.advice, self.cause) = (kind, description, advice, cause)
    }
}

extension StoreError: ExplainedError {
    package var errorKind: ErrorKind {
        switch kind {
        case .interrupted: .interrupted
        case .busy, .replaced, .unknownOutcome: .busy
        case .damaged, .readOnly, .full, .inputOutput, .refused: .inputOutput
        case .unavailable: .unavailable
        case .invalidAddress: .usage
        }
    }

    package var hint: String? {
        switch kind {
        case .busy: "try again when the other process has finished, or wait longer with --busy-timeout"
        case .replaced: "try again to use the current file"
        case .damaged:
            advice
                ?? "find the faults with: articlesctl doctor; then replace the database with a backup: articlesctl restore FILE; "
                + "or copy the readable data: articlesctl recover FILE NEW"
        case .unknownOutcome: "check whether the change was made, and try again if it was not"
        case .interrupted, .readOnly, .full, .inputOutput, .refused, .unavailable, .invalidAddress: advice
        }
    }
}

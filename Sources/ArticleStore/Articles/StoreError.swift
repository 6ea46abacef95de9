/// The failure of a store, in terms that callers can act on, whichever engine has the data.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure. Each calls for another reaction.
    public enum Kind: Sendable, Hashable, CaseIterable {
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
        /// The file that was open is not at its place any more. Opening the store again uses the present one.
        case replaced
        /// The store cannot be reached.
        case unavailable
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

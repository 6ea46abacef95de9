public import Text

/// The state of a counter of failed attempts.
public struct FailureCount: Hashable, Sendable {
    /// The number of failures.
    public var count: Int
    /// The time of the last failure. For a rate, it is the time since which the count is valid.
    public var last: Date

    /// Creates a count.
    public init(count: Int, last: Date) {
        self.count = count
        self.last = last
    }
}

public import Essentials

/// Failed attempts that are counted together.
public struct FailureCount: Hashable, Sendable {
    /// How many.
    public var count: Int
    /// When the last was; for a rate, when the count was last this.
    public var last: Date

    /// So many failures.
    public init(count: Int, last: Date) {
        self.count = count
        self.last = last
    }
}

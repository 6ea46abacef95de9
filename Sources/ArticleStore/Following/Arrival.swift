public import Essentials

/// When an article came into the library: no two came at once, and one with a higher number came later.
public struct Arrival: Sendable, Hashable, Comparable {
    /// The time, in microseconds since 1970.
    public let microseconds: Int64

    /// A time in microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The last whole microsecond that is not after a date; the far ends of `Date` are clamped.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded(.down)
        self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
    }

    /// Whether one came before another.
    public static func < (first: Arrival, second: Arrival) -> Bool { first.microseconds < second.microseconds }
}

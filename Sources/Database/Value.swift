public import Essentials

/// A value that SQLite stores, in one of its five storage classes.
///
/// Literals work: `[1, "swift", nil]` is an array of three values.
/// Source: <https://www.sqlite.org/datatype3.html>.
public enum Value: Hashable, Sendable {
    /// NULL.
    case null
    /// A 64-bit signed integer.
    case integer(Int64)
    /// A double. SQLite stores NaN as NULL.
    case real(Double)
    /// Text in UTF-8, of any length and with any scalar, NUL included.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Value {
    /// An integer.
    public init(_ value: Int) { self = .integer(Int64(value)) }

    /// An integer.
    public init(_ value: Int64) { self = .integer(value) }

    /// 1 for true, 0 for false.
    public init(_ value: Bool) { self = .integer(value ? 1 : 0) }

    /// A double.
    public init(_ value: Double) { self = .real(value) }

    /// Text.
    public init(_ value: String) { self = .text(value) }

    /// Creates the upper bound of all text that begins with `start`, in byte order: `x >= start AND x < this` finds that text.
    package init(behindTextBeginningWith start: String) { self = .text(start + "\u{10FFFF}") }

    /// Bytes.
    public init(_ value: [UInt8]) { self = .blob(value) }

    /// A point in time as whole Unix seconds, rounded down; the far ends of `Date` are clamped.
    public init(_ value: Date) { self = .integer(value.unixSeconds) }

    /// The integer, or NULL for nil.
    public init(_ value: Int?) { self = value.map { Value($0) } ?? .null }

    /// The integer, or NULL for nil.
    public init(_ value: Int64?) { self = value.map { Value($0) } ?? .null }

    /// The text, or NULL for nil.
    public init(_ value: String?) { self = value.map { Value($0) } ?? .null }

    /// The bytes, or NULL for nil.
    public init(_ value: [UInt8]?) { self = value.map { Value($0) } ?? .null }

    /// The time, or NULL for nil.
    public init(_ value: Date?) { self = value.map { Value($0) } ?? .null }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    /// NULL.
    public init(nilLiteral: ()) { self = .null }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A double.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// 1 or 0.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension Date {
    /// Whole seconds since 1970, rounded down: the form in which a time is stored.
    var unixSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
    }
}

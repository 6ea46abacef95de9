public import Text

/// A value in one of the five storage classes of SQLite.
///
/// Literals work: `[1, "swift", nil]` is an array of three values. Source: <https://www.sqlite.org/datatype3.html>.
public enum Value: Hashable, Sendable {
    /// NULL.
    case null
    /// A 64-bit signed integer.
    case integer(Int64)
    /// A double. SQLite stores NaN as NULL.
    case real(Double)
    /// Text in UTF-8 of any length, including NUL characters.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Value {
    /// Creates an integer.
    public init(_ value: Int) { self = .integer(Int64(value)) }

    /// Creates an integer.
    public init(_ value: Int64) { self = .integer(value) }

    /// Creates 1 for true and 0 for false.
    public init(_ value: Bool) { self = .integer(value ? 1 : 0) }

    /// Creates a double.
    public init(_ value: Double) { self = .real(value) }

    /// Creates a text.
    public init(_ value: String) { self = .text(value) }

    /// Creates the upper bound of all text that begins with `start`, in byte order: `x >= start AND x < this` finds
    /// that text.
    package init(behindTextBeginningWith start: String) { self = .text(start + "\u{10FFFF}") }

    /// Creates a blob.
    public init(_ value: [UInt8]) { self = .blob(value) }

    /// Creates a time as whole Unix seconds, rounded down. Values beyond the range of 64 bits are clamped.
    public init(_ value: Date) { self = .integer(value.unixSeconds) }

    /// Creates an integer, or NULL for nil.
    public init(_ value: Int?) { self = value.map { Value($0) } ?? .null }

    /// Creates an integer, or NULL for nil.
    public init(_ value: Int64?) { self = value.map { Value($0) } ?? .null }

    /// Creates a text, or NULL for nil.
    public init(_ value: String?) { self = value.map { Value($0) } ?? .null }

    /// Creates a blob, or NULL for nil.
    public init(_ value: [UInt8]?) { self = value.map { Value($0) } ?? .null }

    /// Creates a time, or NULL for nil.
    public init(_ value: Date?) { self = value.map { Value($0) } ?? .null }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    /// Creates NULL.
    public init(nilLiteral: ()) { self = .null }

    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a double.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates 1 or 0.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension Date {
    /// The whole seconds since 1970, rounded down, in which a time is stored.
    var unixSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
    }
}

import Platform

/// A text that is equal to another only if their bytes are equal.
///
/// Swift's strings are equal if they look the same, for example if one has an `é` of one scalar and the other an `é` of
/// two (canonical equivalence in Unicode). File systems and databases distinguish these, and so do the keys of articles
/// and the locations of sources.
public struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The text as it was written.
    public let text: String

    /// Creates a text.
    public init(_ text: some StringProtocol) { self.text = String(text) }

    /// Creates a text.
    public init(stringLiteral text: String) { self.text = text }

    /// The text as it was written.
    public var description: String { text }

    /// The bytes in UTF-8.
    package var utf8: String.UTF8View { text.utf8 }

    package var isEmpty: Bool { text.utf8.isEmpty }

    /// Whether the bytes of two texts are equal.
    public static func == (left: Self, right: Self) -> Bool { left.text.isIdentical(to: right.text) }

    /// Whether the bytes of one text are before those of another.
    public static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // This byte never occurs in a text. It separates two texts that are hashed one after the other.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether the bytes of two strings are equal.
    package func isIdentical(to other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let left = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(left, other, right.count) == 0
            }
        }
    }
}

extension [String] {
    /// Whether the bytes of all elements are equal.
    package func isIdentical(to other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }
}

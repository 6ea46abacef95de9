import Platform

/// A text that is the same only where its bytes are the same.
///
/// Swift's strings are equal where they look alike, such as an `é` of one scalar and one of two (Unicode, canonical equivalence).
/// File systems and databases tell these apart, and so do the keys of articles and the places of sources.
public struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The text as it was written.
    public let text: String

    /// A text of these bytes.
    public init(_ text: some StringProtocol) { self.text = String(text) }

    /// A text of these bytes.
    public init(stringLiteral text: String) { self.text = text }

    /// The text as it was written.
    public var description: String { text }

    /// The bytes in UTF-8.
    var utf8: String.UTF8View { text.utf8 }

    var isEmpty: Bool { text.utf8.isEmpty }

    /// Whether the bytes are the same.
    public static func == (left: Self, right: Self) -> Bool { left.text.isIdentical(to: right.text) }

    /// The order of the bytes.
    public static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // As no byte of a text, so that two of them one after the other are not another two.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether the bytes are the same.
    func isIdentical(to other: String) -> Bool {
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
    /// Whether the bytes of every element are the same.
    func isIdentical(to other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }
}

/// A JSON value (RFC 8259). Objects keep the order of their keys and numbers keep their spelling, so a stored value is
/// written again unchanged.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, as it was written.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])
    /// The UTF-8 of a text that is already encoded as JSON, by a writer that knows the value better.
    case encoded([UInt8])

    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key of the member.
        public let key: String
        /// The value.
        public let value: JSON

        /// Creates a member from a key and its value.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The maximum depth of nested values, in any notation. Deeper nesting is not needed by people, and could overflow
    /// the stack of a recursive reader.
    public static let depthLimit = 64

    /// The maximum number of values in one text, in any notation, including values that aliases of YAML repeat. A few
    /// lines of aliases can stand for billions of values, and small values take many times their text in memory.
    public static let countLimit = 100_000

    /// A string, a number, or a Boolean as text; nil for any other value.
    public var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object, .encoded: nil
        }
    }

    /// The maximum depth of nested values, including this value.
    public var depth: Int {
        switch self {
        case .null, .bool, .number, .string, .encoded: 1
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        }
    }

    /// The members of an object; nil for any other value.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSON {
    /// Creates a whole number.
    public init(_ value: some BinaryInteger) { self = .number(String(value)) }
    /// Creates a string, or null for nil.
    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    /// Creates an array of strings.
    public init(_ values: [String]) { self = .array(values.map(JSON.string)) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates an object with its keys in this order.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }

    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self.init(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: CustomStringConvertible {
    /// The value as text on one line, without spaces. Besides what the RFC requires, harmful characters such as
    /// terminal controls are escaped, so the text is safe to display. The value stays the same.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// The same text as bytes.
    public var utf8: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        guard writer.bytes.withUnsafeBufferPointer({ $0.needSanitizing(keeping: []) }) else { return writer.bytes }
        return Array(writer.text.escapingHarmfulScalars.utf8)
    }
}

extension String {
    /// A JSON text with its harmful characters escaped. Such characters occur only inside strings.
    fileprivate var escapingHarmfulScalars: String {
        var text = ""
        var start = startIndex
        for index in unicodeScalars.indices where unicodeScalars[index].isHarmful {
            text += self[start..<index]
            for unit in unicodeScalars[index].utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
            start = unicodeScalars.index(after: index)
        }
        return text + self[start...]
    }
}

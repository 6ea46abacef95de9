/// A JSON value (RFC 8259). Objects keep the order of their keys, and numbers are kept as they were written, so that what is
/// put aside comes out the same.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, as it is written.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])
    /// A text that is JSON already, from a writer who knows more of what is in it.
    case encoded(String)

    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The name of the member.
        public let key: String
        /// The value.
        public let value: JSON

        /// A key and its value.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// How deep values may be nested, in any notation: nobody who writes by hand needs more, and a reader of more could be
    /// made to run out of stack.
    public static let depthLimit = 64

    /// How many values there may be in one text, in any notation, with those that aliases of YAML repeat: a few lines of
    /// aliases can stand for billions, and small values take many times their text in memory.
    public static let countLimit = 100_000

    /// A string, a number or a truth value as text; nil for anything else.
    public var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object, .encoded: nil
        }
    }

    /// How many values are inside each other at most, this one included.
    public var depth: Int {
        switch self {
        case .null, .bool, .number, .string, .encoded: 1
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        }
    }

    /// The members of an object; nil for anything else.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSON {
    /// A whole number.
    public init(_ value: some BinaryInteger) { self = .number(String(value)) }
    /// The string, or null where there is none.
    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    /// The strings, in order.
    public init(_ values: [String]) { self = .array(values.map(JSON.string)) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An object, its keys in this order.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }

    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self.init(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: CustomStringConvertible {
    /// The value as text on one line, without spaces. Besides what the RFC wants escaped, everything that is harmful to look
    /// at is: the value is the same.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// The same in bytes, for who sends it.
    public var utf8: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        guard writer.bytes.withUnsafeBufferPointer({ $0.needSanitizing(keeping: []) }) else { return writer.bytes }
        return Array(writer.text.escapingHarmfulScalars.utf8)
    }
}

extension String {
    /// Of a JSON text: what is harmful stands only inside strings there.
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

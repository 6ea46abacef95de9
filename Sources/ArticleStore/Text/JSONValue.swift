/// What a record or its front matter says, whichever notation it is in. Numbers are kept as they were written, so that
/// what is put aside comes out the same.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: JSONValue

        init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// How deep values may be nested, in any notation: no article needs more, and a reader of more could be made to
    /// run out of stack.
    static let depthLimit = 64

    /// How many values there may be in one record, in any notation, with those that aliases of YAML repeat: a few lines of
    /// aliases can stand for billions, and small values take many times their text in memory.
    static let countLimit = 100_000

    /// A string, a number or a truth value as text; nil for anything else.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// How many values are inside each other at most, this one included.
    var depth: Int {
        switch self {
        case .null, .bool, .number, .string: 1
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        }
    }

    /// The members of an object; nil for anything else.
    var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONWriter {
    /// Writes a value; the keys of objects in the order of their bytes, the last of equal ones, so that the same
    /// content has one text.
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let text): raw(text)
        case .string(let text): string(text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(",") }
                self.value(element)
            }
            raw("]")
        case .object(let members):
            var last: [String: JSONValue] = [:]
            for member in members { last[member.key] = member.value }
            raw("{")
            for (index, member) in last.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }).enumerated()
            {
                if index > 0 { raw(",") }
                string(member.key)
                raw(":")
                self.value(member.value)
            }
            raw("}")
        }
    }
}

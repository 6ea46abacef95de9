import Terminal

/// A JSON value (RFC 8259) whose objects keep the order of their keys.
///
/// Its text is made without an encoder: a command that prints one object is over before Foundation's would have started.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSON])
    case object([Member])
    /// A text that is JSON already, from a writer who knows more of what is in it.
    case encoded(String)

    /// A key and its value.
    struct Member: Hashable, Sendable {
        let key: String
        let value: JSON
    }
}

extension JSON {
    init(_ value: Int) { self = .integer(Int64(value)) }
    /// The string, or null where there is none.
    init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    /// The strings, in order.
    init(_ values: [String]) { self = .array(values.map(JSON.string)) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }

    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
}

extension JSON: CustomStringConvertible {
    /// The value as text on one line, without spaces.
    var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.write(value, to: &text)
        case .encoded(let json): Self.escape(json, to: &text)
        case .array(let values):
            text += "["
            for (place, value) in values.enumerated() {
                if place > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (place, member) in members.enumerated() {
                if place > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Besides what the RFC wants escaped, everything that is harmful on a terminal is: the value is the same, and it is
    /// safe to look at.
    private static func write(_ value: String, to text: inout String) {
        text += "\""
        replaceScalars(of: value, in: &text) { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: escape(of: scalar)
            }
        }
        text += "\""
    }

    /// In JSON, what is harmful stands only inside strings.
    private static func escape(_ json: String, to text: inout String) {
        replaceScalars(of: json, in: &text, with: escape)
    }

    private static func escape(of scalar: Unicode.Scalar) -> String? {
        guard scalar.isHarmful else { return nil }
        // Every harmful scalar lies in the basic plane, so that one escape is enough.
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Appends `value` to `text`, each scalar that has a replacement replaced, and what lies between as it is.
    private static func replaceScalars(
        of value: String, in text: inout String, with replacement: (Unicode.Scalar) -> String?
    ) {
        var start = value.startIndex
        for index in value.unicodeScalars.indices {
            let scalar = value.unicodeScalars[index]
            // Printable ASCII, which nearly everything is, is only ever replaced for these two.
            if (0x20..<0x7F).contains(scalar.value), scalar != "\"", scalar != "\\" { continue }
            guard let replacement = replacement(scalar) else { continue }
            text += value[start..<index]
            text += replacement
            start = value.unicodeScalars.index(after: index)
        }
        text += value[start...]
    }
}

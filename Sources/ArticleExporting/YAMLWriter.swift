import ArticleStore
import Text

/// Writes YAML in block style that readers of YAML 1.1 and 1.2 read in the same way.
///
/// A text is written without quotes only if no reader could take it for another type. Other texts are in double quotes
/// on one line, with escapes for invisible characters. So a text cannot end a line, a document, or front matter.
/// Numbers are written as they are: readers of YAML 1.1 take one like `1e5` for a text, because they require a decimal
/// point.
struct YAMLWriter {
    private(set) var text = ""

    /// Writes a key and its value on lines of their own.
    mutating func member(_ key: String, _ value: JSON) { member(JSON.Member(key, value), indent: 0) }

    /// Writes a simple key with a value that is already YAML on a single line.
    mutating func member(_ key: String, raw value: String) { text += "\(key): \(value)\n" }

    private mutating func member(_ member: JSON.Member, indent: Int) {
        // Readers look for the colon of a simple key only within this length.
        if member.key.utf8.count > Self.longestKey {
            text += "? "
            string(member.key)
            text += "\n"
            self.indent(indent)
            text += ":"
        } else {
            string(member.key)
            text += ":"
        }
        value(member.value, below: indent)
    }

    /// Writes the part after a colon, up to the end of the line.
    private mutating func value(_ value: JSON, below indent: Int) {
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "\n"
            self.members(members, indent: indent + 2)
        case .array(let elements) where elements.contains(where: \.isCollection):
            text += "\n"
            self.elements(elements, indent: indent + 2)
        default:
            text += " "
            scalar(value)
            text += "\n"
        }
    }

    /// Writes one member per line. With `isInline`, the first line has already begun.
    private mutating func members(_ members: [JSON.Member], indent: Int, isInline: Bool = false) {
        for (index, member) in members.enumerated() {
            if index > 0 || !isInline { self.indent(indent) }
            self.member(member, indent: indent)
        }
    }

    private mutating func elements(_ elements: [JSON], indent: Int, isInline: Bool = false) {
        for (index, element) in elements.enumerated() {
            if index > 0 || !isInline { self.indent(indent) }
            text += "- "
            switch element {
            case .object(let members) where !members.isEmpty: self.members(members, indent: indent + 2, isInline: true)
            case .array(let elements) where !elements.isEmpty:
                self.elements(elements, indent: indent + 2, isInline: true)
            default:
                scalar(element)
                text += "\n"
            }
        }
    }

    /// Writes a value that does not need lines of its own: anything except a nonempty collection.
    private mutating func scalar(_ value: JSON, isInFlow: Bool = false) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): self.string(string, isInFlow: isInFlow)
        case .encoded(let json): string(String(decoding: json, as: UTF8.self), isInFlow: isInFlow)
        case .object: text += "{}"
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                scalar(element, isInFlow: true)
            }
            text += "]"
        }
    }

    private mutating func string(_ string: String, isInFlow: Bool = false) {
        if Self.isPlain(string, isInFlow: isInFlow) {
            text += string
        } else {
            quoted(string)
        }
    }

    private mutating func quoted(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\0": text += "\\0"
            default:
                if scalar.isSeen { text.unicodeScalars.append(scalar) } else { escape(scalar) }
            }
        }
        text += "\""
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        let (letter, count) = scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\" + letter + String(repeating: "0", count: count - digits.utf8.count) + digits
    }

    private mutating func indent(_ count: Int) { text += String(repeating: " ", count: count) }

    private static let longestKey = 128

    /// Whether every reader takes the text without quotes for itself: it begins with a letter, so it is not a number or
    /// a date; it contains no special characters; and it is not a reserved word.
    private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, first.isLetter, text.utf8.last != 0x20 else { return false }
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII {
                return scalar.isLetter || (0x30...0x39).contains(scalar.value)
                    || " _-./'()+".unicodeScalars.contains(scalar)
                    || !isInFlow && ",&!?;".unicodeScalars.contains(scalar)
            }
            return scalar.isLetter || scalar.isMarkOrDigit || (0x2010...0x2026).contains(scalar.value)
        }
        return isSafe && !reserved.contains(text.lowercased())
    }

    /// The words that some reader takes for a Boolean, a null, or a not-a-number.
    private static let reserved: Set<String> = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "nan", "inf", "infinity",
    ]
}

extension JSON {
    fileprivate var isCollection: Bool {
        switch self {
        case .object(let members): !members.isEmpty
        case .array(let elements): !elements.isEmpty
        case .null, .bool, .number, .string, .encoded: false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        if isASCII { return (0x61...0x7A).contains(value | 0x20) }
        return switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter: true
        default: false
        }
    }

    fileprivate var isMarkOrDigit: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber: true
        default: false
        }
    }

    /// Whether the character is allowed in a quoted text of YAML (production 1, `c-printable`) and visible.
    fileprivate var isSeen: Bool {
        switch value {
        case 0x20...0x7E: true
        case 0...0xA0, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: !isHarmful
        }
    }
}

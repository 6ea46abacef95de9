import Text

/// Writes YAML in block style that readers of YAML 1.1 and of 1.2 understand alike.
///
/// A text stands plainly only where no reader could take it for anything else; any other is in double quotes, on one line,
/// with an escape for whatever is not seen. So nothing in it can end a line, a document or front matter. Numbers are written
/// as they are: one like `1e5` is a text to readers of YAML 1.1, which want a point in it.
struct YAMLWriter {
    private(set) var text = ""

    /// Writes a key with its value, beginning a line and ending it.
    mutating func member(_ key: String, _ value: JSON) { member(JSON.Member(key, value), indent: 0) }

    /// Writes a key with a value that is YAML already and on one line.
    mutating func member(_ key: StaticString, raw value: String) { text += "\(key): \(value)\n" }

    private mutating func member(_ member: JSON.Member, indent: Int) {
        // Readers look so far for the colon after a key, and no further.
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

    /// Writes what stands after a colon, and the end of the line.
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

    /// Writes members a line each; the first where the line is begun already, with `isInline`.
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

    /// Writes what needs no line of its own: anything but a collection in a collection.
    private mutating func scalar(_ value: JSON, isInFlow: Bool = false) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string), .encoded(let string): self.string(string, isInFlow: isInFlow)
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

    /// Whether a text means itself to every reader where nothing is around it: it begins with a letter, so that it is no
    /// number and no date, holds only what has no meaning anywhere, and is no word that stands for something else.
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

    /// What stands for a truth value, for nothing or for no number, to some reader.
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

    /// Whether it may stand in a quoted text of YAML (production 1, `c-printable`), and can be told from other white space.
    fileprivate var isSeen: Bool {
        switch value {
        case 0x20...0x7E: true
        case 0...0xA0, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: !isHarmful
        }
    }
}

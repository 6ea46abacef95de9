import Markup

/// Decodes HTML character references in XML that does not declare them.
struct HTMLReferences {
    /// The maximum length of a name.
    static let longest = 32
    /// The maximum number of unknown names that are remembered. It bounds the memory for malicious input.
    private static let limit = 4096

    private var known: [String: String?] = [:]

    /// Returns the text of a name in HTML; nil if the name is unknown.
    mutating func text(of name: UnsafeBufferPointer<UInt8>) -> String? {
        let name = String(decoding: name, as: UTF8.self)
        if let text = known[name] { return text }
        // Decode it in the middle of a word, where an HTML parser keeps white space.
        let text = MarkupDocument(html: "<p>x&\(name);x</p>").blocks.text.dropFirst().dropLast()
        let isKnown = !text.isEmpty && text != "&\(name);"
        let result = isKnown ? String(text) : nil
        if known.count < Self.limit { known[name] = .some(result) }
        return result
    }

    /// Returns a text with all references decoded.
    mutating func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = ""
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += Substring(rest[..<start])
            rest = rest[start...].dropFirst()
            let name = rest.prefix(Self.longest).prefix { $0 != UInt8(ascii: ";") }
            guard rest[name.endIndex...].first == UInt8(ascii: ";"), let stands = self.text(ofReference: name) else {
                decoded += "&"
                continue
            }
            decoded += stands
            rest = rest[name.endIndex...].dropFirst()
        }
        return decoded + Substring(rest)
    }

    private mutating func text(ofReference name: Substring.UTF8View) -> String? {
        guard name.first == UInt8(ascii: "#") else {
            guard !name.isEmpty, name.allSatisfy({ Self.isDigit($0) || (0x61...0x7A).contains($0 | 0x20) }) else {
                return nil
            }
            return Array(name).withUnsafeBufferPointer { text(of: $0) }
        }
        guard let reference = Self.xml(ofDigits: name.dropFirst()) else { return nil }
        guard reference.hasPrefix("&#") else { return reference }
        return UInt32(reference.dropFirst(2).dropLast()).flatMap(Unicode.Scalar.init).map { String($0) }
    }

    /// Returns the XML for a numeric reference, given without its `#`; nil if it is not a number.
    static func xml(ofDigits digits: some Collection<UInt8>) -> String? {
        let text = String(decoding: digits, as: UTF8.self)
        let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
        let number = isHexadecimal ? text.dropFirst() : text[...]
        guard !number.isEmpty, number.utf8.allSatisfy({ isDigit($0) || isHexadecimal && isLetterDigit($0) }) else {
            return nil
        }
        let value = UInt32(number, radix: isHexadecimal ? 16 : 10) ?? .max
        switch value {
        case 0x09, 0x0A, 0x0D: return "&#\(value);"
        case 0..<0x20: return " "
        // The "numeric character reference end state" in the HTML standard.
        case 0x80...0x9F: return String(Windows1252.scalar(of: UInt8(value)))
        case 0xFFFE, 0xFFFF: return "\u{FFFD}"
        default: return Unicode.Scalar(value) == nil ? "\u{FFFD}" : "&#\(value);"
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetterDigit(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte | 0x20) }
}

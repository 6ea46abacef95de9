/// Text in XML 1.0 and HTML.
package enum XMLText {
    /// Returns the text with the special characters of HTML escaped. Other characters stay as they are.
    package static func escapedForHTML(_ text: String) -> String {
        guard text.utf8.contains(where: { reference(to: $0) != nil }) else { return text }
        return replacing(in: text) { bytes, index in reference(to: bytes[index]) }
    }

    private static func reference(to byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        default: nil
        }
    }

    /// Returns the text escaped for the content of an element or, with `isValue`, for a quoted attribute. Characters
    /// that XML forbids even as references (production 2: most control characters and two others) become U+FFFD. White
    /// space that a parser would normalize is written as a reference.
    package static func escaped(_ text: String, isValue: Bool = false) -> String {
        replacing(in: text) { bytes, index in
            switch bytes[index] {
            case 0x0D: "&#13;"
            case 0x09: isValue ? "&#9;" : nil
            case 0x0A: isValue ? "&#10;" : nil
            case 0..<0x20: "\u{FFFD}"
            // U+FFFE and U+FFFF are the only characters of three bytes with these first two bytes.
            case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE: "\u{FFFD}"
            case let byte: reference(to: byte)
            }
        }
    }

    /// Returns the text in which some characters are replaced.
    ///
    /// - Parameter replacement: returns the replacement of the character that begins at an index; nil to keep it.
    private static func replacing(
        in text: String, _ replacement: (UnsafeBufferPointer<UInt8>, Int) -> String?
    ) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var replaced: [UInt8] = []
            replaced.reserveCapacity(bytes.count + bytes.count / 8)
            var start = 0
            for index in bytes.indices {
                guard let replacement = replacement(bytes, index) else { continue }
                replaced.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                replaced += replacement.utf8
                start = index + (bytes[index] < 0x80 ? 1 : 3)
            }
            replaced.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            return String(decoding: replaced, as: UTF8.self)
        }
    }
}

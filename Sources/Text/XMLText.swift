/// Text in XML 1.0 and HTML.
package enum XMLText {
    /// Returns the text with the special characters of HTML escaped. Other characters stay as they are.
    package static func escapedForHTML(_ text: String) -> String {
        guard text.utf8.contains(where: { reference(to: $0) != nil }) else { return text }
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if let reference = reference(to: byte) { escaped += reference } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func reference(to byte: UInt8) -> String.UTF8View? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;".utf8
        case UInt8(ascii: "<"): "&lt;".utf8
        case UInt8(ascii: ">"): "&gt;".utf8
        case UInt8(ascii: "\""): "&quot;".utf8
        default: nil
        }
    }

    /// Returns the text escaped for the content of an element or, with `isValue`, for a quoted attribute. Characters
    /// that XML forbids even as references (production 2: most control characters and two others) become U+FFFD. White
    /// space that a parser would normalize is written as a reference.
    package static func escaped(_ text: String, isValue: Bool = false) -> String {
        var escaped: [UInt8] = []
        var text = text
        text.withUTF8 { bytes in
            escaped.reserveCapacity(bytes.count + bytes.count / 8)
            for (index, byte) in bytes.enumerated() {
                if let reference = reference(to: byte) {
                    escaped += reference
                    continue
                }
                switch byte {
                case 0x0D: escaped += "&#13;".utf8
                case 0x09, 0x0A:
                    if isValue { escaped += "&#\(byte);".utf8 } else { escaped.append(byte) }
                case 0..<0x20: escaped += "\u{FFFD}".utf8
                // U+FFFE and U+FFFF are the only characters of three bytes with these first two bytes.
                case 0xBE, 0xBF:
                    let isRefused = index >= 2 && bytes[index - 1] == 0xBF && bytes[index - 2] == 0xEF
                    escaped.append(isRefused ? 0xBD : byte)
                default: escaped.append(byte)
                }
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

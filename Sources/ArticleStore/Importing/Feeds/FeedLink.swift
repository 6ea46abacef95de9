import Markup
import Text

/// Addresses in feeds.
enum FeedLink {
    /// Returns the absolute address of a text; nil if it is not an address.
    static func address(_ text: String?, base: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let address = escaped(text)
        if hasScheme(address) { return address }
        guard let base, hasScheme(base) else { return address }
        var whole = URLReference(address).resolved(against: URLReference(base))
        // The host has other escaping rules.
        whole.path = escapedNonASCII(whole.path)
        whole.query = whole.query.map { escapedNonASCII($0) }
        whole.fragment = whole.fragment.map { escapedNonASCII($0) }
        return whole.text
    }

    /// Whether the address is a web address.
    static func isWeb(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func hasScheme(_ address: String) -> Bool {
        let scheme = address.utf8.prefix { $0 != UInt8(ascii: ":") }
        return scheme.endIndex < address.utf8.endIndex && !scheme.isEmpty
            && scheme.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
            }
    }

    /// Decodes escapes such as `%20` in a part of an address for display. If the result is invalid text, the part is
    /// unchanged.
    static func unescaped(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(part)
    }

    /// Escapes the non-ASCII bytes of the text; existing escapes are unchanged.
    private static func escapedNonASCII(_ text: Substring) -> Substring {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: Substring()) { result, scalar in
            if scalar.isASCII { result.unicodeScalars.append(scalar) } else { result += String(scalar).percentEncoded }
        }
    }

    /// Escapes spaces and removes the line breaks with which some feeds format addresses.
    private static func escaped(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return String(text) }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20: escaped += "%20"
            case 0..<0x20, 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

import Markup
import Text

/// Addresses as they stand in feeds.
enum FeedLink {
    /// The address that a text is, relative to another one; nil for none.
    static func address(_ text: String?, base: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let address = escaped(text)
        if hasScheme(address) { return address }
        guard let base, hasScheme(base) else { return address }
        var whole = URLReference(address).resolved(against: URLReference(base))
        // The host is escaped by other rules.
        whole.path = escapedNonASCII(whole.path)
        whole.query = whole.query.map { escapedNonASCII($0) }
        whole.fragment = whole.fragment.map { escapedNonASCII($0) }
        return whole.text
    }

    /// Whether it is an address on the web.
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

    /// A part of an address as people read it, its `%20` decoded; as it is where that gives no text.
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

    /// The text with its non-ASCII bytes escaped; escapes that are in it stay as they are.
    private static func escapedNonASCII(_ text: Substring) -> Substring {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: Substring()) { result, scalar in
            if scalar.isASCII { result.unicodeScalars.append(scalar) } else { result += String(scalar).percentEncoded }
        }
    }

    /// The text with its spaces escaped, and without the line breaks that are in it for looks.
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

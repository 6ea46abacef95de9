extension [UInt8] {
    /// Appends markup from the program itself.
    package mutating func append(_ markup: StaticString) {
        markup.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a text escaped for HTML, also within quoted attributes.
    ///
    /// - Parameter control: returns the replacement of a control character other than tab and line feed; nil to keep
    ///   it.
    package mutating func append(escaping text: String, control: (UInt8) -> StaticString?) {
        var text = text
        text.withUTF8 { text in
            // Append runs of ordinary characters as a whole.
            var start = 0
            for index in text.indices where text[index].needsCareInHTML {
                let replacement: StaticString? =
                    switch text[index] {
                    case UInt8(ascii: "&"): "&amp;"
                    case UInt8(ascii: "<"): "&lt;"
                    case UInt8(ascii: ">"): "&gt;"
                    case UInt8(ascii: "\""): "&quot;"
                    case UInt8(ascii: "'"): "&#39;"
                    case let byte: control(byte)
                    }
                guard let replacement else { continue }
                append(contentsOf: text[start..<index])
                append(replacement)
                start = index + 1
            }
            append(contentsOf: text[start...])
        }
    }
}

extension UInt8 {
    /// Whether a byte must be escaped in HTML: control characters except tab and line feed, and `&<>"'`.
    fileprivate var needsCareInHTML: Bool {
        // A bit mask for the first 64 bytes, because this check is the most frequent one.
        self < 64 ? 0x5000_00C4_FFFF_F9FF as UInt64 &>> self & 1 == 1 : self == 0x7F
    }
}

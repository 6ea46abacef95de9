extension [UInt8] {
    /// Adds markup that is in the program itself.
    package mutating func append(_ markup: StaticString) {
        markup.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Adds a text so that it is text in HTML, within an attribute's quotes as well.
    ///
    /// - Parameter control: what stands for a control character that is no tab and no line feed; nil for itself.
    package mutating func append(escaping text: String, control: (UInt8) -> StaticString?) {
        var text = text
        text.withUTF8 { text in
            // What needs nothing is added as a whole.
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
    /// Whether a byte of a text may not be put into HTML as it is: controls but for the tab and the line feed, and `&<>"'`.
    fileprivate var needsCareInHTML: Bool {
        // A bit for each of the first 64, as nothing else is asked as often.
        self < 64 ? 0x5000_00C4_FFFF_F9FF as UInt64 &>> self & 1 == 1 : self == 0x7F
    }
}

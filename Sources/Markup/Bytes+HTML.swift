import Text

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
        text.withUTF8 { append(escaping: $0, control: control) }
    }

    /// Appends the UTF-8 of a text, escaped like a text.
    package mutating func append(escaping text: UnsafeBufferPointer<UInt8>, control: (UInt8) -> StaticString?) {
        // Append runs of ordinary characters as a whole.
        var start = 0
        var next = text.indexNeedingCareInHTML(from: 0)
        while let index = next {
            next = text.indexNeedingCareInHTML(from: index + 1)
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
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            append(replacement)
            start = index + 1
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the next byte that must be escaped in HTML: `&<>"'` and the control characters except tab and
    /// line feed; nil if there is none.
    fileprivate func indexNeedingCareInHTML(from start: Int) -> Int? {
        var start = start
        while let index = firstIndex(
            from: start,
            where: {
                // `&` and `'` differ in one bit, and so do `<` and `>`.
                $0.below(0x20) | $0.equal(to: UInt8(ascii: "&"), ignoring: 1)
                    | $0.equal(to: UInt8(ascii: "<"), ignoring: 2)
                    | $0.equal(to: UInt8(ascii: "\"")) | $0.equal(to: 0x7F)
            })
        {
            if self[index] != UInt8(ascii: "\t"), self[index] != UInt8(ascii: "\n") { return index }
            start = index + 1
        }
        return nil
    }
}

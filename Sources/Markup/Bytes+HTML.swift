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
    /// Returns the index of the next byte that must be escaped in HTML; nil if there is none.
    fileprivate func indexNeedingCareInHTML(from start: Int) -> Int? {
        var index = start
        let bytes = UnsafeRawBufferPointer(self)
        // Such a byte is rare, so check 8 bytes at once.
        while index + 8 <= count, !bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).needsCareInHTML {
            index += 8
        }
        while index < count {
            if self[index].needsCareInHTML { return index }
            index += 1
        }
        return nil
    }
}

extension UInt64 {
    /// Whether one of the 8 bytes, or a tab or line feed, must be escaped in HTML. A comparison of vectors would compile
    /// to a loop over the bytes.
    fileprivate var needsCareInHTML: Bool {
        let control = (self &- 0x20 &* Self.ones) & ~self & (0x80 &* Self.ones)
        // `&` and `'` differ in one bit, and so do `<` and `>`.
        return control | zeroes(in: (self | Self.ones) ^ (0x27 &* Self.ones))
            | zeroes(in: (self | 2 &* Self.ones) ^ (0x3E &* Self.ones)) | zeroes(in: self ^ (0x22 &* Self.ones))
            | zeroes(in: self ^ (0x7F &* Self.ones)) != 0
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Returns a number that is 0 if no byte is 0. Source: Warren, "Hacker's Delight", section 6-1.
    private func zeroes(in bytes: UInt64) -> UInt64 { (bytes &- Self.ones) & ~bytes & (0x80 &* Self.ones) }
}

extension UInt8 {
    /// Whether a byte must be escaped in HTML: control characters except tab and line feed, and `&<>"'`.
    fileprivate var needsCareInHTML: Bool {
        // A bit mask for the first 64 bytes, because this check is the most frequent one.
        self < 64 ? 0x5000_00C4_FFFF_F9FF as UInt64 &>> self & 1 == 1 : self == 0x7F
    }
}

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
        text.escapedForHTML(control: control) { append(contentsOf: $0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Calls a function with each piece of the text, escaped for HTML and for quoted attributes. A run of ordinary characters
    /// is one piece.
    ///
    /// - Parameters:
    ///   - control: returns the replacement of a control character other than tab and line feed; nil to keep it.
    ///   - add: the function.
    @inlinable
    package func escapedForHTML(
        control: (UInt8) -> StaticString?, _ add: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var start = 0
        var next = indexNeedingCareInHTML(from: 0)
        while let index = next {
            next = indexNeedingCareInHTML(from: index + 1)
            let replacement: StaticString? =
                switch self[index] {
                case UInt8(ascii: "&"): "&amp;"
                case UInt8(ascii: "<"): "&lt;"
                case UInt8(ascii: ">"): "&gt;"
                case UInt8(ascii: "\""): "&quot;"
                case UInt8(ascii: "'"): "&#39;"
                case let byte: control(byte)
                }
            guard let replacement else { continue }
            add(UnsafeBufferPointer(rebasing: self[start..<index]))
            replacement.withUTF8Buffer(add)
            start = index + 1
        }
        add(UnsafeBufferPointer(rebasing: self[start...]))
    }

    /// Returns the index of the next byte that must be escaped in HTML: `&<>"'` and the control characters except tab and
    /// line feed; nil if there is none.
    @usableFromInline package func indexNeedingCareInHTML(from start: Int) -> Int? {
        var start = start
        while let index = firstIndex(
            from: start,
            where: {
                // `&` and `'` differ in one bit, and so do `<` and `>`.
                let apostrophes = ($0 | .all(1)) .== .all(UInt8(ascii: "'"))
                let brackets = ($0 | .all(2)) .== .all(UInt8(ascii: ">"))
                return apostrophes .| brackets .| ($0 .== .all(UInt8(ascii: "\""))) .| ($0 .< .all(0x20))
                    .| ($0 .== .all(0x7F))
            })
        {
            if self[index] != UInt8(ascii: "\t"), self[index] != UInt8(ascii: "\n") { return index }
            start = index + 1
        }
        return nil
    }
}

import Text

/// Takes the markup out of a short piece of Markdown or HTML. It need not be exact, only readable and quick.
package enum PlainText {
    /// The text without tags, entities and, where it is Markdown, without the marks of emphasis, code, links and
    /// pictures. Runs of space become one.
    package static func strip(_ text: [UInt8], markdown: Bool) -> String {
        var stripper = Stripper(markdown: markdown)
        stripper.strip(text[...], depth: 0)
        return String(decoding: stripper.output.trimmed, as: UTF8.self)
    }

    /// The inside of the first element of a name; nil where there is none.
    package static func firstElement(_ name: String, in html: String) -> Substring? {
        guard let open = range(of: "<" + name, in: html[...], wholeName: true),
            let start = html[open.upperBound...].firstIndex(of: ">")
        else { return nil }
        let inside = html[html.index(after: start)...]
        let end = range(of: "</" + name, in: inside, wholeName: true)?.lowerBound
        return inside[..<(end ?? inside.endIndex)]
    }

    /// Where ASCII letters in lower case stand in a text, in any case; with no letter or digit after them.
    private static func range(of name: String, in text: Substring, wholeName: Bool) -> Range<String.Index>? {
        let name = Array(name.utf8)
        var index = text.utf8.startIndex
        while let start = text.utf8[index...].firstIndex(of: name[0]) {
            let rest = text.utf8[start...]
            let candidate = rest.prefix(name.count)
            if candidate.count == name.count, zip(candidate, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
                text.utf8[candidate.endIndex...].first.map({ !isAlphanumeric($0) }) ?? true
            {
                return start..<candidate.endIndex
            }
            index = text.utf8.index(after: start)
        }
        return nil
    }

    private struct Stripper {
        let markdown: Bool
        var output: [UInt8] = []
        /// Once a bracket was found open to the end, none is looked for: input of brackets alone must not cost its
        /// square.
        private var bracketsClose = true

        init(markdown: Bool) { self.markdown = markdown }

        mutating func strip(_ bytes: ArraySlice<UInt8>, depth: Int) {
            var index = bytes.startIndex
            while index < bytes.endIndex {
                let byte = bytes[index]
                switch byte {
                case ...0x20:
                    if let last = output.last, last != 0x20 { output.append(0x20) }
                    index += 1
                case ascii("<"):
                    index = tag(bytes, index)
                case ascii("&"):
                    index = entity(bytes, index)
                case ascii("\\") where markdown && index + 1 < bytes.endIndex && isPunctuation(bytes[index + 1]):
                    output.append(bytes[index + 1])
                    index += 2
                case ascii("`") where markdown:
                    index += 1
                case ascii("*") where markdown, ascii("~") where markdown, ascii("_") where markdown:
                    let before = index > bytes.startIndex ? bytes[index - 1] : 0x20
                    let after = index + 1 < bytes.endIndex ? bytes[index + 1] : 0x20
                    let alone = before <= 0x20 && after <= 0x20
                    let inWord = byte != ascii("*") && isAlphanumeric(before) && isAlphanumeric(after)
                    let isTilde = byte == ascii("~") && before != byte && after != byte
                    if alone || inWord || isTilde { output.append(byte) }
                    index += 1
                case ascii("!") where markdown && index + 1 < bytes.endIndex && bytes[index + 1] == ascii("["):
                    index = link(bytes, index + 1, depth: depth, keepsText: false)
                case ascii("[") where markdown:
                    let isNote = index + 1 < bytes.endIndex && bytes[index + 1] == ascii("^")
                    index = link(bytes, index, depth: depth, keepsText: !isNote)
                default:
                    output.append(byte)
                    index += 1
                }
            }
        }

        /// Past a tag or comment, which leave nothing; a bare `<` and an address in `<>` stay.
        private mutating func tag(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
            let next = start + 1 < bytes.endIndex ? bytes[start + 1] : 0x20
            guard isAlphanumeric(next) || next == ascii("/") || next == ascii("!"),
                let end = bytes[start...].firstIndex(of: ascii(">"))
            else {
                output.append(ascii("<"))
                return start + 1
            }
            let inside = bytes[start + 1..<end]
            if inside.starts(with: "http".utf8) || inside.starts(with: "mailto:".utf8) { output += inside }
            if inside.starts(with: "!--".utf8) {
                var close = end
                while !bytes[start + 4..<close + 1].suffix(3).elementsEqual("-->".utf8) {
                    guard let next = bytes[(close + 1)...].firstIndex(of: ascii(">")) else { return bytes.endIndex }
                    close = next
                }
                return close + 1
            }
            return end + 1
        }

        private mutating func entity(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
            guard let end = bytes[start...].prefix(12).firstIndex(of: ascii(";")),
                let scalar = CharacterReference.scalar(String(decoding: bytes[start...end], as: UTF8.self))
            else {
                output.append(ascii("&"))
                return start + 1
            }
            if scalar.value <= 0x20 || scalar.value == 0xA0 {
                if let last = output.last, last != 0x20 { output.append(0x20) }
            } else {
                output.append(contentsOf: String(scalar).utf8)
            }
            return end + 1
        }

        /// Past `[text](address)`, `[text][name]` or `[text]`, of which the text may stay.
        private mutating func link(
            _ bytes: ArraySlice<UInt8>, _ start: Int, depth: Int, keepsText: Bool
        ) -> Int {
            guard bracketsClose, depth < 8, let end = closing(bytes, start, ascii("["), ascii("]")) else {
                output.append(ascii("["))
                return start + 1
            }
            var past = end + 1
            var isLink = false
            if past < bytes.endIndex, bytes[past] == ascii("("),
                let close = closing(bytes, past, ascii("("), ascii(")"))
            {
                past = close + 1
                isLink = true
            } else if past < bytes.endIndex, bytes[past] == ascii("["),
                let close = closing(bytes, past, ascii("["), ascii("]"))
            {
                past = close + 1
                isLink = true
            }
            guard keepsText else { return past }
            if !isLink { output.append(ascii("[")) }
            strip(bytes[start + 1..<end], depth: depth + 1)
            if !isLink { output.append(ascii("]")) }
            return past
        }

        private mutating func closing(
            _ bytes: ArraySlice<UInt8>, _ start: Int, _ open: UInt8, _ close: UInt8
        ) -> Int? {
            var depth = 0
            for index in start..<bytes.endIndex {
                if bytes[index] == open { depth += 1 }
                if bytes[index] == close {
                    depth -= 1
                    if depth == 0 { return index }
                }
            }
            bracketsClose = false
            return nil
        }
    }

    private static func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !isAlphanumeric(byte)
    }
}

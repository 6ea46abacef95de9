import ArticleStore
import Markup
import Text

/// Repairs the most frequent errors in real XML before a strict parser reads it.
///
/// - A bare `&`, and one before an undeclared name, becomes text. A name of HTML (`&nbsp;`, `&mdash;`) is replaced by
///   its character. Other entities are not resolved: their declarations are removed with the document type, so that no
///   entity can expand or include a file.
/// - Control characters, and references to them, become spaces. Numeric references from 128 to 159 are taken as
///   windows-1252, as in HTML.
/// - Invalid UTF-8 becomes U+FFFD, and its position is recorded.
/// - A bare `<`, and a `]]>` outside of a CDATA section, become text. So do `<` and `"` in an attribute value, unless
///   the end of the value is missing.
/// - Of two attributes with the same name, the first is kept. An attribute without a value gets an empty value, and a
///   value without quotation marks gets them.
/// - HTML elements without end tags are closed with the element around them, and unmatched end tags are removed.
/// - Comments, processing instructions, and the XML declaration are removed everywhere.
///
/// The text arrives in pieces. Line feeds are kept, so that lines can be counted afterwards.
struct XMLRepairer {
    private enum Place: Equatable {
        case text
        case tag(Tag)
        case section
        case comment
        case instruction
        case declaration(Declaration)
    }

    /// The position in `<name attribute="value">`.
    private struct Tag: Equatable {
        enum Part: Equatable {
            case element
            case between
            case name
            case afterName
            case beforeValue
            /// In a value that ends with this quotation mark; 0 for a value without quotation marks.
            case value(UInt8)
        }
        var part = Part.element
        var element: [UInt8] = []
        /// The name of the current attribute, and the names before it.
        var name: [UInt8] = []
        var names: [[UInt8]] = []
        var isTwice = false
        /// Whether the last byte was a slash, which together with `>` closes the element.
        var endsElement = false
    }

    /// An element that is open.
    private struct Element {
        /// The name as it is written.
        let name: [UInt8]
        let key: [UInt8]
        let isClosable: Bool

        init(_ name: [UInt8]) {
            self.name = name
            key = XMLRepairer.lowercase(name)
            isClosable = XMLRepairer.closable.contains(key)
        }
    }

    private var open: [Element] = []
    /// The end, in the input, of a value in which `<` is text.
    private var endOfBareText = 0

    /// The position in `<!DOCTYPE … [ … ] >`.
    private struct Declaration: Equatable {
        var quote: UInt8 = 0
        var isInSubset = false
        var isInComment = false
    }

    /// The maximum length of the start of a tag that is held back. Names are shorter, and attributes may be split.
    private static let longestHeld = 512

    private var place = Place.text
    /// The start of a tag that is held back for the next piece, so that no tag name is split.
    private var held: [UInt8] = []
    private var heldInvalid: [Int] = []
    private var references = HTMLReferences()

    /// The repaired text of the last piece.
    private(set) var output: [UInt8] = []
    /// The positions in ``output`` of substitutes for invalid UTF-8.
    private(set) var invalid: [Int] = []

    /// Repairs a piece.
    ///
    /// - Parameter isLast: whether it is the last piece.
    /// - Returns: the number of bytes that were processed. The rest must be passed again with more input.
    mutating func repair(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
        output.removeAll(keepingCapacity: true)
        output.reserveCapacity(input.count + input.count / 8)
        output += held
        invalid = heldInvalid
        defer { separateIncompleteEnd(isLast: isLast) }
        var index = 0
        while index < input.count {
            let next: Int?
            switch place {
            case .text: next = text(input, index, isLast)
            case .tag(let tag): next = self.tag(input, index, tag, isLast)
            case .section: next = section(input, index, isLast)
            case .comment: next = leaveOut(input, index, through: "-->", isLast)
            case .instruction: next = leaveOut(input, index, through: "?>", isLast)
            case .declaration(let declaration): next = leaveOut(input, index, declaration, isLast)
            }
            guard let next else { break }
            index = next
        }
        return index
    }

    private mutating func separateIncompleteEnd(isLast: Bool) {
        held.removeAll(keepingCapacity: true)
        heldInvalid.removeAll(keepingCapacity: true)
        let tail = output.suffix(Self.longestHeld)
        guard !isLast, let start = tail.lastIndex(of: UInt8(ascii: "<")), !tail[start...].contains(UInt8(ascii: ">"))
        else { return }
        held += tail[start...]
        while let last = invalid.last, last >= start { heldInvalid.insert(invalid.removeLast() - start, at: 0) }
        output.removeSubrange(start...)
    }

    // MARK: - Text and tags

    /// Returns the end of the text; nil if more input is needed.
    private mutating func text(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        var index = start
        while index < input.count {
            let end = Self.endOfRun(input, index, stops: 1)
            append(input, index..<end)
            index = end
            guard index < input.count else { break }
            let next: Int?
            switch input[index] {
            case UInt8(ascii: "<"):
                next = markup(input, index, isLast)
                if let next, place != .text { return next }
            case UInt8(ascii: "&"): next = reference(input, index, isLast)
            case UInt8(ascii: "]"): next = bracket(input, index, isLast)
            default: next = character(input, index, isLast)
            }
            guard let next else { return index == start ? nil : index }
            index = next
        }
        return index
    }

    private mutating func markup(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        let rest = UnsafeBufferPointer(rebasing: input[start...])
        guard rest.count >= 9 || isLast else { return nil }
        let next = rest.count > 1 ? rest[1] : 0
        switch next {
        case UInt8(ascii: "!"):
            if rest.starts(with: "<!--".utf8) {
                place = .comment
                return start + 4
            }
            if rest.starts(with: "<![CDATA[".utf8) {
                place = .section
                append("<![CDATA[")
                return start + 9
            }
            if rest.count > 2, Self.isLetter(rest[2]) {
                place = .declaration(Declaration())
                return start + 2
            }
            append("&lt;")
        case UInt8(ascii: "?"):
            place = .instruction
            return start + 2
        case UInt8(ascii: "/"):
            guard rest.count > 2, Self.isStartOfName(rest[2]) else { return bare(start) }
            return end(input, start, isLast)
        default:
            guard Self.isStartOfName(next) else { return bare(start) }
            append("<")
            place = .tag(Tag())
        }
        return start + 1
    }

    private mutating func bare(_ start: Int) -> Int {
        append("&lt;")
        return start + 1
    }

    /// Handles an end tag. Open HTML elements inside the element are closed. An unmatched end tag of an HTML element is
    /// removed.
    private mutating func end(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        let rest = input[(start + 2)...].prefix(Self.longestHeld)
        guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
            guard isLast || rest.count == Self.longestHeld else { return nil }
            append("</")
            return start + 2
        }
        let element = Element(Array(rest[..<close].prefix { $0 > 0x20 }))
        let last = open.suffix(Self.searchedElements)
        guard let found = last.lastIndex(where: { $0.key == element.key && ($0.isClosable || $0.name == element.name) })
        else {
            if !element.isClosable && !Self.voids.contains(element.key) { append(input, start..<close + 1) }
            return close + 1
        }
        if open[(found + 1)...].allSatisfy(\.isClosable) {
            for inside in open[(found + 1)...].reversed() { append(endOf: inside) }
        }
        append(endOf: open[found])
        open.removeSubrange(found...)
        return close + 1
    }

    private mutating func append(endOf element: Element) {
        append("</")
        output += element.name
        append(">")
    }

    // MARK: - Start tags

    private mutating func tag(
        _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ begun: Tag, _ isLast: Bool
    ) -> Int? {
        var tag = begun
        var index = start
        endOfBareText = 0
        while index < input.count {
            let byte = input[index]
            let isSpace = byte <= 0x20
            let isEnd = byte == UInt8(ascii: ">")
            switch tag.part {
            case .element:
                if isSpace || isEnd || byte == UInt8(ascii: "/") {
                    tag.part = .between
                    continue
                }
                tag.element.append(byte)
                output.append(byte)
            case .between:
                if isEnd {
                    close(tag)
                    return index + 1
                }
                if byte == UInt8(ascii: "<") {
                    // The tag is not closed. The strict parser reports it.
                    place = .text
                    return index
                }
                tag.endsElement = byte == UInt8(ascii: "/")
                if isSpace {
                    output.append(byte)
                } else if Self.isStartOfName(byte) {
                    tag.name = [byte]
                    tag.part = .name
                }
            case .name:
                if isSpace || isEnd || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") {
                    tag.isTwice = tag.names.contains(tag.name)
                    if tag.names.count < Self.comparedNames { tag.names.append(tag.name) }
                    tag.part = .afterName
                    continue
                }
                tag.name.append(byte)
            case .afterName:
                if byte == UInt8(ascii: "=") {
                    tag.part = .beforeValue
                } else if !isSpace {
                    beginValue(tag)
                    endValue(&tag)
                    continue
                }
            case .beforeValue:
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    beginValue(tag)
                    tag.part = .value(byte)
                } else if isEnd {
                    beginValue(tag)
                    endValue(&tag)
                    continue
                } else if !isSpace {
                    beginValue(tag)
                    tag.part = .value(0)
                    continue
                }
            case .value(0):
                if isSpace || isEnd {
                    endValue(&tag)
                    continue
                }
                guard let next = valueByte(input, index, tag, isLast) else { return pause(tag, index, start) }
                index = next
                continue
            case .value(let quote):
                if byte == quote {
                    switch Self.isEndOfValue(input, index + 1, isLast) {
                    case nil: return pause(tag, index, start)
                    case true?: endValue(&tag)
                    case false?: if !tag.isTwice { append("&quot;") }
                    }
                } else {
                    if byte == UInt8(ascii: "<"), index >= endOfBareText {
                        guard let end = Self.endOfBareText(input, index, quote, isLast) else {
                            return pause(tag, index, start)
                        }
                        guard end > 0 else {
                            place = .text
                            append("<")
                            return index + 1
                        }
                        endOfBareText = end
                    }
                    guard let next = valueByte(input, index, tag, isLast) else { return pause(tag, index, start) }
                    index = next
                    continue
                }
            }
            index += 1
        }
        place = .tag(tag)
        return index
    }

    /// Stops inside a tag to wait for more input.
    private mutating func pause(_ tag: Tag, _ index: Int, _ start: Int) -> Int? {
        place = .tag(tag)
        return index == start ? nil : index
    }

    private mutating func beginValue(_ tag: Tag) {
        guard !tag.isTwice else { return }
        if let last = output.last, last > 0x20 { output.append(0x20) }
        output += tag.name
        append("=\"")
    }

    private mutating func endValue(_ tag: inout Tag) {
        if !tag.isTwice { append("\"") }
        tag.part = .between
        tag.endsElement = false
    }

    private mutating func close(_ tag: Tag) {
        place = .text
        let element = Element(tag.element)
        if tag.endsElement || Self.voids.contains(element.key) { return append("/>") }
        append(">")
        open.append(element)
        // End tags are matched only with the last of these elements.
        if open.count > 16 * Self.searchedElements { open.removeFirst(8 * Self.searchedElements) }
    }

    private mutating func valueByte(
        _ input: UnsafeBufferPointer<UInt8>, _ index: Int, _ tag: Tag, _ isLast: Bool
    ) -> Int? {
        let count = output.count
        defer { if tag.isTwice { output.removeSubrange(count...) } }
        switch input[index] {
        case UInt8(ascii: "<"): append("&lt;")
        case UInt8(ascii: "\""): append("&quot;")
        case UInt8(ascii: "&"): return reference(input, index, isLast)
        case 0x09, 0x0A, 0x0D, 0x20..<0x80: output.append(input[index])
        default: return character(input, index, isLast)
        }
        return index + 1
    }

    /// Whether a quotation mark before a position ends the value: the tag ends, or another attribute begins. Nil if
    /// more input is needed.
    private static func isEndOfValue(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Bool? {
        let rest = input[start...].prefix(longestHeld)
        let isWhole = isLast || rest.count == longestHeld
        let after = rest.drop { $0 <= 0x20 }
        guard let first = after.first else { return isWhole ? true : nil }
        if first == UInt8(ascii: ">") || first == UInt8(ascii: "/") { return true }
        guard isStartOfName(first) else { return false }
        let behind = after.drop { isStartOfName($0) || (0x2D...0x3A).contains($0) && $0 != UInt8(ascii: "/") }
            .drop { $0 <= 0x20 }
        guard let next = behind.first else { return isWhole ? false : nil }
        if next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return after.startIndex > start }
        guard next == UInt8(ascii: "=") else { return false }
        if after.startIndex > start { return true }
        let value = behind.dropFirst().drop { $0 <= 0x20 }
        guard let quote = value.first else { return isWhole ? false : nil }
        return quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    }

    /// Returns the end of the value if a `<` in it is text, because the next quotation mark ends the value instead of
    /// starting another; else 0. Nil if more input is needed.
    private static func endOfBareText(
        _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ quote: UInt8, _ isLast: Bool
    ) -> Int? {
        let rest = input[start...].prefix(longestValue)
        guard let end = rest.firstIndex(of: quote) else { return isLast || rest.count == longestValue ? 0 : nil }
        return input[start..<end].last { $0 > 0x20 } == UInt8(ascii: "=") ? 0 : end
    }

    /// The maximum distance from a `<` in a value at which the end of the value is searched.
    private static let longestValue = 1 << 13
    private static let comparedNames = 64
    private static let searchedElements = 128

    private static func lowercase(_ name: [UInt8]) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Void elements of HTML that are often written without a slash.
    private static let voids: Set<[UInt8]> = Set(["br", "hr", "img", "wbr"].map { Array($0.utf8) })

    /// Elements of HTML that feeds and OPML do not use with another meaning.
    private static let closable: Set<[UInt8]> = Set(
        [
            "a", "abbr", "b", "bdi", "bdo", "big", "blockquote", "center", "cite", "code", "dd", "del", "details",
            "div",
            "dl", "dt", "em", "figcaption", "figure", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "iframe", "ins",
            "kbd", "li", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "table",
            "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var",
        ].map { Array($0.utf8) })

    private mutating func reference(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        let rest = UnsafeBufferPointer(rebasing: input[start...])
        var end = 1
        while end < rest.count, end < HTMLReferences.longest, Self.isPartOfReference(rest[end]) { end += 1 }
        guard end < rest.count || isLast || end == HTMLReferences.longest else { return nil }
        guard end < rest.count, rest[end] == UInt8(ascii: ";"), end > 1 else {
            append("&amp;")
            return start + 1
        }
        let name = UnsafeBufferPointer(rebasing: rest[1..<end])
        if name[0] == UInt8(ascii: "#") {
            guard let text = HTMLReferences.xml(ofDigits: name.dropFirst()) else {
                append("&amp;")
                return start + 1
            }
            append(text)
        } else if Self.predefined.contains(where: { name.elementsEqual($0.utf8) }) {
            append(input, start..<start + end + 1)
        } else if let text = references.text(of: name) {
            append(XMLText.escapedForHTML(text))
        } else {
            append("&amp;")
            return start + 1
        }
        return start + end + 1
    }

    /// Handles a bracket, which must be escaped if it begins `]]>`.
    private mutating func bracket(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        let rest = input[start...].prefix(3)
        guard rest.count == 3 || isLast else { return nil }
        guard rest.elementsEqual("]]>".utf8) else {
            output.append(input[start])
            return start + 1
        }
        append("]]&gt;")
        return start + 3
    }

    // MARK: - Sections of CDATA

    private mutating func section(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        var index = start
        while index < input.count {
            let end = Self.endOfRun(input, index, stops: 3)
            append(input, index..<end)
            index = end
            guard index < input.count else { break }
            if input[index] == UInt8(ascii: "]") {
                let rest = input[index...].prefix(3)
                guard rest.count == 3 || isLast else { return index == start ? nil : index }
                if rest.elementsEqual("]]>".utf8) {
                    append("]]>")
                    place = .text
                    return index + 3
                }
                output.append(input[index])
                index += 1
            } else {
                guard let next = character(input, index, isLast) else { return index == start ? nil : index }
                index = next
            }
        }
        return index
    }

    // MARK: - What is left out

    private mutating func leaveOut(
        _ input: UnsafeBufferPointer<UInt8>, _ start: Int, through end: StaticString, _ isLast: Bool
    ) -> Int? {
        let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        guard let first = end.first else { return start }
        var index = start
        while index < input.count {
            if input[index] == 0x0A { output.append(0x0A) }
            if input[index] == first {
                let rest = input[index...].prefix(end.count)
                guard rest.count == end.count || isLast else { return index == start ? nil : index }
                if rest.elementsEqual(end) {
                    place = .text
                    return index + end.count
                }
            }
            index += 1
        }
        return index
    }

    private mutating func leaveOut(
        _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ declaration: Declaration, _ isLast: Bool
    ) -> Int? {
        var declaration = declaration
        var index = start
        while index < input.count {
            let byte = input[index]
            if byte == 0x0A { output.append(0x0A) }
            index += 1
            if declaration.isInComment {
                guard byte == UInt8(ascii: "-") else { continue }
                let rest = input[(index - 1)...].prefix(3)
                guard rest.count == 3 || isLast else {
                    place = .declaration(declaration)
                    return index - 1 == start ? nil : index - 1
                }
                declaration.isInComment = !rest.elementsEqual("-->".utf8)
            } else if declaration.quote != 0 {
                if byte == declaration.quote { declaration.quote = 0 }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): declaration.quote = byte
                case UInt8(ascii: "["): declaration.isInSubset = true
                case UInt8(ascii: "]"): declaration.isInSubset = false
                case UInt8(ascii: "<"):
                    let rest = input[(index - 1)...].prefix(4)
                    guard rest.count == 4 || isLast else {
                        place = .declaration(declaration)
                        return index - 1 == start ? nil : index - 1
                    }
                    if rest.elementsEqual("<!--".utf8) {
                        declaration.isInComment = true
                        index += 3
                    }
                case UInt8(ascii: ">") where !declaration.isInSubset:
                    place = .text
                    return index
                default: break
                }
            }
        }
        place = .declaration(declaration)
        return index
    }

    // MARK: - Characters

    /// Returns the end of the characters that need no repair.
    ///
    /// - Parameter stops: the lowest of the ``kinds`` that stop the run.
    private static func endOfRun(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, stops: UInt8) -> Int {
        var index = start
        while index < input.count {
            if kinds[Int(input[index])] < stops {
                index += 1
            } else if input[index] >= 0x80,
                case .whole(let length, isCharacter: true) = UTF8Sequence(input[index...].prefix(4))
            {
                index += length
            } else {
                break
            }
        }
        return index
    }

    /// Handles a character outside of ASCII, or a control character.
    private mutating func character(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Int? {
        switch UTF8Sequence(input[start...].prefix(4)) {
        case .whole(let length, let isCharacter):
            if isCharacter { append(input, start..<start + length) } else { output.append(0x20) }
            return start + length
        case .cut(let length) where isLast, .wrong(let length):
            invalid.append(output.count)
            append("\u{FFFD}")
            return start + length
        case .cut: return nil
        }
    }

    private mutating func append(_ input: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: input[range]))
    }

    private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

    private static let predefined = ["lt", "gt", "amp", "quot", "apos"]

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isStartOfName(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
    }

    private static func isPartOfReference(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "#")
    }

    /// The kinds of bytes: 0 for ordinary bytes; 1 for `<` and 2 for `&`, which are ordinary in CDATA sections; 3 for
    /// `]`; 4 for control characters and bytes outside of ASCII.
    private static let kinds: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "<"): 1
        case UInt8(ascii: "&"): 2
        case UInt8(ascii: "]"): 3
        case 0x09, 0x0A, 0x0D: 0
        case 0..<0x20, 0x80...: 4
        default: 0
        }
    }
}

/// Decodes HTML character references in XML that does not declare them.
struct HTMLReferences {
    /// The maximum length of a name.
    static let longest = 32
    /// The maximum number of unknown names that are remembered. It bounds the memory for malicious input.
    private static let limit = 4096

    private var known: [String: String?] = [:]

    /// Returns the text of a name in HTML; nil if the name is unknown.
    mutating func text(of name: UnsafeBufferPointer<UInt8>) -> String? {
        let name = String(decoding: name, as: UTF8.self)
        if let text = known[name] { return text }
        // Decode it in the middle of a word, where an HTML parser keeps white space.
        let text = MarkupDocument(html: "<p>x&\(name);x</p>").blocks.text.dropFirst().dropLast()
        let isKnown = !text.isEmpty && text != "&\(name);"
        let result = isKnown ? String(text) : nil
        if known.count < Self.limit { known[name] = .some(result) }
        return result
    }

    /// Returns a text with all references decoded.
    mutating func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = ""
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += Substring(rest[..<start])
            rest = rest[start...].dropFirst()
            let name = rest.prefix(Self.longest).prefix { $0 != UInt8(ascii: ";") }
            guard rest[name.endIndex...].first == UInt8(ascii: ";"), let stands = self.text(ofReference: name) else {
                decoded += "&"
                continue
            }
            decoded += stands
            rest = rest[name.endIndex...].dropFirst()
        }
        return decoded + Substring(rest)
    }

    private mutating func text(ofReference name: Substring.UTF8View) -> String? {
        guard name.first == UInt8(ascii: "#") else {
            guard !name.isEmpty, name.allSatisfy({ Self.isDigit($0) || (0x61...0x7A).contains($0 | 0x20) }) else {
                return nil
            }
            return Array(name).withUnsafeBufferPointer { text(of: $0) }
        }
        guard let reference = Self.xml(ofDigits: name.dropFirst()) else { return nil }
        guard reference.hasPrefix("&#") else { return reference }
        return UInt32(reference.dropFirst(2).dropLast()).flatMap(Unicode.Scalar.init).map { String($0) }
    }

    /// Returns the XML for a numeric reference, given without its `#`; nil if it is not a number.
    static func xml(ofDigits digits: some Collection<UInt8>) -> String? {
        let text = String(decoding: digits, as: UTF8.self)
        let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
        let number = isHexadecimal ? text.dropFirst() : text[...]
        guard !number.isEmpty, number.utf8.allSatisfy({ isDigit($0) || isHexadecimal && isLetterDigit($0) }) else {
            return nil
        }
        let value = UInt32(number, radix: isHexadecimal ? 16 : 10) ?? .max
        switch value {
        case 0x09, 0x0A, 0x0D: return "&#\(value);"
        case 0..<0x20: return " "
        // The "numeric character reference end state" in the HTML standard.
        case 0x80...0x9F: return String(Windows1252.scalar(of: UInt8(value)))
        case 0xFFFE, 0xFFFF: return "\u{FFFD}"
        default: return Unicode.Scalar(value) == nil ? "\u{FFFD}" : "&#\(value);"
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetterDigit(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte | 0x20) }
}

/// Mends the faults that XML of the real world has most often, before a strict parser sees it.
///
/// - A bare `&`, and one before a name that nobody declared, becomes text; a name of HTML (`&nbsp;`, `&mdash;`) what it
///   stands for. No other entity is resolved: declarations of them are left out with the rest of the document type, so that
///   none can grow and none can bring a file in.
/// - Control characters, and references to such, become spaces; references of HTML to the characters 128 to 159 mean
///   what windows-1252 has there.
/// - Bytes that are not UTF-8 become U+FFFD, and it is noted where.
/// - A bare `<`, and a `]]>` outside of a section of CDATA, become text.
/// - Comments, processing instructions and the XML declaration are left out, wherever they stand.
///
/// The text comes in pieces. Line feeds stay what they are, so that lines can be counted afterwards.
struct XMLMender {
    private enum Place: Equatable {
        case text
        case section
        case comment
        case instruction
        case declaration(Declaration)
    }

    /// Where in `<!DOCTYPE … [ … ] >` it stands.
    private struct Declaration: Equatable {
        var quote: UInt8 = 0
        var isInSubset = false
        var isInComment = false
    }

    /// How long the start of a tag may be that is held back. Names are shorter, and attributes may be cut.
    private static let longestHeld = 512

    private var place = Place.text
    /// The start of a tag that comes with the next piece, so that tags are found where they begin.
    private var held: [UInt8] = []
    private var heldInvalid: [Int] = []
    private var references = HTMLReferences()

    /// The mended text, until the next piece is taken.
    private(set) var output: [UInt8] = []
    /// Where in ``output`` something stands for bytes that were not UTF-8.
    private(set) var invalid: [Int] = []

    /// Takes a piece.
    /// - Parameter isLast: whether nothing comes after it.
    /// - Returns: how many bytes were taken. The rest is to be given again, with more after it.
    mutating func take(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
        output.removeAll(keepingCapacity: true)
        output.reserveCapacity(input.count + input.count / 8)
        output += held
        invalid = heldInvalid
        defer { hold(isLast: isLast) }
        var index = 0
        while index < input.count {
            let next: Int?
            switch place {
            case .text: next = text(input, index, isLast)
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

    private mutating func hold(isLast: Bool) {
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

    /// Up to where something else than text begins; nil where more must be seen first.
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
            append(rest.count > 2 && Self.isStartOfName(rest[2]) ? "<" : "&lt;")
        default:
            append(Self.isStartOfName(next) ? "<" : "&lt;")
        }
        return start + 1
    }

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
            append(XMLElement.escaped(text))
        } else {
            append("&amp;")
            return start + 1
        }
        return start + end + 1
    }

    /// A bracket, which in `]]>` would be wrong here.
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

    /// Where the characters end that are fine as they are.
    /// - Parameter stops: the first of ``kinds`` that means something.
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

    /// A character that is none of ASCII, or a control character.
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

    /// 0 where a byte means nothing; 1 for `<` and 2 for `&`, which mean nothing in a section either; 3 for `]`; 4 for
    /// a control character and for what is no ASCII.
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

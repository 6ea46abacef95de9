internal import Markup
internal import Navigation
internal import Text

/// A piece of a page. Strings in a literal are escaped, so that text never becomes markup. Pieces and static strings,
/// which only the program contains, are inserted unchanged.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private var bytes: GrowingBytes

    /// Creates markup from a literal in the program. Only literals are markup.
    init(stringLiteral markup: StaticString) {
        bytes = GrowingBytes(capacity: markup.utf8CodeUnitCount)
        bytes.append(markup)
    }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Creates a piece from safe markup of another writer.
    init(safe markup: String) { bytes = GrowingBytes(Array(markup.utf8)) }

    /// The size in bytes.
    var size: Int { bytes.count }

    /// Returns the UTF-8.
    consuming func utf8() -> [UInt8] { bytes.array() }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: GrowingBytes

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes = GrowingBytes(capacity: literalCapacity + interpolationCount * 32)
        }

        mutating func appendLiteral(_ markup: StaticString) { bytes.append(markup) }

        mutating func appendInterpolation(_ words: some StringProtocol) { bytes.append(escaping: words) }

        /// A text that somebody has written, whose direction changes nothing around it.
        mutating func appendInterpolation(isolated words: some StringProtocol) {
            bytes.append("<bdi>")
            bytes.append(escaping: words)
            bytes.append("</bdi>")
        }

        /// A sentence that may quote such a text, without the characters that would reorder it.
        mutating func appendInterpolation(sentence words: String) {
            bytes.append(escaping: words.sanitized(keeping: .newline))
        }

        mutating func appendInterpolation(_ number: Int) { bytes.append(number) }

        mutating func appendInterpolation(_ markup: StaticString) { bytes.append(markup) }

        mutating func appendInterpolation(_ piece: HTML) { bytes.append(piece.bytes) }

        mutating func appendInterpolation(_ piece: HTML?) { if let piece { bytes.append(piece.bytes) } }

        /// Appends an attribute with a space before it; nothing if the value is nil.
        mutating func appendInterpolation(attribute name: StaticString, _ value: String?) {
            guard let value else { return }
            bytes.append(" ")
            bytes.append(name)
            bytes.append("=\"")
            bytes.append(escaping: value)
            bytes.append("\"")
        }

        mutating func appendInterpolation(_ pieces: some Sequence<HTML>) {
            for piece in pieces { bytes.append(piece.bytes) }
        }
    }

    /// Creates an empty piece to which many others are added.
    ///
    /// - Parameter capacity: the approximate size in bytes.
    init(capacity: Int) { bytes = GrowingBytes(capacity: capacity) }

    /// Removes all bytes, but keeps the memory.
    mutating func removeAll() { bytes.removeAll() }

    /// Adds markup from a literal in the program.
    mutating func add(_ markup: StaticString) { bytes.append(markup) }

    /// Escapes a text, and adds it.
    mutating func add(text: String) { bytes.append(escaping: text) }

    /// Adds the characters at the beginning of a text, up to a number of them.
    mutating func add(beginningOf text: String, upTo count: Int) {
        // Finding the ends of characters is slow. In ASCII each byte is one, except for CR LF. The next byte matters too: it
        // may combine with the last character.
        let isPlain = text.withBytes { text in
            var bits: UInt8 = 0
            for byte in UnsafeBufferPointer(rebasing: text.prefix(count + 1)) {
                bits |= byte | (byte == UInt8(ascii: "\r") ? 0x80 : 0)
            }
            let isPlain = bits < 0x80
            if isPlain { bytes.append(escaping: UnsafeBufferPointer(rebasing: text.prefix(count))) }
            return isPlain
        }
        if !isPlain { add(text: String(text.prefix(count))) }
    }

    /// Escapes a text in UTF-8, and adds it.
    mutating func add(text: UnsafeBufferPointer<UInt8>) { bytes.append(escaping: text) }

    /// Adds a word as the end of an address, percent-encoded, and as the text of its link. Percent-encoding leaves nothing to
    /// escape.
    mutating func addLinkEnd(_ word: String) {
        word.withBytes { word in
            let isPlain = RoutePath.isPlain(word)
            if isPlain { bytes.append(word) } else { RoutePath.encode(word) { bytes.append($0) } }
            bytes.append("\">")
            if isPlain { bytes.append(word) } else { bytes.append(escaping: word) }
        }
    }

    /// Adds a number.
    mutating func add(_ number: Int) { bytes.append(number) }

    /// Adds the UTF-8 of a text without characters that must be escaped.
    mutating func add(safe text: Slice<UnsafeBufferPointer<UInt8>>) {
        bytes.append(UnsafeBufferPointer(rebasing: text))
    }

    /// Adds the bytes in a range of another piece.
    mutating func add(_ range: Range<Int>, of other: HTML) { bytes.append(range, of: other.bytes) }

    /// Adds a text that somebody has written, whose direction changes nothing around it.
    mutating func add(isolated text: String) {
        add("<bdi>")
        add(text: text)
        add("</bdi>")
    }

    /// Adds a link, isolated like ``add(isolated:)``.
    mutating func addLink(_ words: String, to path: String) {
        add("<bdi><a href=\"")
        add(text: path)
        add("\">")
        add(text: words)
        add("</a></bdi>")
    }

    static func += (piece: inout HTML, other: HTML) { piece.bytes.append(other.bytes) }

    static func + (piece: HTML, other: HTML) -> HTML {
        var both = HTML(capacity: piece.size + other.size)
        both += piece
        both += other
        return both
    }
}

extension Sequence {
    /// Returns the pieces of all elements, concatenated.
    func html(_ piece: (Element) -> HTML) -> HTML {
        var all: HTML = ""
        for element in self { all += piece(element) }
        return all
    }
}

/// Bytes to which others are appended, with room at the end. A page consists of thousands of small pieces. Appending a
/// piece here is faster than appending it to an array.
private struct GrowingBytes: Sendable {
    /// The bytes, and unused room after them.
    private var room: [UInt8]
    private(set) var count: Int

    init(_ bytes: [UInt8]) { (room, count) = (bytes, bytes.count) }

    init(capacity: Int) {
        // `init(repeating:count:)` is not specialized, so it looks up the type of the array each time.
        room = Array(unsafeUninitializedCapacity: capacity) { room, size in
            room.initialize(repeating: 0)
            size = room.count
        }
        count = 0
    }

    mutating func removeAll() { count = 0 }

    consuming func array() -> [UInt8] {
        room.removeLast(room.count - count)
        return room
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        let end = count + bytes.count
        if end > room.count { grow(to: end) }
        room.withUnsafeMutableBytes { room in
            guard let base = room.baseAddress else { return }
            (base + count).copyMemory(from: start, byteCount: bytes.count)
        }
        count = end
    }

    private mutating func grow(to size: Int) {
        room += repeatElement(0, count: max(size, 2 * room.count) - room.count)
    }

    mutating func append(_ other: GrowingBytes) { append(0..<other.count, of: other) }

    mutating func append(_ range: Range<Int>, of other: GrowingBytes) {
        other.room.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    mutating func append(_ markup: StaticString) { markup.withUTF8Buffer { append($0) } }

    mutating func append(_ number: Int) {
        var digits = String(number)
        digits.withUTF8 { append($0) }
    }

    /// Appends a text escaped for elements and quoted attributes. Control characters are removed.
    mutating func append(escaping words: some StringProtocol) {
        words.withBytes { append(escaping: $0) }
    }

    mutating func append(escaping words: UnsafeBufferPointer<UInt8>) {
        words.escapedForHTML(control: { $0 == 0x7F ? nil : "" }) { append($0) }
    }
}

extension StringProtocol {
    /// Calls a function with the UTF-8. `withUTF8` needs a variable, and so a copy, which retains the text.
    fileprivate func withBytes<Result>(_ function: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(function) { return result }
        var copy = String(self)
        return copy.withUTF8(function)
    }
}

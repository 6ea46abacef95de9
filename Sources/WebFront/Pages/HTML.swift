internal import Markup
internal import Text

/// A piece of a page. Strings in a literal are escaped, so that text never becomes markup. Pieces are inserted
/// unchanged.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The bytes in UTF-8.
    private(set) var bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates markup from a literal in the program. Only literals are markup.
    init(stringLiteral markup: StaticString) {
        bytes = []
        bytes.append(markup)
    }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Creates a piece from safe markup of another writer.
    init(safe markup: String) { bytes = Array(markup.utf8) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 32)
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

        mutating func appendInterpolation(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

        mutating func appendInterpolation(_ piece: HTML) { bytes += piece.bytes }

        mutating func appendInterpolation(_ piece: HTML?) { if let piece { bytes += piece.bytes } }

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
            for piece in pieces { bytes += piece.bytes }
        }
    }

    /// Creates an empty piece to which many others are added.
    ///
    /// - Parameter capacity: the approximate size in bytes.
    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Adds markup from a literal in the program.
    mutating func add(_ markup: StaticString) { bytes.append(markup) }

    /// Adds an escaped text.
    mutating func add(text: String) { bytes.append(escaping: text) }

    /// Adds a text that somebody has written, whose direction changes nothing around it.
    mutating func add(isolated text: String) {
        add("<bdi>")
        add(text: text)
        add("</bdi>")
    }

    /// Adds a link, isolated like ``add(isolated:)``.
    ///
    /// - Parameters:
    ///   - path: the address, or its beginning.
    ///   - rest: the rest of the address, so that the caller need not concatenate the two.
    mutating func addLink(_ words: String, to path: String, _ rest: String = "") {
        add("<bdi><a href=\"")
        add(text: path)
        add(text: rest)
        add("\">")
        add(text: words)
        add("</a></bdi>")
    }

    static func += (piece: inout HTML, other: HTML) { piece.bytes += other.bytes }

    static func + (piece: HTML, other: HTML) -> HTML { HTML(bytes: piece.bytes + other.bytes) }
}

extension Sequence {
    /// Returns the pieces of all elements, concatenated.
    func html(_ piece: (Element) -> HTML) -> HTML {
        var all: HTML = ""
        for element in self { all += piece(element) }
        return all
    }
}

extension [UInt8] {
    /// Appends a text escaped for elements and quoted attributes. Control characters are removed.
    fileprivate mutating func append(escaping words: some StringProtocol) {
        append(escaping: String(words)) { $0 == 0x7F ? nil : "" }
    }
}

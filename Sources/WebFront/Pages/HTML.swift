internal import Markup

/// A piece of a page. Strings in a literal are escaped, so that text never becomes markup; pieces are inserted as
/// they are.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The bytes in UTF-8.
    private(set) var bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Only what is in the program itself is markup.
    init(stringLiteral markup: StaticString) {
        bytes = []
        bytes.append(markup)
    }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Markup that another writer has made safe.
    init(safe markup: String) { bytes = Array(markup.utf8) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        mutating func appendLiteral(_ markup: StaticString) { bytes.append(markup) }

        mutating func appendInterpolation(_ words: some StringProtocol) { bytes.append(escaping: words) }

        mutating func appendInterpolation(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

        mutating func appendInterpolation(_ piece: HTML) { bytes += piece.bytes }

        mutating func appendInterpolation(_ piece: HTML?) { if let piece { bytes += piece.bytes } }

        /// An attribute, with a space before it; nothing without a value.
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

    /// A piece to which many are added.
    ///
    /// - Parameter capacity: how many bytes it will take, roughly.
    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Adds markup, which only the program itself can hold.
    mutating func add(_ markup: StaticString) { bytes.append(markup) }

    /// Adds a text, escaped.
    mutating func add(text: String) { bytes.append(escaping: text) }

    /// Adds a link.
    ///
    /// - Parameters:
    ///   - path: where it leads, or the beginning of that.
    ///   - rest: what comes behind it, so that the two need not be put together first.
    mutating func addLink(_ words: String, to path: String, _ rest: String = "") {
        add("<a href=\"")
        add(text: path)
        add(text: rest)
        add("\">")
        add(text: words)
        add("</a>")
    }

    static func += (piece: inout HTML, other: HTML) { piece.bytes += other.bytes }

    static func + (piece: HTML, other: HTML) -> HTML { HTML(bytes: piece.bytes + other.bytes) }
}

extension Sequence {
    /// A piece for each, one behind the other.
    func html(_ piece: (Element) -> HTML) -> HTML {
        var all: HTML = ""
        for element in self { all += piece(element) }
        return all
    }
}

extension [UInt8] {
    /// Appends a text that is also safe within the quotes of an attribute. Control characters are left
    /// out.
    fileprivate mutating func append(escaping words: some StringProtocol) {
        append(escaping: String(words)) { $0 == 0x7F ? nil : "" }
    }
}

/// A piece of a page. What is put into a literal as a string is escaped, so that no text becomes markup; pieces are put in as
/// they are.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral markup: String) { text = markup }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Markup that another writer has made safe.
    init(safe markup: String) { text = markup }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ markup: String) { text += markup }

        mutating func appendInterpolation(_ words: some StringProtocol) { text.appendEscaped(words) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ piece: HTML) { text += piece.text }

        mutating func appendInterpolation(_ piece: HTML?) { if let piece { text += piece.text } }

        mutating func appendInterpolation(_ pieces: some Sequence<HTML>) { for piece in pieces { text += piece.text } }
    }

    static func += (piece: inout HTML, other: HTML) { piece.text += other.text }

    static func + (piece: HTML, other: HTML) -> HTML { HTML(safe: piece.text + other.text) }

    var isEmpty: Bool { text.isEmpty }
}

extension String {
    /// Adds a text so that it is text also within an attribute's quotes. Control characters have no place in a page and are left
    /// out.
    fileprivate mutating func appendEscaped(_ words: some StringProtocol) {
        var plain = true
        for byte in words.utf8 where byte <= UInt8(ascii: ">") {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
                ..<0x20:
                plain = false
            default: break
            }
            if !plain { break }
        }
        if plain { return append(contentsOf: words) }
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": self += "&amp;"
            case "<": self += "&lt;"
            case ">": self += "&gt;"
            case "\"": self += "&quot;"
            case "'": self += "&#39;"
            case "\t", "\n": unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20: break
            default: unicodeScalars.append(scalar)
            }
        }
    }
}

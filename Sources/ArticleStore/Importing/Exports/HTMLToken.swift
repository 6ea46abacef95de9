import Text

/// A piece of HTML that begins with `<`: a tag, a comment, or plain text.
struct HTMLToken {
    enum Kind: Equatable {
        /// A start tag, by its name in lower case.
        case start(String)
        case end(String)
        /// A comment, declaration, or processing instruction, all of which are invisible.
        case comment
        case text
    }

    let kind: Kind
    /// The end of the token.
    let end: Int
    /// Whether the input ended before the token.
    let isCut: Bool

    /// - Parameter start: the position of `<`.
    init(_ html: UnsafeBufferPointer<UInt8>, at start: Int) {
        let rest = html[start...].dropFirst()
        let isEnd = rest.first == UInt8(ascii: "/")
        if rest.starts(with: "!--".utf8) {
            let close = html.firstIndex(of: "-->", from: start + 4)
            (kind, end, isCut) = (.comment, close.map { $0 + 3 } ?? html.endIndex, close == nil)
        } else if let first = (isEnd ? rest.dropFirst() : rest).first, (0x61...0x7A).contains(first | 0x20) {
            let name = Self.name(rest.dropFirst(isEnd ? 1 : 0))
            let close = Self.endOfTag(rest)
            (kind, end, isCut) = (isEnd ? .end(name) : .start(name), close ?? html.endIndex, close == nil)
        } else if let first = rest.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "?") || isEnd {
            let close = rest.firstIndex(of: UInt8(ascii: ">"))
            (kind, end, isCut) = (.comment, close.map { $0 + 1 } ?? html.endIndex, close == nil)
        } else {
            (kind, end, isCut) = (.text, start + 1, rest.isEmpty)
        }
    }

    /// Returns the end of an element with raw text, including its end tag.
    static func end(of name: String, in html: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while let open = html.firstIndex(of: "</", from: index) {
            let tag = html[open...].dropFirst()
            if Self.name(tag.dropFirst()) == name { return endOfTag(tag) ?? html.endIndex }
            index = open + 2
        }
        return html.endIndex
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func name(_ bytes: Bytes) -> String {
        let name = bytes.prefix(32).prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns the position after the `>` outside of quotation marks; nil if there is none.
    private static func endOfTag(_ bytes: Bytes) -> Int? {
        var quote: UInt8?
        var last: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            if byte > 0x20 { last = byte }
        }
        return nil
    }
}

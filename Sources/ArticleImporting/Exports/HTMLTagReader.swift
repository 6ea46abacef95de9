import ArticleStore
import Text

/// Reads HTML tag by tag, however large the document is. It does not add missing end tags.
struct HTMLTagReader {
    enum Token {
        /// A start tag: the name in lower case, the attributes, and the line on which it begins.
        case start(String, [HTMLAttribute], line: Int)
        case end(String)
        /// The text between two tags, with undecoded character references.
        case text([UInt8])
    }

    private let bytes: ByteReader
    private let limit: Int
    private var line = 1

    /// - Parameter limit: the maximum number of bytes of a tag or a text.
    init(_ bytes: ByteReader, limit: Int) throws {
        self.bytes = bytes
        self.limit = limit
        try bytes.dropByteOrderMark()
    }

    /// Reads the next tag or text. Comments and declarations are skipped.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RecordError` if a tag or a text is over the limit, after which the next can be read; the errors of
    ///   reading.
    mutating func next() throws -> Token? {
        while true {
            if bytes.count == 0, try !bytes.fill() { return nil }
            guard bytes.withBytes({ $0.first }) == UInt8(ascii: "<") else { return .text(try text()) }
            let first = line
            let token = try tag()
            defer { drop(token.end) }
            switch token.kind {
            case .text: return .text([UInt8(ascii: "<")])
            case .comment: continue
            case .end(let name): return .end(name)
            case .start(let name):
                return .start(name, bytes.withBytes { HTMLAttribute.all(in: $0.prefix(token.end)) }, line: first)
            }
        }
    }

    private mutating func drop(_ count: Int) {
        line += bytes.withBytes { $0.prefix(count).lineCount }
        bytes.drop(count)
    }

    /// Reads the token that begins with `<` here.
    private mutating func tag() throws -> HTMLToken {
        var needed = 4
        while true {
            while bytes.count < needed, try bytes.fill() {}
            let token = bytes.withBytes { HTMLToken($0, at: 0) }
            guard token.isCut else { return token }
            if bytes.count > limit { throw tooLarge() }
            if bytes.count < needed {
                // A `<` at the very end does not begin a tag.
                if token.kind == .text { return token }
                defer { drop(bytes.count) }
                throw RecordError(line: line, "the text ends inside the tag that begins here")
            }
            // Double the size each time, so that the cost of a tag without an end stays linear.
            needed = 2 * bytes.count
        }
    }

    private mutating func text() throws -> [UInt8] {
        var looked = 0
        while true {
            let end = bytes.withBytes { $0[looked...].firstIndex(of: UInt8(ascii: "<")) }
            if end == nil {
                looked = bytes.count
                if looked > limit { throw tooLarge() }
                if try bytes.fill() { continue }
            }
            let count = end ?? bytes.count
            defer { drop(count) }
            return bytes.withBytes { Array($0.prefix(count)) }
        }
    }

    private mutating func tooLarge() -> RecordError {
        defer { drop(bytes.count) }
        return RecordError(line: line, "a tag or a text is larger than \(limit) bytes")
    }
}

/// An attribute of a tag.
struct HTMLAttribute {
    /// The name in lower case.
    let name: String
    /// The value as it is written, without quotation marks.
    let value: ArraySlice<UInt8>

    /// The maximum number of attributes. Further ones are ignored; the tags that are read here have fewer.
    private static let limit = 256

    /// The attributes of a tag.
    static func all(in tag: some Sequence<UInt8>) -> [HTMLAttribute] {
        var found: [HTMLAttribute] = []
        var rest = Array(tag)[...]
        if rest.last == UInt8(ascii: ">") { rest.removeLast() }
        rest = rest.drop { !isBetween($0) }
        while found.count < limit {
            rest = rest.drop(while: isBetween)
            guard !rest.isEmpty else { break }
            // An equals sign at the start is part of the name, as in HTML.
            let name = rest.prefix(1) + rest.dropFirst().prefix { !isBetween($0) && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(name.count)
            var value = rest.prefix(0)
            let sign = rest.drop { $0 <= 0x20 }
            if sign.first == UInt8(ascii: "=") {
                rest = sign.dropFirst().drop { $0 <= 0x20 }
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    value = rest.prefix { $0 > 0x20 }
                    rest = rest[value.endIndex...]
                }
            }
            found.append(HTMLAttribute(name: String(decoding: name, as: UTF8.self).lowercased(), value: value))
        }
        return found
    }

    private static func isBetween(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") }
}

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

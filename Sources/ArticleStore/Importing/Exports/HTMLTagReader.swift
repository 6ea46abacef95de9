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
    /// - Throws: ``RecordError`` if a tag or a text is over the limit, after which the next can be read; the errors of
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
        return RecordError(line: line, "a tag or a text of more than \(limit) bytes")
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

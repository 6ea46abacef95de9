import Text

/// Determines the encoding of a document.
enum EncodingDetector {
    /// The number of bytes that may contain a declaration, as in browsers.
    static let headSize = 1024
    /// The number of bytes that are checked to see whether a declaration is correct.
    private static let sampleSize = 1 << 16

    /// A byte order mark.
    struct Mark {
        let encoding: TextEncoding
        let length: Int

        /// Nil without a byte order mark.
        init?(_ head: UnsafeBufferPointer<UInt8>) {
            if head.starts(with: [0xEF, 0xBB, 0xBF]) {
                (encoding, length) = (.utf8, 3)
            } else if head.starts(with: [0xFF, 0xFE, 0, 0]) {
                (encoding, length) = (.other("UTF-32LE"), 4)
            } else if head.starts(with: [0, 0, 0xFE, 0xFF]) {
                (encoding, length) = (.other("UTF-32BE"), 4)
            } else if head.starts(with: [0xFF, 0xFE]) {
                (encoding, length) = (.other("UTF-16LE"), 2)
            } else if head.starts(with: [0xFE, 0xFF]) {
                (encoding, length) = (.other("UTF-16BE"), 2)
            } else {
                return nil
            }
        }
    }

    /// Detects UTF-16 or UTF-32 without a byte order mark: their ASCII characters contain zero bytes, which other text
    /// does not contain.
    static func wide(_ head: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
        let head = head.prefix(64)
        guard head.count >= 4, head[0] == 0 || head[1] == 0 else { return nil }
        /// The number of zero bytes at this offset of each unit of this size.
        func zeros(_ place: Int, of size: Int) -> Int {
            stride(from: place, to: head.count / size * size, by: size).count { head[$0] == 0 }
        }
        if head[0] == 0, head[1] == 0, head[2] == 0, zeros(3, of: 4) == 0 { return .other("UTF-32BE") }
        if head[1] == 0, head[2] == 0, head[3] == 0, zeros(0, of: 4) == 0 { return .other("UTF-32LE") }
        let (even, odd) = (zeros(0, of: 2), zeros(1, of: 2))
        if even == 0, odd * 4 >= head.count { return .other("UTF-16LE") }
        if odd == 0, even * 4 >= head.count { return .other("UTF-16BE") }
        return nil
    }

    /// Returns the encoding that a document in an ASCII-compatible encoding declares: in the XML declaration or, if it
    /// may be HTML, in a `meta` element of the head.
    static func label(in head: UnsafeBufferPointer<UInt8>, mayBeHTML: Bool) -> String? {
        let text = String(decoding: head.prefix(headSize), as: UTF8.self).trimmed
        if text.hasPrefix("<?xml"), let end = text.utf8.firstIndex(of: UInt8(ascii: ">")) {
            if let label = value(of: "encoding", in: text[..<end].lowercased()[...]) { return label }
        }
        // Programs that write front matter write UTF-8. A `meta` element after it belongs to the article's text.
        guard !FrontMatter.opens(UnsafeBufferPointer(rebasing: head.prefix(headSize))) else { return nil }
        let lower = text.lowercased()
        guard
            mayBeHTML || lower.hasPrefix("<!doctype html") || lower.hasPrefix("<!doctype netscape")
                || lower.hasPrefix("<html")
        else { return nil }
        var rest = lower[...]
        while let start = rest.firstRange(of: "<meta") {
            rest = rest[start.upperBound...]
            let tag = rest.prefix { $0 != ">" }
            if let label = value(of: "charset", in: tag) { return label }
        }
        return nil
    }

    /// Returns `utf-8` for `charset = "utf-8"`, with any or no quotation marks.
    private static func value(of name: String, in text: Substring) -> String? {
        var rest = text
        while let range = rest.firstRange(of: name) {
            rest = rest[range.upperBound...].trimmed
            guard rest.first == "=" else { continue }
            let value = rest.dropFirst().trimmed.drop { $0 == "\"" || $0 == "'" }
                .prefix { !"\"'>;?/ \t\n\r".contains($0) }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    /// Whether a document that claims to be Latin-1 is UTF-8, as is common. It is if more than ten of its characters
    /// are UTF-8 for each byte that is not, and they are not only pairs that occur by chance in German (`ß”`) or French
    /// (`É…`).
    static func isUTF8(_ sample: UnsafeBufferPointer<UInt8>) -> Bool {
        var (likely, possible, wrong) = (0, 0, 0)
        var index = 0
        while index < sample.count {
            guard sample[index] >= 0x80 else {
                index += 1
                continue
            }
            switch UTF8Sequence(sample[index...].prefix(4)) {
            case .whole(let length, _):
                let isLikely = [0xC2, 0xC3].contains(sample[index]) || sample[index...].starts(with: [0xE2, 0x80])
                (likely, possible) = isLikely ? (likely + 1, possible) : (likely, possible + 1)
                index += length
            case .wrong(let length):
                wrong += 1
                index += length
            case .cut: index = sample.count
            }
        }
        return (likely > 0 || possible >= 10) && likely + possible > 10 * wrong
    }

    /// Fills the window with the first bytes, in which a declaration may be. It stops as soon as the bytes cannot begin
    /// a declaration: records of a stream must be available as soon as they arrive.
    fileprivate static func fill(_ bytes: ByteReader, to count: Int) throws {
        while bytes.count < count, bytes.withBytes(mayGoOn), try bytes.fill() {}
    }

    private static func mayGoOn(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        guard start.count >= 2 else { return true }
        return start.prefix(4).contains { $0 == 0 || $0 >= 0x80 }
            || start.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "<") } ?? true
    }

    fileprivate static func fillSample(_ bytes: ByteReader) throws {
        while bytes.count < sampleSize, try bytes.fill() {}
    }

    fileprivate static func sample(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.prefix(sampleSize))
    }
}

extension ByteReader {
    /// Returns the document in UTF-8, without a byte order mark. Bytes that are invalid in the original encoding become
    /// invalid UTF-8.
    ///
    /// The encoding is that of the byte order mark, else `label`, else the one that the document declares, else UTF-8.
    ///
    /// - Parameters:
    ///   - label: the name of an encoding.
    ///   - mayBeHTML: whether a `meta` element may declare the encoding.
    /// - Throws: ``ImportError/unknownEncoding(_:)`` if `label` is unknown; ``RecordError`` if the encoding that the
    ///   document declares is unknown; the errors of reading.
    func decoded(as label: String?, mayBeHTML: Bool) throws -> ByteReader {
        try EncodingDetector.fill(self, to: EncodingDetector.headSize)
        if let mark = withBytes({ EncodingDetector.Mark($0) }) {
            drop(mark.length)
            return try decoded(as: mark.encoding)
        }
        if let label {
            guard let encoding = TextEncoding(label: label) else { throw ImportError.unknownEncoding(label) }
            return try decoded(as: encoding)
        }
        if let encoding = withBytes({ EncodingDetector.wide($0) }) { return try decoded(as: encoding) }
        guard let label = withBytes({ EncodingDetector.label(in: $0, mayBeHTML: mayBeHTML) }) else { return self }
        guard let encoding = TextEncoding(label: label) else {
            throw RecordError(line: 1, "the encoding \"\(label)\", which it says to be in, is not known")
        }
        // The declaration was readable as ASCII, so the units are single bytes.
        guard encoding.unit == 1 else { return self }
        guard encoding == .windows1252 else { return try decoded(as: encoding) }
        try EncodingDetector.fillSample(self)
        let isUTF8 = withBytes { EncodingDetector.isUTF8(EncodingDetector.sample($0)) }
        return try decoded(as: isUTF8 ? .utf8AmongWindows1252 : .windows1252)
    }

    private func decoded(as encoding: TextEncoding) throws -> ByteReader {
        switch encoding {
        case .utf8: return self
        case .utf8AmongWindows1252, .windows1252:
            let decoder = Windows1252.Decoder(self, keepsUTF8: encoding == .utf8AmongWindows1252)
            return ByteReader { try decoder.read(into: $0) }
        case .other(let name):
            guard let decoder = IconvDecoder(self, from: name, unit: encoding.unit) else {
                throw RecordError("the encoding \(name) cannot be read here")
            }
            return ByteReader(encoding: name) { try decoder.read(into: $0) }
        }
    }
}

import ArticleStore
import Platform
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

    /// Whether a document that claims to be Latin-1 is UTF-8. It is if it has more than ten times as many valid sequences
    /// as invalid ones, and either one of them is typical of UTF-8, or ten are others, which a German (`ß”`) or French (`É…`)
    /// text in Windows-1252 also has by chance.
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
    /// - Throws: ``ImportError/unknownEncoding(_:)`` if `label` is unknown; `RecordError` if the encoding that the
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
            throw RecordError(line: 1, "the declared encoding \"\(label)\" is unknown")
        }
        // The declaration was readable as ASCII, so the units are single bytes.
        guard encoding.unit == 1 else { return self }
        guard encoding == .windows1252 else { return try decoded(as: encoding) }
        try EncodingDetector.fillSample(self)
        let isUTF8 = withBytes { EncodingDetector.isUTF8(EncodingDetector.sample($0)) }
        return try decoded(as: isUTF8 ? .utf8AmongWindows1252 : .windows1252)
    }

    func decoded(as encoding: TextEncoding) throws -> ByteReader {
        switch encoding {
        case .utf8: return self
        case .utf8AmongWindows1252, .windows1252:
            let decoder = ByteDecoder(self, as: encoding == .windows1252 ? .windows1252 : .windows1252AmongUTF8)
            return ByteReader { try decoder.read(into: $0) }
        case .other(let name):
            guard let decoder = IconvDecoder(self, from: name, unit: encoding.unit) else {
                throw RecordError("the encoding \(name) is not supported on this system")
            }
            return ByteReader(encoding: name) { try decoder.read(into: $0) }
        }
    }
}

/// The encoding of a text.
enum TextEncoding: Hashable, Sendable {
    case utf8
    /// UTF-8 with some single bytes of windows-1252. Documents that wrongly claim to be Latin-1 contain this mixture.
    case utf8AmongWindows1252
    /// Windows-1252, one byte per character. Unassigned bytes are control characters, as in browsers.
    case windows1252
    /// Another encoding, by its name in iconv.
    case other(String)

    /// Creates the encoding with a name from a document or the user; nil if the name is unknown.
    ///
    /// Names have the meaning that they have in browsers (<https://encoding.spec.whatwg.org/#names-and-labels>):
    /// ISO-8859-1 and ASCII mean windows-1252, Shift_JIS means code page 932, and the Chinese encodings mean GB18030.
    init?(label: String) {
        let label = label.trimmed.lowercased()
        switch label {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "ascii", "us-ascii",
            "ansi_x3.4-1968", "windows-1252", "cp1252", "x-cp1252", "ansi":
            self = .windows1252
        default:
            let name = Self.names[label] ?? label.uppercased()
            // Reject a slash: it would begin an option of iconv that drops unreadable characters.
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }),
                IconvDecoder.knows(name)
            else { return nil }
            self = .other(name)
        }
    }

    /// The minimum number of bytes of a character.
    var unit: Int {
        guard case .other(let name) = self else { return 1 }
        return name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
    }

    /// The names in iconv of an encoding or of a superset.
    private static let names: [String: String] = [
        "iso-8859-9": "WINDOWS-1254", "latin5": "WINDOWS-1254", "iso-8859-11": "WINDOWS-874", "tis-620": "WINDOWS-874",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "ms_kanji": "CP932",
        "windows-31j": "CP932", "x-euc-jp": "EUC-JP", "euc-kr": "UHC", "ks_c_5601-1987": "UHC", "korean": "UHC",
        "windows-949": "UHC", "gb2312": "GB18030", "gb_2312-80": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030",
        "chinese": "GB18030", "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "x-x-big5": "BIG5-HKSCS",
        "utf-16": "UTF-16LE", "utf16": "UTF-16LE", "unicode": "UTF-16LE", "ucs-2": "UTF-16LE", "utf-32": "UTF-32LE",
        "x-mac-roman": "MACINTOSH", "mac": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC", "koi": "KOI8-R",
        "koi8": "KOI8-R", "x-cp1250": "WINDOWS-1250", "x-cp1251": "WINDOWS-1251", "dos-874": "WINDOWS-874",
        "cp866": "IBM866", "866": "IBM866", "iso-8859-8-i": "ISO-8859-8", "utf-7": "",
    ]
}

/// The kind of bytes at a position in UTF-8.
enum UTF8Sequence {
    /// A scalar with its number of bytes, and whether it is a valid character in XML 1.0 (section 2.2).
    case whole(Int, isCharacter: Bool)
    /// The start of a scalar that is incomplete.
    case cut(Int)
    /// A number of bytes that are not UTF-8.
    case wrong(Int)

    /// - Parameter bytes: four bytes, or fewer at the end.
    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        let first = bytes[0]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default:
            self = .wrong(1)
            return
        }
        for index in 1..<max(length, 1) {
            guard index < bytes.count else {
                self = .cut(index)
                return
            }
            guard (index == 1 ? second : 0x80...0xBF).contains(bytes[index]) else {
                self = .wrong(index)
                return
            }
        }
        let isControl = length == 1 && first < 0x20 && first != 0x09 && first != 0x0A && first != 0x0D
        let isNoncharacter = first == 0xEF && bytes[1] == 0xBF && bytes[2] >= 0xBE
        self = .whole(length, isCharacter: !isControl && !isNoncharacter)
    }
}

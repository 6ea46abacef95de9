import ArticleStore
import CTOML
import Text

/// The front matter at the start of a text, and the text below. Front matter is enclosed by two lines of `---` (YAML),
/// `+++` (TOML), or `;;;` (JSON without its outer braces, as in Hexo and Middleman), or it is a JSON object. The first
/// `---` may be followed by the notation: `---toml`, `---json`.
struct FrontMatter {
    /// The keys and values; empty without front matter.
    let members: [JSON.Member]
    /// The text below, without leading empty lines. In a library's own file, only one empty line is not part of the
    /// text.
    let body: String

    /// The maximum length of front matter, because YAML parsers become slow on malformed input. A library's own file may have more.
    private static let limit = 256 << 10

    /// Whether a file begins with front matter, judged by its first bytes. Front matter that does not end within the limit counts,
    /// so that it is rejected and not imported as a text.
    static func begins(_ file: ByteReader) throws -> Bool {
        try file.dropByteOrderMark()
        while file.count < limit, try file.fill() {}
        return file.withBytes { bytes in
            guard let opening = Fence(bytes) else { return false }
            return bytes.count >= limit || opening.close(in: bytes) != nil
        }
    }

    /// Whether the first line of a text is one that begins front matter.
    static func opens(_ head: UnsafeBufferPointer<UInt8>) -> Bool { Fence(head) != nil }

    /// Whether the front matter in these first bytes of a file was written by a library.
    static func isOfLibrary(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = bytes.prefix(limit)
        guard let opening = Fence(bytes), opening.notation == .yaml else { return false }
        let lines = start[
            ..<(opening.close(in: UnsafeBufferPointer(rebasing: start))?.inside.upperBound ?? start.endIndex)]
        return lines.split(separator: 0x0A).contains { $0.starts(with: "sourceID: ".utf8) }
    }

    /// Reads a whole file.
    ///
    /// - Throws: `RecordError` if the bytes are not text, or the front matter is not closed or invalid.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) -> FrontMatter {
        guard let opening = Fence(bytes) else {
            if let (members, rest) = object(bytes) {
                return FrontMatter(members: members, body: try text(bytes, from: rest))
            }
            return FrontMatter(members: [], body: try text(bytes, from: 0))
        }
        guard let (inside, rest) = opening.close(in: bytes) else {
            throw RecordError(line: 1, "the front matter that begins here is not closed by a line \(opening.name)")
        }
        guard inside.count <= limit || isOfLibrary(bytes) else {
            throw RecordError(line: 1, "the front matter is larger than \(limit) bytes")
        }
        // Detect invalid bytes before a parser sees them.
        _ = try text(UnsafeBufferPointer(rebasing: bytes[..<rest]), from: 0)
        let value: JSON
        do {
            let inside = UnsafeBufferPointer(rebasing: bytes[inside])
            value = try opening.notation.value(of: inside)
        } catch {
            throw RecordError(line: error.line.map { $0 + 1 }, error.reason)
        }
        switch value {
        case .object(let members) where LibraryRecord(members) != nil:
            return FrontMatter(members: members, body: try valid(bytes, from: bytes.afterEmptyLine(rest)))
        case .object(let members): return FrontMatter(members: members, body: try text(bytes, from: rest))
        case .null: return FrontMatter(members: [], body: try text(bytes, from: rest))
        default: throw RecordError(line: 2, "the front matter is not a list of keys and values")
        }
    }

    /// Returns the JSON object at the start of a text, and the start of the text below. Returns nil if other text
    /// follows on the object's last line, or if the file consists only of an object without a title: then the object is
    /// the text.
    private static func object(_ bytes: UnsafeBufferPointer<UInt8>) -> (members: [JSON.Member], rest: Int)? {
        guard bytes.first == UInt8(ascii: "{"), let end = bytes.prefix(limit).endOfObject else { return nil }
        let line = bytes[end...].prefix { $0 != 0x0A }
        guard line.trimmedEnd.isEmpty,
            let members = try? JSONParser.value(of: UnsafeBufferPointer(rebasing: bytes[..<end])).members,
            !members.isEmpty
        else { return nil }
        let isAlone = bytes[line.endIndex...].trimmedEnd.isEmpty
        guard !isAlone || members.contains(where: { $0.key == "title" }) else { return nil }
        return (members, min(line.endIndex + 1, bytes.count))
    }

    /// Returns the text of a user from an index on, without leading empty lines.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(RecordError) -> String {
        if let nul = bytes[start...].firstIndex(of: 0) {
            throw RecordError(line: bytes[..<nul].lineCount + 1, "a NUL byte: this is a binary file, not a text")
        }
        var start = start
        var index = start
        while index < bytes.count, bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x20 {
            index += 1
            if bytes[index - 1] == 0x0A { start = index }
        }
        return try valid(bytes, from: start)
    }

    /// Returns the bytes from an index on as text.
    private static func valid(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(RecordError) -> String {
        if let text = String(validating: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self) { return text }
        var line = bytes[..<start].lineCount + 1
        for part in bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { break }
            line += 1
        }
        throw RecordError(line: line, "bytes that are not valid UTF-8")
    }

    private enum Notation: String {
        case yaml, yml, toml, json

        /// - Throws: `RecordError` with the line within `bytes`.
        func value(of bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) -> JSON {
            switch self {
            case .yaml, .yml: return try YAMLReader.value(of: bytes)
            case .toml: return try TOMLReader.value(of: bytes)
            case .json:
                // Add the braces on the same lines, so that line numbers stay correct.
                let isWhole = bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
                let text = isWhole ? Array(bytes) : Array("{".utf8) + bytes + Array("}".utf8)
                do throws(JSONError) {
                    return try text.withUnsafeBufferPointer { text throws(JSONError) in try JSONParser.value(of: text) }
                } catch {
                    throw RecordError(line: text[..<error.offset].lineCount + 1, "JSON front matter: \(error.reason)")
                }
            }
        }
    }

    /// The line that front matter begins with.
    private struct Fence {
        let notation: Notation
        /// The line that closes the front matter.
        let name: String
        private let length: Int

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let line = bytes.prefix { $0 != 0x0A }
            guard line.count < bytes.count, line.count <= 80 else { return nil }
            let text = String(decoding: line.trimmedEnd, as: UTF8.self)
            name = String(text.prefix(3))
            switch (name, text.dropFirst(3).trimmed) {
            case ("---", ""): notation = .yaml
            case ("+++", ""): notation = .toml
            case (";;;", ""): notation = .json
            case ("---", let named):
                guard let named = Notation(rawValue: named.lowercased()) else { return nil }
                notation = named
            default: return nil
            }
            length = line.count + 1
        }

        /// Returns the range between this line and the closing one, and the start of the text after it.
        func close(in bytes: UnsafeBufferPointer<UInt8>) -> (inside: Range<Int>, rest: Int)? {
            var start = length
            while start < bytes.count {
                let line = bytes[start...].prefix { $0 != 0x0A }
                let text = line.trimmedEnd
                // In YAML, dots may also end the document.
                if text.elementsEqual(name.utf8) || (notation == .yaml && text.elementsEqual("...".utf8)) {
                    return (length..<start, min(line.endIndex + 1, bytes.count))
                }
                start = line.endIndex + 1
            }
            return nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index after an empty line, if one begins here.
    fileprivate func afterEmptyLine(_ index: Int) -> Int {
        self[index...].starts(with: "\n".utf8)
            ? index + 1 : self[index...].starts(with: "\r\n".utf8) ? index + 2 : index
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The index after the JSON object that begins here; nil if it does not end.
    fileprivate var endOfObject: Int? {
        var depth = 0
        var isString = false
        var isEscaped = false
        for (index, byte) in zip(indices, self) {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return nil
    }
}

extension Collection<UInt8> {
    /// The number of line feeds.
    var lineCount: Int { reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without trailing ASCII spaces and control characters.
    fileprivate var trimmedEnd: SubSequence {
        self[..<(lastIndex { $0 > 0x20 }.map(index(after:)) ?? startIndex)]
    }
}

/// Reads TOML 1.0.
enum TOMLReader {
    /// Returns the top-level table.
    ///
    /// - Throws: `RecordError` with the line within `bytes`.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) -> JSON {
        guard let start = bytes.baseAddress else { return .object([]) }
        let result = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { ctoml_to_json($0, bytes.count) }
        defer { ctoml_free(result) }
        guard let text = result.text else { throw RecordError("out of memory") }
        let json = UnsafeRawBufferPointer(start: text, count: result.length).bindMemory(to: UInt8.self)
        guard result.line == 0 else {
            throw RecordError(
                line: Int(result.line), "TOML front matter: \(String(decoding: json, as: UTF8.self))")
        }
        do {
            return try JSONParser.value(of: json)
        } catch {
            throw RecordError(line: 1, "TOML front matter: \(error.reason)")
        }
    }
}

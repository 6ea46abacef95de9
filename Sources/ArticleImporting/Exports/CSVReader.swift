import ArticleStore
import Text

/// Reads the rows of a table in CSV (RFC 4180) one after the other.
///
/// The delimiter is the comma, or the semicolon or tab if the first line contains more of those: Excel writes
/// semicolons in regions where the comma is the decimal separator. Quoted fields may contain delimiters, line feeds,
/// and doubled quotation marks. Deviations from the RFC: rows may end with a line feed alone, a quotation mark inside
/// an unquoted field is part of it, and empty lines are skipped.
struct CSVReader {
    struct Row {
        let fields: [String]
        /// The line on which it begins, from 1.
        let line: Int
        /// Its number of bytes.
        let size: Int
    }

    private enum Place { case start, plain, quoted, afterQuote }

    private let bytes: ByteReader
    private let limit: Int
    private let delimiter: UInt8
    private var line = 1

    /// - Parameter limit: the maximum number of bytes of a row.
    init(_ bytes: ByteReader, limit: Int) throws {
        self.bytes = bytes
        self.limit = limit
        try bytes.dropByteOrderMark()
        while bytes.count < Self.headerLength, !bytes.withBytes({ $0.contains(0x0A) }), try bytes.fill() {}
        delimiter = bytes.withBytes { Self.delimiter(of: $0) }
    }

    /// The number of bytes in which the delimiter is determined.
    private static let headerLength = 2048

    /// Returns the delimiter of a table: the most frequent one in the first line outside of quotation marks.
    static func delimiter(of start: some Sequence<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in start.prefix(headerLength).drop(while: { [0x0A, 0x0D].contains($0) }) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A { break }
            counts[byte, default: 0] += 1
        }
        return [UInt8(ascii: ";"), 0x09].reduce(UInt8(ascii: ",")) { best, byte in
            counts[byte, default: 0] > counts[best, default: 0] ? byte : best
        }
    }

    /// Reads the next row.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RecordError` if a row is invalid text or over the limit, after which the next row can be read; the
    ///   errors of reading.
    mutating func next() throws -> Row? {
        while true {
            guard let row = try nextLine() else { return nil }
            if row.fields != [""] { return row }
        }
    }

    private mutating func nextLine() throws -> Row? {
        let first = line
        var place = Place.start
        var scanned = 0
        var isTooLarge = false
        while true {
            let end = bytes.withBytes { scan($0, from: scanned, &place) }
            if let end {
                line += 1
                defer { bytes.drop(end + 1) }
                guard !isTooLarge, end <= limit else { throw tooLarge(first) }
                return try bytes.withBytes { try row($0.prefix(end), line: first) }
            }
            scanned = bytes.count
            if scanned > limit {
                isTooLarge = true
                bytes.drop(scanned)
                scanned = 0
            }
            if try bytes.fill() { continue }
            if isTooLarge { throw tooLarge(first) }
            guard scanned > 0 else { return nil }
            defer { bytes.drop(scanned) }
            guard place != .quoted else {
                throw RecordError(line: first, "the text ends inside quotation marks of the row that begins here")
            }
            return try bytes.withBytes { try row($0.prefix(scanned), line: first) }
        }
    }

    private func tooLarge(_ line: Int) -> RecordError { RecordError(line: line, "a row of more than \(limit) bytes") }

    /// Returns the index of the line feed that ends the row; nil if the row continues.
    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ place: inout Place) -> Int? {
        for index in start..<bytes.count {
            let byte = bytes[index]
            if place == .quoted {
                if byte == UInt8(ascii: "\"") { place = .afterQuote } else if byte == 0x0A { line += 1 }
                continue
            }
            switch byte {
            case 0x0A: return index
            case delimiter: place = .start
            case UInt8(ascii: "\"") where place != .plain: place = .quoted
            default: place = .plain
            }
        }
        return nil
    }

    private func row(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, line: Int) throws(RecordError) -> Row {
        let content = bytes.last == 0x0D ? bytes.dropLast() : bytes
        var fields: [String] = []
        var field: [UInt8] = []
        var place = Place.start
        func end() throws(RecordError) {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw RecordError(line: line, "bytes that are not valid UTF-8")
            }
            fields.append(text)
            field.removeAll(keepingCapacity: true)
        }
        for byte in content {
            if place == .quoted {
                if byte == UInt8(ascii: "\"") { place = .afterQuote } else { field.append(byte) }
            } else if byte == delimiter {
                try end()
                place = .start
            } else if byte == UInt8(ascii: "\""), place != .plain {
                if place == .afterQuote { field.append(byte) }
                place = .quoted
            } else {
                field.append(byte)
                place = .plain
            }
        }
        try end()
        return Row(fields: fields, line: line, size: bytes.count)
    }
}

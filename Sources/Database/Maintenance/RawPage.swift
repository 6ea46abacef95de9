/// A b-tree page of a database file, parsed without SQLite.
///
/// Source: <https://www.sqlite.org/fileformat.html#b_tree_pages>.
struct RawPage {
    /// The kind of b-tree page. The raw value is its first byte.
    enum Kind: UInt8 {
        case innerOfIndex = 2
        case innerOfTable = 5
        case leafOfIndex = 10
        case leafOfTable = 13

        var isLeaf: Bool { self == .leafOfIndex || self == .leafOfTable }
        /// Whether its rows have row IDs. Index pages and pages of tables without row IDs do not.
        var isOfTable: Bool { self == .innerOfTable || self == .leafOfTable }
    }

    /// The page size of this package's databases.
    static let size = 4096

    let kind: Kind
    private let bytes: [UInt8]
    private let start: Int
    /// The offsets of the cells on the page.
    private let cells: [Int]

    /// - Returns: nil if the bytes are not a b-tree page.
    init?(_ bytes: [UInt8], number: Int) {
        start = number == 1 ? 100 : 0
        guard bytes.count == Self.size, let kind = Kind(rawValue: bytes[start]) else { return nil }
        self.kind = kind
        self.bytes = bytes
        let end = start + (kind.isLeaf ? 8 : 12)
        let count = Self.number(bytes[start + 3..<start + 5])
        guard end + 2 * count <= Self.size else { return nil }
        cells = (0..<count).map { Self.number(bytes[end + 2 * $0..<end + 2 * $0 + 2]) }
        guard cells.allSatisfy({ $0 >= end + 2 * count && $0 <= Self.size - 4 }) else { return nil }
    }

    /// The numbers of its child pages.
    var children: [Int] {
        guard !kind.isLeaf else { return [] }
        return cells.map { Self.number(bytes[$0..<$0 + 4]) } + [Self.number(bytes[start + 8..<start + 12])]
    }

    /// The rows or keys on a leaf page, empty for other pages; nil if one of them is invalid.
    var records: [RawRecord]? {
        guard kind.isLeaf else { return [] }
        var records: [RawRecord] = []
        for cell in cells {
            var reader = RawReader(bytes: bytes[cell...])
            // Skip the length of the record and the row ID.
            guard reader.varint() != nil, kind == .leafOfIndex || reader.varint() != nil,
                let record = RawRecord(&reader)
            else { return nil }
            records.append(record)
        }
        return records
    }

    /// Decodes a big-endian number.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// A row or key on a page, as far as it is stored there.
///
/// Source: <https://www.sqlite.org/fileformat.html#record_format>.
struct RawRecord {
    /// The storage class of a value.
    enum StorageClass {
        case null, integer, real, text, blob

        fileprivate init?(code: Int) {
            switch code {
            case 0: self = .null
            case 1...6, 8, 9: self = .integer
            case 7: self = .real
            case 12...: self = code.isMultiple(of: 2) ? .blob : .text
            default: return nil
            }
        }
    }

    let classes: [StorageClass]
    private let codes: [Int]
    private let body: ArraySlice<UInt8>

    fileprivate init?(_ reader: inout RawReader) {
        let start = reader.bytes.startIndex
        guard let length = reader.varint(), length > 0, start + length <= reader.bytes.endIndex else { return nil }
        let end = start + length
        var codes: [Int] = []
        var classes: [StorageClass] = []
        while reader.bytes.startIndex < end {
            guard let code = reader.varint(), code <= Int32.max, let storage = StorageClass(code: code) else {
                return nil
            }
            codes.append(code)
            classes.append(storage)
        }
        guard reader.bytes.startIndex == end else { return nil }
        self.codes = codes
        self.classes = classes
        body = reader.bytes
    }

    /// Returns the text of a column; nil if it is not a text, or not on the page.
    func text(_ column: Int) -> String? {
        guard classes[column] == .text else { return nil }
        return bytes(column).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the integer of a column; nil unless it has at most eight bytes and is not negative.
    func integer(_ column: Int) -> Int? {
        guard classes[column] == .integer, let bytes = bytes(column) else { return nil }
        switch codes[column] {
        case 8, 9: return codes[column] - 8
        default: return bytes.first.map { $0 < 0x80 } == true ? RawPage.number(bytes) : nil
        }
    }

    private func bytes(_ column: Int) -> ArraySlice<UInt8>? {
        let lengths = codes.prefix(column + 1).map(Self.length)
        let end = body.startIndex + lengths.reduce(0, +)
        return end <= body.endIndex ? body[end - (lengths.last ?? 0)..<end] : nil
    }

    private static func length(of code: Int) -> Int {
        switch code {
        case 1...4: code
        case 5: 6
        case 6, 7: 8
        case 12...: (code - 12) / 2
        default: 0
        }
    }
}

/// Reads the variable-length integers of the file format, which have one to nine bytes.
private struct RawReader {
    private(set) var bytes: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// - Returns: nil at the end of the page, and for numbers that are not valid lengths.
    mutating func varint() -> Int? {
        var value = 0
        for count in 1...9 {
            guard let byte = bytes.popFirst() else { return nil }
            if count == 9 { return nil }
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }
}

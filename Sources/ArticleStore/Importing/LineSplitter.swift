import Platform

/// Splits a stream at line feeds.
struct LineSplitter {
    private let reader: ByteReader
    /// The maximum number of bytes of a line.
    var limit: Int
    private var line = 0

    init(_ reader: ByteReader, limit: Int) throws {
        self.reader = reader
        self.limit = limit
        try self.reader.dropByteOrderMark()
    }

    /// Calls `body` with the next line, without its line feed, and its number from 1.
    ///
    /// - Returns: nil at the end of the stream.
    /// - Throws: ``RecordError`` if a line is over the limit, after which the next can be read; the errors of reading.
    mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
        var searched = 0
        var isTooLong = false
        line += 1
        while true {
            if let length = lineFeed(from: searched) {
                defer { reader.drop(length + 1) }
                guard !isTooLong, length <= limit else { throw tooLong }
                return try reader.withBytes { try body(UnsafeBufferPointer(rebasing: $0[..<length]), line) }
            }
            searched = reader.count
            if searched > limit {
                isTooLong = true
                reader.drop(searched)
                searched = 0
            }
            if try reader.fill() { continue }
            if isTooLong { throw tooLong }
            let length = reader.count
            if length == 0 { return nil }
            defer { reader.drop(length) }
            return try reader.withBytes { try body($0, line) }
        }
    }

    private var tooLong: RecordError { RecordError(line: line, "a line of more than \(limit) bytes") }

    private func lineFeed(from start: Int) -> Int? {
        reader.withBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}

import Platform

/// A window that moves over a stream of bytes and grows only on request. It is a class because a stream cannot be
/// copied, and copying the window would cost more than reading.
package final class ByteReader {
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let chunk = 1 << 16

    /// The original encoding, if the bytes were converted to UTF-8; nil if they are unchanged.
    package let encoding: String?
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    @usableFromInline package private(set) var buffer: [UInt8] = []
    @usableFromInline package private(set) var range = 0..<0
    private var isAtEnd = false

    /// - Parameter read: fills the buffer with the next bytes and returns their number; 0 at the end.
    package init(encoding: String? = nil, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.encoding = encoding
        self.read = read
    }

    /// The number of bytes in the window.
    package var count: Int { range.count }

    /// Calls a closure with the bytes in the window.
    @inlinable package func withBytes<T, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        let range = range
        return try buffer.withUnsafeBufferPointer { (bytes) throws(E) -> T in
            try body(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Moves the start of the window forward.
    package func drop(_ count: Int) { range = range.lowerBound + count..<range.upperBound }

    /// Reads more bytes to the end of the window.
    /// - Returns: false at the end of the stream.
    package func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if buffer.count - range.upperBound < Self.chunk / 2 { makeRoom() }
        let start = range.upperBound
        let count = try buffer.withUnsafeMutableBytes {
            try read(UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
        range = range.lowerBound..<start + count
        isAtEnd = count == 0
        return count > 0
    }

    /// Moves the window to the front of the buffer, or to a larger buffer if it fills more than half of this one.
    private func makeRoom() {
        let isLarge = range.count > buffer.count / 2 || buffer.isEmpty
        var target = isLarge ? [UInt8](repeating: 0, count: max(2 * buffer.count, Self.chunk)) : []
        func move(to target: UnsafeMutablePointer<UInt8>?, from source: UnsafePointer<UInt8>?) {
            guard let target, let source else { return }
            memmove(target, source + range.lowerBound, range.count)
        }
        if isLarge {
            target.withUnsafeMutableBufferPointer { target in
                buffer.withUnsafeBufferPointer { move(to: target.baseAddress, from: $0.baseAddress) }
            }
            buffer = target
        } else {
            buffer.withUnsafeMutableBufferPointer { move(to: $0.baseAddress, from: UnsafePointer($0.baseAddress)) }
        }
        range = 0..<range.count
    }

    /// Skips a byte order mark, which some editors write at the start of a file.
    package func dropByteOrderMark() throws {
        while count < 3, try fill() {}
        if withBytes({ $0.starts(with: Self.byteOrderMark) }) { drop(3) }
    }
}

/// Splits a stream at line feeds.
package struct LineSplitter {
    private let reader: ByteReader
    /// The maximum number of bytes of a line.
    package var limit: Int
    private var line = 0

    package init(_ reader: ByteReader, limit: Int) throws {
        self.reader = reader
        self.limit = limit
        try self.reader.dropByteOrderMark()
    }

    /// Calls `body` with the next line, without its line feed, and its number from 1.
    ///
    /// - Returns: nil at the end of the stream.
    /// - Throws: ``RecordError`` if a line is over the limit, after which the next can be read; the errors of reading.
    package mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
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

    private func lineFeed(from start: Int) -> Int? { reader.withBytes { $0.firstIndex(of: 0x0A, from: start) } }
}

/// The reason why a record of a file cannot be read.
package struct RecordError: Error, Hashable {
    /// The line in the file, from 1; nil if it is the whole record.
    package var line: Int?
    package let reason: String

    package init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}

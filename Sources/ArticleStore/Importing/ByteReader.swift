import Platform

/// A window that moves over a stream of bytes and grows only on request. It is a class because a stream cannot be
/// copied, and copying the window would cost more than reading.
final class ByteReader {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let chunk = 1 << 16

    /// The original encoding, if the bytes were converted to UTF-8; nil if they are unchanged.
    let encoding: String?
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var buffer: [UInt8] = []
    private var range = 0..<0
    private var isAtEnd = false

    /// - Parameter read: fills the buffer with the next bytes and returns their number; 0 at the end.
    init(encoding: String? = nil, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.encoding = encoding
        self.read = read
    }

    /// The number of bytes in the window.
    var count: Int { range.count }

    /// Calls a closure with the bytes in the window.
    func withBytes<T, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        let range = range
        return try buffer.withUnsafeBufferPointer { (bytes) throws(E) -> T in
            try body(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Moves the start of the window forward.
    func drop(_ count: Int) { range = range.lowerBound + count..<range.upperBound }

    /// Reads more bytes to the end of the window.
    /// - Returns: false at the end of the stream.
    func fill() throws -> Bool {
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
    func dropByteOrderMark() throws {
        while count < 3, try fill() {}
        if withBytes({ $0.starts(with: Self.byteOrderMark) }) { drop(3) }
    }
}

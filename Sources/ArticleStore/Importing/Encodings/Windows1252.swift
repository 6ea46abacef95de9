import Text

/// The encoding of most of the web before UTF-8.
enum Windows1252 {
    /// Returns the character of a byte, or a control character if none is assigned, as in browsers
    /// (<https://encoding.spec.whatwg.org/index-windows-1252.txt>).
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The characters from 0x80 to 0x9F. All others equal Latin-1.
    private static let special = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Converts windows-1252 into UTF-8, in pieces.
    final class Decoder {
        private let source: ByteReader
        /// Whether UTF-8 sequences are kept.
        private let keepsUTF8: Bool
        private var isAtEnd = false

        init(_ source: ByteReader, keepsUTF8: Bool) {
            self.source = source
            self.keepsUTF8 = keepsUTF8
        }

        /// Fills the buffer with the next text.
        ///
        /// - Returns: the number of bytes; 0 at the end.
        /// - Throws: the errors of reading.
        func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
            while true {
                let (read, written) = source.withBytes { convert($0, target) }
                source.drop(read)
                if written > 0 { return written }
                if isAtEnd { return 0 }
                isAtEnd = try !source.fill()
            }
        }

        private func convert(
            _ bytes: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutableRawBufferPointer
        ) -> (read: Int, written: Int) {
            var read = 0
            var written = 0
            while read < bytes.count, written + 4 <= target.count {
                if bytes[read] < 0x80 {
                    target[written] = bytes[read]
                    (read, written) = (read + 1, written + 1)
                    continue
                }
                if keepsUTF8 {
                    switch UTF8Sequence(bytes[read...].prefix(4)) {
                    case .whole(let length, _):
                        for offset in 0..<length { target[written + offset] = bytes[read + offset] }
                        (read, written) = (read + length, written + length)
                        continue
                    case .cut where !isAtEnd: return (read, written)
                    case .cut, .wrong: break
                    }
                }
                for unit in String(Windows1252.scalar(of: bytes[read])).utf8 {
                    target[written] = unit
                    written += 1
                }
                read += 1
            }
            return (read, written)
        }
    }
}

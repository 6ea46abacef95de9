import ArticleStore
import Platform
import Text

/// Converts text from any encoding that iconv supports into UTF-8, in pieces.
final class IconvDecoder {
    /// The output for invalid bytes. It is invalid in UTF-8 too, so the reader of the output detects it.
    static let invalid: UInt8 = 0xFF

    private let source: ByteReader
    private let converter: iconv_t
    /// The number of bytes to skip if they are invalid.
    private let unit: Int
    private var isAtEnd = false

    /// Nil if iconv does not support the encoding.
    init?(_ source: ByteReader, from name: String, unit: Int) {
        guard let converter = Self.open(name) else { return nil }
        self.source = source
        self.converter = converter
        self.unit = unit
    }

    deinit { iconv_close(converter) }

    static func knows(_ name: String) -> Bool {
        guard let converter = open(name) else { return false }
        iconv_close(converter)
        return true
    }

    private static func open(_ name: String) -> iconv_t? {
        let converter = iconv_open("UTF-8", name)
        return Int(bitPattern: converter) == -1 ? nil : converter
    }

    /// Fills the buffer with the next text.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: the errors of reading.
    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        var output = target
        while !isAtEnd, output.count == target.count {
            let isMore = source.count >= unit ? true : try source.fill()
            if source.count == 0, !isMore {
                isAtEnd = true
                convert(nil, &output)
                break
            }
            var code = convert(source, &output)
            // The window ends inside a character. Read more.
            if code == EINVAL { code = try source.fill() ? 0 : EILSEQ }
            if code == EILSEQ, let byte = output.baseAddress {
                byte.storeBytes(of: Self.invalid, as: UInt8.self)
                output = UnsafeMutableRawBufferPointer(rebasing: output.dropFirst())
                source.drop(min(unit, source.count))
            }
        }
        return target.count - output.count
    }

    /// Converts the bytes in the window or, without a source, writes the final state of the converter.
    ///
    /// - Returns: the error code with which it stopped; 0 if everything was converted.
    @discardableResult
    private func convert(_ source: ByteReader?, _ output: inout UnsafeMutableRawBufferPointer) -> Int32 {
        var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        // Reserve one byte for the output of an invalid byte.
        var room = output.count - 1
        var left = 0
        var code: Int32 = 0
        func convert(_ input: UnsafePointer<UInt8>?, _ count: Int) {
            var input = UnsafeMutableRawPointer(mutating: input)?.assumingMemoryBound(to: CChar.self)
            left = count
            code = iconv(converter, &input, &left, &target, &room) == -1 ? errno : 0
        }
        if let source {
            let count = source.count
            source.withBytes { convert($0.baseAddress, $0.count) }
            source.drop(count - left)
        } else {
            convert(nil, 0)
        }
        output = UnsafeMutableRawBufferPointer(rebasing: output[(output.count - 1 - room)...])
        return code
    }
}

/// The encoding of most of the web before UTF-8.
enum Windows1252 {
    /// Returns the character of a byte, or a control character if none is assigned, as in browsers
    /// (<https://encoding.spec.whatwg.org/index-windows-1252.txt>).
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The characters from 0x80 to 0x9F. All others equal Latin-1.
    private static let special = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

/// Converts bytes into UTF-8, in pieces.
final class ByteDecoder {
    /// The reading of bytes.
    enum Reading {
        /// All bytes are windows-1252.
        case windows1252
        /// Bytes that are not UTF-8 are windows-1252.
        case windows1252AmongUTF8
        /// A sequence that is not UTF-8, also one that is cut off, is one U+FFFD, as in browsers.
        case replacement
    }

    private let source: ByteReader
    private let reading: Reading
    private var isAtEnd = false

    init(_ source: ByteReader, as reading: Reading) {
        (self.source, self.reading) = (source, reading)
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
            var wrong = 1
            if reading != .windows1252 {
                switch UTF8Sequence(bytes[read...].prefix(4)) {
                case .whole(let length, _):
                    for offset in 0..<length { target[written + offset] = bytes[read + offset] }
                    (read, written) = (read + length, written + length)
                    continue
                case .cut where !isAtEnd: return (read, written)
                case .cut(let length), .wrong(let length): wrong = length
                }
            }
            let isReplaced = reading == .replacement
            for unit in String(isReplaced ? "\u{FFFD}" : Windows1252.scalar(of: bytes[read])).utf8 {
                target[written] = unit
                written += 1
            }
            read += isReplaced ? wrong : 1
        }
        return (read, written)
    }
}

extension ByteReader {
    /// Returns the text with U+FFFD in place of bytes that are not UTF-8.
    func replacingInvalidText() -> ByteReader {
        let decoder = ByteDecoder(self, as: .replacement)
        return ByteReader(encoding: encoding) { try decoder.read(into: $0) }
    }
}

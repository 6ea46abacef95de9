import Text
import Platform

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

/// Reads one value from JSON text (RFC 8259) that is in memory as a whole.
///
/// We do not use JSONDecoder because it must know the keys in advance, does not keep the spelling of numbers, and does
/// not give the position of a mistake.
package struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var count = 0

    /// Reads the single value of a text.
    ///
    /// - Throws: JSONError, with the mistake and its position.
    package static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.index == bytes.count else { throw parser.failure("more text after the value") }
        return value
    }

    private static let invalid = "a string that is not valid UTF-8"

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private func failure(_ reason: String) -> JSONError { JSONError(reason: reason, offset: index) }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.depthLimit else {
            throw failure("values nested more than \(JSON.depthLimit) deep")
        }
        count += 1
        guard count <= JSON.countLimit else { throw failure("more than \(JSON.countLimit) values") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(0x30...0x39): return .number(try number())
        case nil: throw failure("the text ends where a value should be")
        default: throw failure("a value was expected")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(UnsafeBufferPointer(rebasing: bytes[index..<end])) })
        else { throw failure("a value was expected") }
        index = end
        return value
    }

    private mutating func number() throws(JSONError) -> String {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        if peek == UInt8(ascii: "0") { index += 1 } else { try digits() }
        if peek == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw failure("a digit was expected") }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        index += 1
        skipSpace()
        var elements: [JSON] = []
        if peek == UInt8(ascii: "]") {
            index += 1
            return .array(elements)
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            switch peek {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return .array(elements)
            default: throw failure("\",\" or \"]\" was expected")
            }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        index += 1
        skipSpace()
        var members: [JSON.Member] = []
        if peek == UInt8(ascii: "}") {
            index += 1
            return .object(members)
        }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure("a key in quotation marks was expected") }
            let key = try string()
            skipSpace()
            guard peek == UInt8(ascii: ":") else { throw failure("\":\" was expected") }
            index += 1
            members.append(JSON.Member(key, try value(depth: depth + 1)))
            skipSpace()
            switch peek {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "}"):
                index += 1
                return .object(members)
            default: throw failure("\",\" or \"}\" was expected")
            }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        // Most strings do not contain escapes and are copied in one step.
        try skipPlain()
        if bytes[index] == UInt8(ascii: "\"") {
            let plain = String(validating: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
            guard let plain else { throw JSONError(reason: Self.invalid, offset: start) }
            index += 1
            return plain
        }
        var text: [UInt8] = []
        text.reserveCapacity(2 * (index - start))
        text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        while bytes[index] != UInt8(ascii: "\"") {
            try escape(into: &text)
            let start = index
            try skipPlain()
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        }
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else {
            throw JSONError(reason: Self.invalid, offset: start)
        }
        return string
    }

    /// Moves to the next quotation mark or backslash. Throws if the text ends before it.
    private mutating func skipPlain() throws(JSONError) {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            guard byte >= 0x20 else { throw failure("a control character inside a string") }
            index += 1
        }
        throw failure("the text ends inside a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        index += 1
        guard let byte = peek else { throw failure("the text ends inside a string") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try escapedScalar()
            text.append(contentsOf: String(scalar).utf8)
        default:
            index -= 1
            throw failure("an unknown escape")
        }
    }

    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, peek == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw failure("half of a surrogate pair, which is not a character") }
        index += 2
        let low = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar((unit - 0xD800) << 10 + low - 0xDC00 + 0x10000)
        else { throw failure("half of a surrogate pair, which is not a character") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard index + 4 <= bytes.count else { throw failure("four hexadecimal digits were expected") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
                throw failure("four hexadecimal digits were expected")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

/// The reason why a text is not JSON.
package struct JSONError: Error, Hashable {
    package let reason: String
    /// The number of bytes before the mistake.
    package let offset: Int
}

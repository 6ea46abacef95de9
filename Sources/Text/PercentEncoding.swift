extension [UInt8] {
    /// Appends a byte in percent-encoding: `%` and two hexadecimal digits (RFC 3986, section 2.1).
    package mutating func appendPercentEncoded(_ byte: UInt8) {
        func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) }
        self += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }
}

extension String {
    /// The text, percent-encoded for any part of an address: everything except letters, digits, and `-._~` is encoded.
    package var percentEncoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes.appendPercentEncoded(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The text with each `%` and two hexadecimal digits replaced by the byte that they encode (RFC 3986, section 2.1).
    package var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count > 1
            {
                bytes.append(code)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

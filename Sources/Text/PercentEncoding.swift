extension [UInt8] {
    /// Adds a byte as an address has it where it cannot stand for itself: `%` and two hexadecimal digits (RFC 3986, section 2.1).
    package mutating func appendPercentEncoded(_ byte: UInt8) {
        func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) }
        self += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }
}

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648, section 5).
package enum Base64URL {
    /// Returns bytes as text.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (count, bits, held) = (0, 0 as UInt32, 0 as UInt32)
            func put(_ value: UInt32) {
                text[count] = character(UInt8(value & 63))
                count += 1
            }
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                held += 8
                while held >= 6 {
                    held -= 6
                    put(bits >> held)
                }
            }
            if held > 0 { put(bits << (6 - held)) }
            return count
        }
    }

    /// Returns the bytes of a text that ``encode(_:)`` made; nil for any other text, so that the same bytes always have
    /// the same text.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        return encode(bytes) == text ? bytes : nil
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

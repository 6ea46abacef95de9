import CEntities

/// Character references of HTML (`&amp;`, `&#233;`, `&#xE9;`).
enum CharacterReference {
    /// Returns the text of a reference with its `&` and `;`; nil if it is not a reference.
    static func decoded(_ source: some StringProtocol) -> String? {
        guard source.utf8.count <= longest, source.hasPrefix("&"), source.hasSuffix(";") else { return nil }
        var name = String(source.dropFirst().dropLast())
        guard name.hasPrefix("#") else {
            var scalars: (UInt32, UInt32) = (0, 0)
            let count = name.withUTF8 { name in
                name.withMemoryRebound(to: CChar.self) { name -> Int32 in
                    guard let start = name.baseAddress else { return 0 }
                    return withUnsafeMutableBytes(of: &scalars) {
                        $0.bindMemory(to: UInt32.self).baseAddress.map { centities_find(start, name.count, $0) } ?? 0
                    }
                }
            }
            let found = [scalars.0, scalars.1].prefix(Int(count)).compactMap(Unicode.Scalar.init)
            return found.isEmpty ? nil : String(String.UnicodeScalarView(found))
        }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits) else { return nil }
        return value == 0 ? "\u{FFFD}" : String(Unicode.Scalar(value) ?? "\u{FFFD}")
    }

    /// Returns the text with all references decoded.
    static func decodeAll(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded: [UInt8] = []
        var text = text
        text.withUTF8 { append($0[...], to: &decoded) }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Appends a text to bytes with all references decoded.
    static func append(_ text: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]) {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            bytes.append(contentsOf: rest[..<start])
            rest = rest[start...]
            if let end = rest.prefix(longest).firstIndex(of: UInt8(ascii: ";")),
                let decoded = decoded(String(decoding: rest[...end], as: UTF8.self))
            {
                bytes.append(contentsOf: decoded.utf8)
                rest = rest[(end + 1)...]
            } else {
                bytes.append(rest[start])
                rest = rest.dropFirst()
            }
        }
        bytes.append(contentsOf: rest)
    }

    private static let longest = 50
}

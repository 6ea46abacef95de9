/// Writes JSON (RFC 8259) into bytes.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer without output.
    package init() { bytes.reserveCapacity(512) }

    /// The text written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes text that is already JSON.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes text that is already JSON.
    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a text in UTF-8 that is already JSON.
    package mutating func raw(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    /// Writes a text as a JSON string.
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            while let index = utf8.firstIndex(
                from: start,
                where: {
                    ($0 .< .all(0x20)) .| ($0 .== .all(UInt8(ascii: "\""))) .| ($0 .== .all(UInt8(ascii: "\\")))
                })
            {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes texts as an array of strings.
    package mutating func strings(_ texts: [String]) {
        raw("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { raw(",") }
            string(text)
        }
        raw("]")
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: the value to write.
    ///   - isCanonical: whether to sort the keys of objects by their bytes and to keep only the last of equal keys, so
    ///     that equal content always has the same text.
    package mutating func value(_ value: JSON, isCanonical: Bool = false) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let text): raw(text)
        case .encoded(let text): raw(text)
        case .string(let text): string(text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(",") }
                self.value(element, isCanonical: isCanonical)
            }
            raw("]")
        case .object(let members):
            raw("{")
            for (index, member) in (isCanonical ? Self.canonical(members) : members).enumerated() {
                if index > 0 { raw(",") }
                string(member.key)
                raw(":")
                self.value(member.value, isCanonical: isCanonical)
            }
            raw("}")
        }
    }

    private static func canonical(_ members: [JSON.Member]) -> [JSON.Member] {
        var last: [String: JSON] = [:]
        for member in members { last[member.key] = member.value }
        return last.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { JSON.Member($0.key, $0.value) }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x08: raw(#"\b"#)
        case 0x09: raw(#"\t"#)
        case 0x0A: raw(#"\n"#)
        case 0x0C: raw(#"\f"#)
        case 0x0D: raw(#"\r"#)
        case 0x22: raw(#"\""#)
        case 0x5C: raw(#"\\"#)
        default:
            raw(byte < 0x10 ? #"\u000"# : #"\u001"#)
            bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
        }
    }
}

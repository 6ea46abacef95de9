import Text

/// Writes a path: segments, then parameters, percent-encoded where RFC 3986 wants it.
struct PathWriter {
    private(set) var path: String

    init(_ segments: String...) {
        path = segments.map { "/" + Self.encoded($0) }.joined()
    }

    /// The path with one more parameter; a nil value adds none.
    func adding(_ name: String, _ value: String?) -> PathWriter {
        guard let value else { return self }
        var copy = self
        copy.path += (path.contains("?") ? "&" : "?") + name + "=" + Self.encoded(value)
        return copy
    }

    /// Everything but the unreserved characters of RFC 3986, section 2.3, byte by byte.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        // A segment of dots means a folder, wherever a path is read as a URL.
        return result == "." ? "%2E" : result == ".." ? "%2E%2E" : result
    }
}

/// Reads a path into its segments and parameters.
struct PathReader {
    private(set) var segments: [String] = []
    private(set) var parameters: [String: String] = [:]

    /// Nil when an escape is broken, a segment is empty, or a parameter is there twice or has no value.
    init?(_ path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var trimmed = parts[0]
        if trimmed.first == "/" { trimmed.removeFirst() }
        if trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        if !trimmed.isEmpty {
            for segment in trimmed.split(separator: "/", omittingEmptySubsequences: false) {
                guard !segment.isEmpty, let decoded = Self.decoded(segment) else { return nil }
                segments.append(decoded)
            }
        }
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let name = Self.decoded(sides[0]), let value = Self.decoded(sides[1]),
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let high = Character(Unicode.Scalar(high)).hexDigitValue,
                let low = Character(Unicode.Scalar(low)).hexDigitValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

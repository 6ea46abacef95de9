internal import Text

extension HTTPQuery {
    /// Whether a content type is that of a form with files (RFC 7578).
    package static func isMultipart(_ type: String) -> Bool { type.lowercased().hasPrefix("multipart/form-data") }

    /// Parses the body of a form with files (RFC 7578); nil if it is cut off, or if a value that is not a file is not
    /// UTF-8. The value of a file is its content.
    ///
    /// - Parameter type: the content type of the request, which contains the boundary of the parts.
    package init?(multipart body: [UInt8], type: String) {
        guard let boundary = Self.attribute("boundary", in: type), !boundary.isEmpty else { return nil }
        let parts = Self.parts(of: Array("\r\n".utf8) + body, boundary: boundary).dropFirst()
        guard let end = parts.last, end.starts(with: "--".utf8) else { return nil }
        var items: [Item] = []
        for part in parts.dropLast() {
            guard let halves = Self.halves(of: part), let head = String(validating: halves.head, as: UTF8.self),
                let line = head.split(separator: "\r\n").first(where: {
                    $0.lowercased().hasPrefix("content-disposition:")
                }),
                let name = Self.attribute("name", in: String(line))
            else { return nil }
            if let value = String(validating: halves.value, as: UTF8.self) {
                items.append(Item(name: name, value: value))
            } else if Self.attribute("filename", in: String(line)) != nil {
                items.append(Item(name: name, bytes: Array(halves.value)))
            } else {
                return nil
            }
        }
        self.init(items: items)
    }

    /// Splits a body at its boundary. Compares bytes, because a file may have many megabytes.
    private static func parts(of body: [UInt8], boundary: String) -> [ArraySlice<UInt8>] {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        return body.withUnsafeBufferPointer { bytes in
            var parts: [ArraySlice<UInt8>] = []
            var (start, index) = (0, 0)
            while let found = bytes.firstIndex(of: UInt8(ascii: "\r"), from: index) {
                guard bytes[found...].starts(with: delimiter) else {
                    index = found + 1
                    continue
                }
                parts.append(body[start..<found])
                start = found + delimiter.count
                index = start
            }
            return parts + [body[start...]]
        }
    }

    /// Splits a part into its header and its value; nil without an empty line.
    private static func halves(of part: ArraySlice<UInt8>) -> (head: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let end = part.withUnsafeBufferPointer({ $0.firstIndex(of: "\r\n\r\n") }) else { return nil }
        return (part.prefix(end), part.dropFirst(end + 4))
    }

    /// Returns the value after `; name=` in a field, with or without quotes.
    private static func attribute(_ name: String, in field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            let value = pair[1]
            return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }
}

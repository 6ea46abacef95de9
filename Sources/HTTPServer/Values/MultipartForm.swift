extension HTTPQuery {
    /// Whether a content type is that of a form with files (RFC 7578).
    package static func isMultipart(_ type: String) -> Bool { type.lowercased().hasPrefix("multipart/form-data") }

    /// Parses the body of a form with files (RFC 7578); nil if it is cut off or is not UTF-8. The value of a file is its
    /// content.
    ///
    /// - Parameter type: the content type of the request, which contains the boundary of the parts.
    package init?(multipart body: [UInt8], type: String) {
        guard let boundary = Self.attribute("boundary", in: type), !boundary.isEmpty,
            let text = String(validating: body, as: UTF8.self)
        else { return nil }
        let parts = ("\r\n" + text).split(separator: "\r\n--" + boundary, omittingEmptySubsequences: false).dropFirst()
        guard let end = parts.last, end.hasPrefix("--") else { return nil }
        var items: [Item] = []
        for part in parts.dropLast() {
            let halves = part.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2,
                let line = halves[0].split(separator: "\r\n").first(where: {
                    $0.lowercased().hasPrefix("content-disposition:")
                }),
                let name = Self.attribute("name", in: String(line))
            else { return nil }
            items.append(Item(name: name, value: String(halves[1])))
        }
        self.init(items: items)
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

package import Text

extension Article {
    /// The keys of ``extra``; empty if it is not an object.
    package var extraKeys: [String] { Self.keys(ofExtra: extra) }

    /// Returns the keys of a JSON object; empty for any other text.
    package static func keys(ofExtra extra: String) -> [String] {
        var text = extra
        return text.withUTF8 { try? JSONParser.value(of: $0) }?.members?.map(\.key) ?? []
    }

    /// ``extra`` as a JSON value. It is an object if reading the object back gives exactly the same text; otherwise it
    /// is the text as a string. Nil for an empty object.
    package var writtenExtra: JSON? {
        if extra == "{}" { return nil }
        var text = extra
        guard let value = text.withUTF8({ try? JSONParser.value(of: $0) }), case .object(let members) = value else {
            return .string(extra)
        }
        // The value will be nested in the record and, in front matter, in a key, so leave room below the limits.
        guard !members.isEmpty, value.depth + 2 <= JSON.depthLimit, value.count + 1000 <= JSON.countLimit else {
            return .string(extra)
        }
        var writer = JSONWriter()
        writer.value(value, isCanonical: true)
        return writer.text.isIdentical(to: extra) ? value : .string(extra)
    }
}

extension JSON {
    /// The number of values in this value, including itself.
    fileprivate var count: Int {
        switch self {
        case .null, .bool, .number, .string, .encoded: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }
}

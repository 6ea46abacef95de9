import Text

extension Article {
    /// The keys of ``extra``, where that is an object.
    package var extraKeys: [String] { Self.keys(ofExtra: extra) }

    /// The keys of an object in JSON; none of anything else.
    static func keys(ofExtra extra: String) -> [String] {
        var text = extra
        return text.withUTF8 { try? JSONParser.value(of: $0) }?.members?.map(\.key) ?? []
    }

    /// ``extra`` as a value that is put together to the same text when it is read back: an object, or, where that would come out
    /// otherwise, the text itself as a string. Nil for nothing.
    var writtenExtra: JSON? {
        if extra == "{}" { return nil }
        var text = extra
        guard let value = text.withUTF8({ try? JSONParser.value(of: $0) }), case .object(let members) = value else {
            return .string(extra)
        }
        // Around it are the record and, in front matter, a key of its own.
        guard !members.isEmpty, value.depth + 2 <= JSON.depthLimit, value.count + 1000 <= JSON.countLimit else {
            return .string(extra)
        }
        var writer = JSONWriter()
        writer.value(value, isCanonical: true)
        return writer.text.isIdentical(to: extra) ? value : .string(extra)
    }
}

extension JSON {
    /// How many values there are, this one included.
    fileprivate var count: Int {
        switch self {
        case .null, .bool, .number, .string, .encoded: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }
}

import Text

/// The key of an article in a source whose keys are paths: the path of the file and, for one of several records in it,
/// the key of the record.
///
/// The two are separated by the first `#` that follows a name with a known file extension. A `#` in a path after a name
/// with such an extension, and the separator after any other name, are written as `//#`, which cannot occur in a path.
/// So keys are unique, and the key of a file is its path whenever that is unambiguous.
struct PathKey {
    /// The path of the file in its source.
    let path: ExactText
    /// The key that the record states; nil if the article is the file.
    let record: ExactText?

    private static let sign = UInt8(ascii: "#")
    private static let escape = "//"

    init(path: ExactText, record: ExactText? = nil) {
        self.path = path
        self.record = record
    }

    /// Parses a key.
    init(_ key: ExactText) {
        var path = ""
        var rest = Substring(key.text)
        while let sign = rest.utf8.firstIndex(of: Self.sign) {
            let isEscaped = rest.utf8[..<sign].suffix(2).elementsEqual(Self.escape.utf8)
            path += Substring(rest.utf8[..<sign].dropLast(isEscaped ? 2 : 0))
            rest = rest[rest.utf8.index(after: sign)...]
            if Self.isFile(path) != isEscaped {
                self.init(path: ExactText(path), record: ExactText(rest))
                return
            }
            path += "#"
        }
        self.init(path: path.isEmpty ? key : ExactText(path + rest))
    }

    /// The key as a text.
    var key: ExactText {
        var key = ""
        var rest = Substring(path.text)
        while let sign = rest.utf8.firstIndex(of: Self.sign) {
            key += rest[..<sign]
            key += Self.isFile(String(path.text[..<sign])) ? Self.escape + "#" : "#"
            rest = rest[rest.utf8.index(after: sign)...]
        }
        key += rest
        guard let record else { return ExactText(key) }
        return "\(key)\(Self.isFile(path.text) ? "" : Self.escape)#\(record)"
    }

    private static func isFile(_ path: String) -> Bool { ImportFormat(fileName: path) != nil }
}

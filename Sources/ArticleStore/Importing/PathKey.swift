/// What the key of an article says in a source whose keys are paths: the path of its file and, of one of several records in it,
/// what the record calls itself.
///
/// A `#` divides the two: the first one that follows the name of a file, as its ending tells. One in a path that follows such a
/// name, and the one that divides after any other name, are written `//#`, as no path goes on. So no two have one key, and
/// that of a file is its path wherever it could not be taken for a record.
struct PathKey {
    /// The path of the file in its source.
    let path: ExactText
    /// What the record calls itself; nil where the article is the file.
    let record: ExactText?

    private static let sign = UInt8(ascii: "#")
    private static let escape = "//"

    init(path: ExactText, record: ExactText? = nil) {
        self.path = path
        self.record = record
    }

    /// What a key says.
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

    /// The key that says it.
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

package import Text

/// The key of an article in a source whose keys are paths: the path of the file and, for one of several records in it,
/// the key of the record.
///
/// The two are separated by the first `#` that follows a name with a known file extension. A `#` in a path after a name
/// with such an extension, and the separator after any other name, are written as `//#`, which cannot occur in a path.
/// So keys are unique, and the key of a file is its path whenever that is unambiguous.
package struct PathKey {
    /// The path of the file in its source.
    package let path: ExactText
    /// The key that the record states; nil if the article is the file.
    package let record: ExactText?

    private static let sign = UInt8(ascii: "#")
    private static let escape = "//"

    package init(path: ExactText, record: ExactText? = nil) {
        self.path = path
        self.record = record
    }

    /// Parses a key.
    package init(_ key: ExactText) {
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
    package var key: ExactText {
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

/// Paths in sources and keys: texts with `/` as separator, which are equal if their bytes are equal.
extension ExactText {
    private static let slash = UInt8(ascii: "/")

    /// The last part of the path.
    package var lastPathComponent: String {
        utf8.split(separator: Self.slash).last.map { String(Substring($0)) } ?? text
    }

    /// The path of the parent folder.
    package var parentPath: ExactText {
        let parent = utf8.lastIndex(of: Self.slash).map { ExactText(text[..<$0]) } ?? ""
        return parent.isEmpty ? "/" : parent
    }

    /// Returns the path of an entry below this folder.
    package func appending(path: ExactText) -> ExactText {
        utf8.last == Self.slash ? "\(self)\(path)" : "\(self)/\(path)"
    }

    /// Returns the rest of the path below a folder; nil if it is not in the folder.
    package func path(below folder: ExactText) -> ExactText? {
        let start = folder.appending(path: "").utf8
        guard utf8.count > start.count, utf8.starts(with: start) else { return nil }
        return ExactText(Substring(utf8.dropFirst(start.count)))
    }
}

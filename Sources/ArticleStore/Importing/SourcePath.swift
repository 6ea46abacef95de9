import Platform
import Text

/// Paths in sources and keys: texts with `/` as separator, which are equal if their bytes are equal.
extension ExactText {
    private static let slash = UInt8(ascii: "/")

    /// The last part of the path.
    var lastPathComponent: String {
        utf8.split(separator: Self.slash).last.map { String(Substring($0)) } ?? text
    }

    /// The path of the parent folder.
    var parentPath: ExactText {
        let parent = utf8.lastIndex(of: Self.slash).map { ExactText(text[..<$0]) } ?? ""
        return parent.isEmpty ? "/" : parent
    }

    /// Returns the path of an entry below this folder.
    func appending(path: ExactText) -> ExactText { utf8.last == Self.slash ? "\(self)\(path)" : "\(self)/\(path)" }

    /// Returns the rest of the path below a folder; nil if it is not in the folder.
    func path(below folder: ExactText) -> ExactText? {
        let start = folder.appending(path: "").utf8
        guard utf8.count > start.count, utf8.starts(with: start) else { return nil }
        return ExactText(Substring(utf8.dropFirst(start.count)))
    }
}

extension FilePath {
    /// The path as a text that is unique and safe to print.
    var exact: ExactText { ExactText(escaped) }

    init(exact: ExactText) { self.init(escaped: exact.text) }
}

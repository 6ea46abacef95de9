/// Paths as sources and keys hold them: texts whose parts are divided by `/`, and are the same where their bytes are.
extension ExactText {
    private static let slash = UInt8(ascii: "/")

    /// The last part of the path.
    var lastPathComponent: String {
        utf8.split(separator: Self.slash).last.map { String(Substring($0)) } ?? text
    }

    /// The path of the folder that it is in.
    var parentPath: ExactText {
        let parent = utf8.lastIndex(of: Self.slash).map { ExactText(text[..<$0]) } ?? ""
        return parent.isEmpty ? "/" : parent
    }

    /// The path of what is at a path below this one.
    func appending(path: ExactText) -> ExactText { utf8.last == Self.slash ? "\(self)\(path)" : "\(self)/\(path)" }

    /// The rest of the path below a folder; nil where it is not in it.
    func path(below folder: ExactText) -> ExactText? {
        let start = folder.appending(path: "").utf8
        guard utf8.count > start.count, utf8.starts(with: start) else { return nil }
        return ExactText(Substring(utf8.dropFirst(start.count)))
    }
}

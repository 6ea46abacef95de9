/// Paths as sources and keys hold them: texts whose parts are divided by `/`.
extension String {
    /// The last part of the path.
    var lastPathComponent: String {
        split(separator: "/").last.map { String($0) } ?? self
    }

    /// The path of the folder that it is in.
    var parentPath: String {
        let parent = utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? ""
        return parent.isEmpty ? "/" : parent
    }

    /// The path of what is at a path below this one.
    func appending(path: String) -> String { hasSuffix("/") ? self + path : self + "/" + path }

    /// The rest of the path below a folder; nil where it is not in it.
    func path(below folder: String) -> String? {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        guard utf8.count > start.utf8.count, hasPrefix(start) else { return nil }
        return String(dropFirst(start.count))
    }
}

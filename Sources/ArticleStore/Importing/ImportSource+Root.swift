import Platform

extension ImportSource {
    /// The input of the import; nil if the path cannot be accessed.
    var root: ImportRoot? {
        switch self {
        case .descriptor(_, let name): return ImportRoot(stream: name)
        case .path(let path):
            let path = FilePath(path)
            return (try? FileKind(of: path)).map { ImportRoot($0, at: path) }
        }
    }
}

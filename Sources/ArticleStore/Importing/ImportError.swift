import Text

/// Why an import did not begin.
public enum ImportError: Error, Hashable, CustomStringConvertible {
    /// A source is not there.
    case noSuchFile(String)
    /// What comes through a stream cannot be kept in `ImportOptions.temporaryFolder` until it has ended.
    case cannotKeep(String, folder: String, reason: String)
    /// `ImportOptions.encoding` is no name of an encoding that is known here.
    case unknownEncoding(String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noSuchFile(let path): "there is no file or folder \(path.sanitized())"
        case .cannotKeep(let name, let folder, let reason):
            "\(name == "-" ? "standard input" : name.sanitized()) cannot be kept in \(folder.sanitized()): \(reason)"
        case .unknownEncoding(let name): "there is no encoding \(name)"
        }
    }
}

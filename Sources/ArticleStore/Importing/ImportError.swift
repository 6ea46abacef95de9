import Text

/// The reason why an import did not begin.
public enum ImportError: Error, Hashable, CustomStringConvertible {
    /// A source does not exist.
    case noSuchFile(String)
    /// The data of a stream cannot be stored in `ImportOptions.temporaryFolder`.
    case cannotKeep(String, folder: String, reason: String)
    /// `ImportOptions.encoding` is not a known encoding.
    case unknownEncoding(String)

    /// The error in words for the user.
    public var description: String {
        switch self {
        case .noSuchFile(let path): "there is no file or folder \(path.sanitized())"
        case .cannotKeep(let name, let folder, let reason):
            "\(name == "-" ? "standard input" : name.sanitized()) cannot be kept in \(folder.sanitized()): \(reason)"
        case .unknownEncoding(let name): "there is no encoding \(name)"
        }
    }
}

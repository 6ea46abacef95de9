/// Why an import did not begin.
public enum ImportFailure: Error, Hashable, CustomStringConvertible {
    /// A source is not there.
    case noSuchFile(String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noSuchFile(let path): "there is no file or folder \(path)"
        }
    }
}

import ArticleStore
package import Text

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
        case .noSuchFile(let path): "\(path.sanitized()) does not exist"
        case .cannotKeep(let name, let folder, let reason):
            "\(name == "-" ? "standard input" : name.sanitized()) cannot be stored in \(folder.sanitized()): \(reason)"
        case .unknownEncoding(let name): "unknown encoding \(name)"
        }
    }
}

extension ImportError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noSuchFile: .notFound
        case .cannotKeep: .cannotCreate
        case .unknownEncoding: .usage
        }
    }

    package var hint: String? {
        switch self {
        case .noSuchFile: "give the paths of existing files and folders, or - for standard input"
        case .cannotKeep: "set TMPDIR to a folder with enough free space"
        case .unknownEncoding: "list the known encodings with: iconv --list"
        }
    }
}

/// An error while an input was read, for example from a defective disk. The import ends there, because later data may
/// be missing too.
public struct InputFailure: Error, Hashable, CustomStringConvertible {
    /// The file.
    public var source: String
    /// The number of bytes that were read before.
    public var bytes: Int
    /// The reason, in the words of the operating system.
    public var reason: String

    /// Creates a failure.
    public init(source: String, bytes: Int, reason: String) {
        self.source = source
        self.bytes = bytes
        self.reason = reason
    }

    /// A single line: `cannot read posts.jsonl after 4096 bytes: Input/output error`.
    public var description: String {
        let name = source == "-" ? "standard input" : source.sanitized()
        return "cannot read \(name) after \(bytes.quantity(of: "byte")): \(reason)"
    }
}

/// The caller has stopped the import.
struct ImportStoppedError: Error {}

import ArticleStore
import Platform
import Text

/// The origin of articles.
public enum ImportSource: Sendable, Hashable {
    /// A file or a folder. In a folder, at any depth, the import reads files whose names end in `.md`, `.markdown`,
    /// `.mdown`, `.html`, `.htm`, `.json`, `.jsonl`, or `.ndjson`, and feeds in XML, in the order of their names. Names
    /// that begin with a dot are skipped. A folder that is reached a second time, such as through a symbolic link to a
    /// parent folder, is skipped too.
    case path(String)
    /// An open file descriptor, with the name for reports. It is read to its end and left open.
    case descriptor(Int32, name: String)

    /// Whether it is a device, such as the terminal. A device is read only if the user named it on the command line.
    public var isDevice: Bool {
        guard case .path(let path) = self else { return false }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    }

    /// Standard input. Reports call it `-`.
    public static let standardInput = ImportSource.descriptor(0, name: "-")
}

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

/// An input of an import: a folder, a file, or a stream.
struct ImportRoot: Hashable {
    let kind: FileKind
    /// The name of the input for the user.
    let name: String
    /// The absolute path without symbolic links, which is unique; nil for a stream.
    let location: ExactText?

    /// Creates an input from a folder or a file.
    init(_ kind: FileKind, at path: FilePath) {
        self.kind = kind
        name = path.text
        location = kind == .stream ? nil : path.resolved?.exact
    }

    /// Creates an input from a stream with this name.
    init(stream name: String) {
        kind = .stream
        self.name = name
        location = nil
    }
}

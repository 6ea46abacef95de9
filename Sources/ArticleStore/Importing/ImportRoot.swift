import Text
import Platform

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

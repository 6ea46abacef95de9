import Platform

/// What an import was given: a folder with files in it, a file or a stream.
struct ImportRoot: Hashable {
    enum Kind { case folder, file, stream }

    let kind: Kind
    /// What it was given as, for people.
    let name: String
    /// Where it is, the same however its path is spelled: absolute and without symbolic links. Nil for a stream.
    let location: ExactText?

    /// A folder or a file at a path.
    init(_ kind: Kind, at path: FilePath) {
        self.kind = kind
        name = path.text
        location = kind == .stream ? nil : path.resolved?.exact
    }

    /// A stream of that name.
    init(stream name: String) {
        kind = .stream
        self.name = name
        location = nil
    }
}

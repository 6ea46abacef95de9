import Platform
import Text

/// The facts about a record apart from its content.
struct RecordPlace {
    /// The facts in the name of its file.
    let name: FileNameFacts
    /// The modification time of its file; nil for a stream.
    let modified: Date?
    /// Whether its file was found in a folder, which may contain many other files, instead of being named by the user.
    let isFound: Bool
    /// The folder of its file, if related files may be next to it; else nil.
    let folder: OpenFolder?

    /// The place of a text that is not from a file.
    static var none: RecordPlace { RecordPlace(name: .none) }

    private init(name: FileNameFacts) {
        self.name = name
        modified = nil
        isFound = false
        folder = nil
    }

    /// Creates the place of an article that is a file.
    init(_ file: SourceFiles.File) {
        name = file.facts
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }

    /// Creates the place of one of several records of a file.
    init(ofRecordsIn file: SourceFiles.File) {
        name = FileNameFacts(ofRecordsIn: file.facts)
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }
}

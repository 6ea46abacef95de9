import Essentials

/// What is known of a record besides what it says itself.
struct RecordPlace {
    /// What the name of its file says.
    let name: FileNameFacts
    /// When its file was written last; nil for a stream.
    let modified: Date?
    /// Whether its file was found in a folder, where much lies that is no article, and not given by its own name.
    let isFound: Bool
    /// The folder that its file is in, where something may stand beside it; nil where nothing does.
    let folder: OpenFolder?

    /// That of a text that is from no file.
    static var none: RecordPlace { RecordPlace(name: .none) }

    private init(name: FileNameFacts) {
        self.name = name
        modified = nil
        isFound = false
        folder = nil
    }

    /// The place of an article that is a file.
    init(_ file: SourceFiles.File) {
        name = file.facts
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }

    /// The place of one of several records of a file.
    init(ofRecordsIn file: SourceFiles.File) {
        name = FileNameFacts(ofRecordsIn: file.facts)
        modified = file.modified
        isFound = file.root.kind == .folder
        folder = file.folder
    }
}

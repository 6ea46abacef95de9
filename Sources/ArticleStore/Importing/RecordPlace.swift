import Essentials

/// What is known of a record besides what it says itself.
struct RecordPlace {
    /// What the name of its file says.
    let name: FileNameFacts
    /// When its file was written last; nil for a stream.
    let modified: Date?
    /// Whether its file was found in a folder, where much lies that is no article, and not given by its own name.
    let isFound: Bool

    /// That of a text which is no file.
    static let none = RecordPlace()

    private init() { (name, modified, isFound) = (.none, nil, false) }

    /// The place of an article that is a file.
    init(_ file: SourceFiles.File) {
        name = file.facts
        modified = file.modified
        isFound = file.root.kind == .folder
    }

    /// The place of one of several records of a file.
    init(ofRecordsIn file: SourceFiles.File) {
        name = FileNameFacts(ofRecordsIn: file.facts)
        modified = file.modified
        isFound = file.root.kind == .folder
    }
}

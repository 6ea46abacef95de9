/// Where an article of the file system is: the source that it would be of if none held that place, and its file there.
struct SourceSite {
    /// A folder for an article that is a file of its own, else the file of the records.
    let kind: Source.Kind
    /// Where the source is.
    let location: ExactText
    /// The path of the file below it; for a file of records its name.
    let path: ExactText
    /// Whether all of it was given to the import.
    let isWhole: Bool

    /// Nil for what comes through a stream, and for what says itself of which source it is.
    init?(_ place: IncomingArticle.Place) {
        guard let root = place.root, let location = root.location, let path = place.path else { return nil }
        // A link to a file is that file.
        self.path = root.kind == .folder ? path : ExactText(location.lastPathComponent)
        switch (root.kind, place) {
        case (.folder, _):
            (kind, self.location, isWhole) = (.folder, location, true)
        case (_, .file):
            (kind, self.location, isWhole) = (.files, location.parentPath, false)
        default:
            (kind, self.location, isWhole) = (place.feed == nil ? .file : .feed, location, true)
        }
    }

    /// The file.
    var file: ExactText { kind.hasPaths ? location.appending(path: path) : location }

    /// The path of the file in a source that holds it.
    func path(in source: Source) -> ExactText { source.facts.location.flatMap { file.path(below: $0) } ?? path }
}

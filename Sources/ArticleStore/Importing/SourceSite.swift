import Platform
import Text

/// The place of an article in the file system: the file, and the source to which it belongs unless another source
/// contains that place.
struct SourceSite {
    /// A folder if the article is a file of its own, else the file with the records.
    let kind: Source.Kind
    /// The location of the source.
    let location: ExactText
    /// The path of the file below it; the name of a file with records.
    let path: ExactText
    /// Whether the whole source was an input of the import.
    let isWhole: Bool

    /// Nil for a stream, and for a record that states its source itself.
    init?(_ place: IncomingArticle.Place) {
        guard let root = place.root, let location = root.location, let path = place.path else { return nil }
        // Use the name of the target if the input is a link to a file.
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

    /// Returns the path of the file in a source that contains it.
    func path(in source: Source) -> ExactText { source.facts.location.flatMap { file.path(below: $0) } ?? path }
}

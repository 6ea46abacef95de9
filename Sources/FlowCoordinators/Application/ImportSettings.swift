public import ArticleStore

/// How a front brings articles in: from files of the machine that it runs on, with the rights that it has there.
public struct ImportSettings: Sendable, Hashable {
    /// How the import goes about it.
    public let options: ImportOptions
    /// The folder for a leading `~` in a path; nil to take `~` literally.
    public let home: String?

    /// Settings.
    public init(options: ImportOptions = ImportOptions(), home: String? = nil) {
        self.options = options
        self.home = home
    }

    /// A path as a person types it where no shell reads it.
    func source(at path: String) -> ImportSource {
        guard let home, path == "~" || path.hasPrefix("~/") else { return .path(path) }
        return .path(home + path.dropFirst())
    }
}

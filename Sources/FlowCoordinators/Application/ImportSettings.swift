public import ArticleStore

/// The settings for imports from files of the machine on which the front runs, with the access rights of its process.
public struct ImportSettings: Sendable, Hashable {
    /// The options of the import.
    public let options: ImportOptions
    /// The home folder that replaces a leading `~` in a path; nil to take `~` literally.
    public let home: String?

    /// Creates settings.
    public init(options: ImportOptions = ImportOptions(), home: String? = nil) {
        self.options = options
        self.home = home
    }

    /// Returns the source at a path that the user typed. No shell has expanded `~` in it.
    func source(at path: String) -> ImportSource {
        guard let home, path == "~" || path.hasPrefix("~/") else { return .path(path) }
        return .path(home + path.dropFirst())
    }
}

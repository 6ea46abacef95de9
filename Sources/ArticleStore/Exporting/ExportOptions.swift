/// The metadata that an export states about itself.
public struct ExportOptions: Sendable, Hashable {
    /// The title of a feed, a list of feeds, or a folder of pages.
    public var title: String
    /// The future web address of a feed or a folder of pages; nil if it is unknown.
    public var url: String?

    /// Creates options.
    public init(title: String = "Articles", url: String? = nil) {
        self.title = title
        self.url = url
    }
}

/// What an export says of itself.
public struct ExportOptions: Sendable, Hashable {
    /// What a feed, a list of feeds or a folder of pages is called.
    public var title: String
    /// The address that a feed or a folder of pages will have on the web; nil where that is not known.
    public var url: String?

    /// What an export says of itself.
    public init(title: String = "Articles", url: String? = nil) {
        self.title = title
        self.url = url
    }
}

/// What an export says of itself.
public struct ExportOptions: Sendable, Hashable {
    /// What a feed or a list of feeds is called.
    public var title: String
    /// The address that a feed will have on the web; nil where it is to have none.
    public var url: String?

    /// What an export says of itself.
    public init(title: String = "Articles", url: String? = nil) {
        self.title = title
        self.url = url
    }
}

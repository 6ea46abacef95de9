/// The operator's settings of the front.
public struct WebFrontSettings: Sendable {
    /// Which pictures of articles a browser fetches. The server itself fetches none.
    public enum Images: String, Sendable, CaseIterable {
        /// None; a link stands where one is.
        case off
        /// Those of the site that the article comes from.
        case sameSource = "same-source"
        /// All, so that whoever keeps a picture sees who reads the article.
        case all
    }

    /// The name of the library on every page.
    public var name: String
    /// Which pictures of articles are shown.
    public var images: Images

    /// - Parameters:
    ///   - name: what the library is called on every page.
    ///   - images: which pictures of articles are shown.
    public init(name: String = "Articles", images: Images = .off) {
        self.name = name
        self.images = images
    }
}

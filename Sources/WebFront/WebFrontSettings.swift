/// The operator's settings of the front.
public struct WebFrontSettings: Sendable {
    /// The images in articles that a browser loads. The server itself loads none.
    public enum Images: String, Sendable, CaseIterable {
        /// None. A link replaces each image.
        case off
        /// Images from the site of the article.
        case sameSource = "same-source"
        /// All images. The servers of the images learn who reads the article.
        case all
    }

    /// The name of the library on every page.
    public var name: String
    /// The images in articles to show.
    public var images: Images

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - name: the name of the library on every page.
    ///   - images: the images in articles to show.
    public init(name: String = "Articles", images: Images = .off) {
        self.name = name
        self.images = images
    }
}

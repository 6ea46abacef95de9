/// The preferences of a user who has chosen none. A front takes them from its configuration.
public struct Defaults: Hashable, Sendable {
    /// How the screens look.
    public var appearance: Appearance
    /// How wide running text is.
    public var textWidth: TextWidth
    /// The list that a user comes to who goes to no place.
    public var list: ArticleList

    /// Creates the preferences of a user who has chosen none.
    public init(appearance: Appearance = .default, textWidth: TextWidth = .default, list: ArticleList = ArticleList()) {
        self.appearance = appearance
        self.textWidth = textWidth
        self.list = list
    }
}

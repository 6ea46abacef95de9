/// What holds for a user who has chosen nothing: a front takes it from wherever it is configured.
public struct Defaults: Hashable, Sendable {
    /// How the screens look.
    public var appearance: Appearance
    /// How wide running text is.
    public var textWidth: TextWidth
    /// The list that a user comes to who goes to no place.
    public var list: ArticleList

    /// What holds for a user who has chosen nothing.
    public init(appearance: Appearance = .default, textWidth: TextWidth = .default, list: ArticleList = ArticleList()) {
        self.appearance = appearance
        self.textWidth = textWidth
        self.list = list
    }
}

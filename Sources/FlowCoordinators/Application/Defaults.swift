/// The preferences of a user who has not chosen any. A front reads them from its configuration.
public struct Defaults: Hashable, Sendable {
    /// How the screens look.
    public var appearance: Appearance
    /// The width of running text.
    public var textWidth: TextWidth
    /// The list that is shown at the start.
    public var list: ArticleList

    /// Creates default preferences.
    public init(appearance: Appearance = .default, textWidth: TextWidth = .default, list: ArticleList = ArticleList()) {
        self.appearance = appearance
        self.textWidth = textWidth
        self.list = list
    }
}

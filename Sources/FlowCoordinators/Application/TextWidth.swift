/// How wide running text is, in columns of a terminal or what comes nearest to them elsewhere.
public struct TextWidth: Hashable, Sendable {
    /// How many columns.
    public let columns: Int

    /// The width where a user has chosen none: what a line of a book has.
    public static let `default` = TextWidth(columns: 72)
    /// How many columns it may have.
    public static let limits = 40...200

    /// So many columns, kept within `limits`.
    public init(columns: Int) {
        self.columns = min(max(columns, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

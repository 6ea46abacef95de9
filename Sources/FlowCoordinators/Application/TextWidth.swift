/// The width of running text, in columns of a terminal or similar units of another front.
public struct TextWidth: Hashable, Sendable {
    /// The number of columns.
    public let columns: Int

    /// The default width: about that of a line in a book.
    public static let `default` = TextWidth(columns: 72)
    /// The permitted numbers of columns.
    public static let limits = 40...200

    /// Creates a width, limited to `limits`.
    public init(columns: Int) {
        self.columns = min(max(columns, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

/// Facts about a search other than its results.
public struct SearchReport: Sendable, Hashable {
    /// How many articles it did not look at, because the index of words has not followed them yet.
    public var waiting: Int
    /// Whether it ended before it had seen everything: there may be more, or better ones.
    public var isCut: Bool
    /// The same search with words that occur, where nothing was found.
    public var suggestion: String?

    /// A report.
    public init(waiting: Int = 0, isCut: Bool = false, suggestion: String? = nil) {
        self.waiting = waiting
        self.isCut = isCut
        self.suggestion = suggestion
    }
}

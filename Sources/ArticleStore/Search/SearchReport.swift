/// Facts about a search in addition to its results.
public struct SearchReport: Sendable, Hashable {
    /// The number of articles that the search could not consider, because they are not indexed yet.
    public var waiting: Int
    /// Whether the search ended before it had considered all articles, so there may be more or better matches.
    public var isCut: Bool
    /// If nothing was found, the search with words that occur in the library; otherwise nil.
    public var suggestion: String?

    /// Creates a report.
    public init(waiting: Int = 0, isCut: Bool = false, suggestion: String? = nil) {
        self.waiting = waiting
        self.isCut = isCut
        self.suggestion = suggestion
    }
}

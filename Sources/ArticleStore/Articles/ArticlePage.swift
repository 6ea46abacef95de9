/// A page of a list, and the start of the next page.
public struct ArticlePage: Sendable, Hashable {
    /// The articles of the page, in the order of the query.
    public var summaries: [ArticleSummary]
    /// The start of the next page; nil on the last page.
    public var next: Cursor?
    /// Facts about the search; nil without a search.
    public var search: SearchReport?

    /// Creates a page.
    public init(summaries: [ArticleSummary], next: Cursor?, search: SearchReport? = nil) {
        self.summaries = summaries
        self.next = next
        self.search = search
    }
}

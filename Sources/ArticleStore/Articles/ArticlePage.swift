/// A piece of a list, and where the list goes on.
public struct ArticlePage: Sendable, Hashable {
    /// The articles of the page, in the order of the query.
    public var summaries: [ArticleSummary]
    /// The start of the next page; nil on the last page.
    public var next: Cursor?
    /// Facts about the search that found them; nil without a search.
    public var search: SearchReport?

    /// A page of known parts.
    public init(summaries: [ArticleSummary], next: Cursor?, search: SearchReport? = nil) {
        self.summaries = summaries
        self.next = next
        self.search = search
    }
}

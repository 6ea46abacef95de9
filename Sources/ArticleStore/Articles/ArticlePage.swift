/// A piece of a list, and where the list goes on.
public struct ArticlePage: Sendable, Hashable {
    /// The articles of the page, in the order of the query.
    public var summaries: [ArticleSummary]
    /// Where the next page starts; nil on the last page.
    public var next: Cursor?
    /// What there is to say of the search that found them; nil where nothing was searched for.
    public var search: SearchReport?

    /// A page of known parts.
    public init(summaries: [ArticleSummary], next: Cursor?, search: SearchReport? = nil) {
        self.summaries = summaries
        self.next = next
        self.search = search
    }
}

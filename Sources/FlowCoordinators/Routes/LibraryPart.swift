/// A page of one group of the library's lists.
public struct LibraryPart: Hashable, Sendable {
    /// A group of lists.
    public enum Group: String, Hashable, Sendable, CaseIterable {
        /// The user's saved searches.
        case searches
        /// The sources.
        case sources
        /// The tags of sources, which other readers show as folders.
        case folders
        /// The user's own tags.
        case ownTags = "my-tags"
        /// The tags of articles.
        case tags
        /// The authors of articles.
        case authors
    }

    /// The group.
    public let group: Group
    /// The number of the page.
    public let page: PageNumber

    /// Creates a page of a group.
    public init(_ group: Group, page: PageNumber = .first) { (self.group, self.page) = (group, page) }
}

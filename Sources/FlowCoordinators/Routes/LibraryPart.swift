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

    /// The number of entries of a page.
    public static let size = 100

    /// The group.
    public let group: Group
    /// The number of the page, from 1.
    public let page: Int

    /// Creates a page of a group.
    public init(_ group: Group, page: Int = 1) { (self.group, self.page) = (group, min(max(1, page), Self.last)) }

    /// The highest number of a page, so that the numbers of its entries do not overflow.
    private static let last = 1_000_000

    /// The entries of the page among all of the group.
    func range(of count: Int) -> Range<Int> {
        let start = min(count, (page - 1) * Self.size)
        return start..<min(count, start + Self.size)
    }
}

/// The number of articles with each mark of a user.
public struct MarkCounts: Sendable, Hashable {
    /// The number of unread articles.
    public var unread = 0
    /// The number of starred articles.
    public var starred = 0
    /// The number of articles that are saved for later.
    public var later = 0
    /// The number of articles with a note.
    public var noted = 0
    /// The number of articles that are hidden from the user's lists.
    public var hidden = 0
    /// The number of articles with each of the user's own tags, ordered by the keys of the tags. Tags without articles
    /// are omitted.
    public var tags: [Tag] = []

    /// A tag, and the number of its articles.
    public struct Tag: Sendable, Hashable {
        /// The tag.
        public let tag: TagName
        /// The number of articles with the tag.
        public let articles: Int

        /// Creates a count for a tag.
        public init(_ tag: TagName, articles: Int) {
            self.tag = tag
            self.articles = articles
        }
    }

    /// Creates counts of zero.
    public init() {}
}

/// The number of unread articles with one of the user's own tags.
public struct TagProgress: Sendable, Hashable {
    /// The tag.
    public let tag: TagName
    /// The number of unread articles with the tag.
    public let unread: Int
    /// The number of the article with the tag that arrived last.
    public let newest: Int64

    /// Creates the progress for a tag.
    public init(_ tag: TagName, unread: Int, newest: Int64) {
        self.tag = tag
        self.unread = unread
        self.newest = newest
    }
}

/// The number of read articles by source, author, and tag. Entries without read articles are omitted.
public struct ReadCounts: Sendable, Hashable {
    /// The counts by the number of the source.
    public var sources: [Int64: Int] = [:]
    /// The counts by the folded name of the author.
    public var authors: [String: Int] = [:]
    /// The counts by the folded name of the article's tag.
    public var tags: [String: Int] = [:]

    /// Creates empty counts.
    public init() {}
}

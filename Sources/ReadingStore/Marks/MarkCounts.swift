/// How many articles a reader has marked.
public struct MarkCounts: Sendable, Hashable {
    /// How many were not read.
    public var unread = 0
    /// How many have a star.
    public var starred = 0
    /// How many were put aside for later.
    public var later = 0
    /// How many have a note.
    public var noted = 0
    /// How many each tag of the reader's own has, in the order of their keys; those without any are left out.
    public var tags: [Tag] = []

    /// A tag, and how many articles have it.
    public struct Tag: Sendable, Hashable {
        /// The tag.
        public let tag: OwnTag
        /// How many articles have it.
        public let articles: Int

        /// A tag and its articles.
        public init(_ tag: OwnTag, articles: Int) {
            self.tag = tag
            self.articles = articles
        }
    }

    /// Nothing is there.
    public init() {}
}

/// How much of what has a tag of a reader's own is unread.
public struct TagProgress: Sendable, Hashable {
    /// The tag.
    public let tag: OwnTag
    /// How many of the articles that have it were not read.
    public let unread: Int
    /// The number of the one that came last.
    public let newest: Int64

    /// A tag, and what has it.
    public init(_ tag: OwnTag, unread: Int, newest: Int64) {
        self.tag = tag
        self.unread = unread
        self.newest = newest
    }
}

/// The number of read articles by source, author, and tag. Entries without read articles are omitted.
public struct ReadCounts: Sendable, Hashable {
    /// By the numbers of the sources.
    public var sources: [Int64: Int] = [:]
    /// By the names of the authors, folded.
    public var authors: [String: Int] = [:]
    /// By the tags of the articles, folded.
    public var tags: [String: Int] = [:]

    /// Nothing was read.
    public init() {}
}

/// The parts of a page that a store reads with one request.
public struct ReadingParts: Hashable, Sendable {
    /// A page of a list. See ``ArticleRepository/list(_:after:limit:counts:)``.
    public struct List: Hashable, Sendable {
        /// The conditions and the order of the list.
        public let query: ArticleQuery
        /// The start of the page; nil for the first page.
        public let cursor: Cursor?
        /// The maximum number of articles.
        public let limit: Int
        /// Whether to set ``ArticlePage/total``.
        public let counts: Bool

        /// Creates the request for a page.
        public init(_ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool) {
            self.query = query
            self.cursor = cursor
            self.limit = limit
            self.counts = counts
        }
    }

    /// The article; nil for none.
    public var article: ArticleReference?
    /// The page of a list; nil for none.
    public var list: List?
    /// The maximum number of sources in the outline; nil to omit it.
    public var sources: Int?

    /// Creates the parts of a page.
    public init(article: ArticleReference? = nil, list: List? = nil, sources: Int? = nil) {
        self.article = article
        self.list = list
        self.sources = sources
    }
}

/// The content of a page for a user. The parts that were not requested are nil.
public struct ReadingView: Sendable {
    /// The article; also nil if it does not exist.
    public var article: Article?
    /// The page of the list.
    public var page: ArticlePage?
    /// The marks of the article and of the page, by article number.
    public var marks: [Int64: ArticleMarks] = [:]
    /// The lists that the user reads from.
    public var outline: ReadingOutline?

    /// Creates an empty view.
    public init() {}
}

/// The lists that a user reads from, in short, for a front that shows them beside each page.
public struct ReadingOutline: Sendable {
    /// A source.
    public struct Source: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The number of its unread articles; nil if the store would have to count them.
        public fileprivate(set) var unread: Int?

        /// Creates a source.
        public init(_ name: String, unread: Int?) { (self.name, self.unread) = (name, unread) }
    }

    /// The number of unread articles.
    public private(set) var unread: Int
    /// The number of starred articles that are unread.
    public private(set) var unreadStarred: Int
    /// The saved searches, ordered by the keys of their names.
    public let searches: [SavedSearch]
    /// The sources, ordered by the keys of their names.
    public private(set) var sources: [Source]

    /// Creates an outline.
    public init(unread: Int, unreadStarred: Int, searches: [SavedSearch], sources: [Source]) {
        self.unread = unread
        self.unreadStarred = unreadStarred
        self.searches = searches
        self.sources = sources
    }

    /// Updates the numbers after an unread article of these sources has become read.
    mutating func markRead(in names: Set<String>, isStarred: Bool) {
        unread -= 1
        if isStarred { unreadStarred -= 1 }
        for index in sources.indices where names.contains(sources[index].name) {
            sources[index].unread = sources[index].unread.map { $0 - 1 }
        }
    }
}

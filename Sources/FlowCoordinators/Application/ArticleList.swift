public import ArticleStore

/// Which page of which list of articles is shown.
public struct ArticleList: Hashable, Sendable {
    /// The first page of all there is, of which nothing is said.
    package static let wholeLibrary = ArticleList()
    /// How many articles a page has when nobody says, and how many a list grows by.
    public static let defaultLimit = 50
    /// How many articles a page may have.
    public static let limits = 1...1000
    /// The number of articles up to which a list grows. A list that began larger keeps its size.
    public static let grownLimit = 200

    /// The articles of the list and their order.
    public var query: ArticleQuery
    /// The start of the page; nil for the first.
    public var cursor: Cursor?
    /// How many articles the page has at most, kept within `limits`.
    public var limit: Int { didSet { limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound) } }

    /// A page of a list.
    public init(query: ArticleQuery = ArticleQuery(), cursor: Cursor? = nil, limit: Int = ArticleList.defaultLimit) {
        self.query = query
        self.cursor = cursor
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

extension ArticleList {
    /// The list with more articles after the last of `page`, which is what it shows now; at its full size, it lets go as
    /// many at the beginning.
    func grown(after page: ArticlePage) -> ArticleList {
        guard page.next != nil else { return self }
        var list = grown
        let first = page.summaries.prefix(Self.defaultLimit).last
        if list.limit == limit, let first { list.cursor = Cursor(after: first, in: query) }
        return list
    }

    /// The list with more articles before its first; at its full size, it lets go as many at the end.
    ///
    /// - Parameter earlier: the articles before the first, one more than the list grows by if there are as many.
    func grown(before earlier: [ArticleSummary]) -> ArticleList {
        var list = grown
        list.begin(after: earlier, atMost: Self.defaultLimit)
        return list
    }

    /// The same stretch at the end of the list.
    ///
    /// - Parameter last: the last articles of all, one more than the stretch has if there are as many.
    func moved(to last: [ArticleSummary]) -> ArticleList {
        var list = self
        list.begin(after: last, atMost: limit)
        return list
    }

    /// A stretch as long whose middle a place is, or which is the first where there are not as many articles before it.
    ///
    /// - Parameter earlier: the articles before the place, one more than half the limit if there are as many.
    func moved(around earlier: [ArticleSummary]) -> ArticleList {
        var list = self
        list.begin(after: earlier, atMost: half)
        return list
    }

    /// How many articles half the stretch has.
    var half: Int { max(1, limit / 2) }

    /// Begins after the first of `summaries` when there is one more than `count` of them, else at the beginning.
    private mutating func begin(after summaries: [ArticleSummary], atMost count: Int) {
        cursor = summaries.count > count ? summaries.first.map { Cursor(after: $0, in: query) } : nil
    }

    private var grown: ArticleList {
        var list = self
        list.limit = max(limit, min(limit + Self.defaultLimit, Self.grownLimit))
        return list
    }
}

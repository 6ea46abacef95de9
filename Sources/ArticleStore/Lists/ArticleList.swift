import Text

/// A list of articles and the page of it that is shown.
public struct ArticleList: Hashable, Sendable {
    /// The first page of the whole library, with all settings at their defaults.
    package static let wholeLibrary = ArticleList()
    /// The default number of articles on a page, and the number by which a list grows.
    public static let defaultLimit = 50
    /// The permitted numbers of articles on a page.
    public static let limits = 1...1000
    /// The number of articles up to which a list grows. A list that began larger keeps its size.
    public static let grownLimit = 200

    /// The filters and the order.
    public var query: ArticleQuery
    /// The start of the page; nil for the first page.
    public var cursor: Cursor?
    /// The maximum number of articles on the page, limited to `limits`.
    public var limit: Int { didSet { limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound) } }

    /// Creates a page of a list.
    public init(query: ArticleQuery = ArticleQuery(), cursor: Cursor? = nil, limit: Int = ArticleList.defaultLimit) {
        self.query = query
        self.cursor = cursor
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

extension ArticleList {
    /// The settings that differ from those of the whole library, as parameters of a path.
    package var parameters: [(name: String, value: String)] {
        // A fast path: most requests are for the whole library.
        if self == .wholeLibrary { return [] }
        let settings = ArticleListSetting.all
        // Access settings by index: copying one takes longer than reading its value.
        return settings.indices.compactMap { index in
            settings[index].parameter(of: self).map { (name: settings[index].name, value: $0) }
        }
    }

    /// Creates the list that the parameters of a path describe, and removes these parameters; returns nil if a value is
    /// invalid.
    package init?(_ parameters: inout [String: String]) {
        self.init()
        for setting in ArticleListSetting.all {
            guard let text = parameters.removeValue(forKey: setting.name) else { continue }
            do { try setting.set(text, in: &self, as: .path) } catch { return nil }
        }
    }

    /// The list in which a search looks that begins in this list. The unread articles are the first list that users see,
    /// so a search there also looks in the articles that they have read.
    package var searched: ArticleList {
        var list = self
        if query.search == nil, query.marks == MarkCondition(isRead: false) { list.query.marks = MarkCondition() }
        return list
    }

    /// Returns the list with more articles after the last one of `page`, which is its present page. If the list has its
    /// full size, the same number is removed at the beginning.
    package func grown(after page: ArticlePage) -> ArticleList {
        guard page.next != nil else { return self }
        var list = grown
        let first = page.summaries.prefix(Self.defaultLimit).last
        if list.limit == limit, let first { list.cursor = Cursor(after: first, in: query) }
        return list
    }

    /// Returns the list with more articles before its first one. If the list has its full size, the same number is
    /// removed at the end.
    ///
    /// - Parameter earlier: the articles before the first. Pass one more than the list grows by, if there are that
    ///   many.
    package func grown(before earlier: [ArticleSummary]) -> ArticleList {
        var list = grown
        list.begin(after: earlier, atMost: Self.defaultLimit)
        return list
    }

    /// Returns the last page of the list, with the same size.
    ///
    /// - Parameter last: the last articles of the list. Pass one more than the page has, if there are that many.
    package func moved(to last: [ArticleSummary]) -> ArticleList {
        var list = self
        list.begin(after: last, atMost: limit)
        return list
    }

    /// Returns a page of the same size with a given place in the middle, or the first page if there are not enough
    /// articles before the place.
    ///
    /// - Parameter earlier: the articles before the place. Pass one more than half the limit, if there are that many.
    package func moved(around earlier: [ArticleSummary]) -> ArticleList {
        var list = self
        list.begin(after: earlier, atMost: half)
        return list
    }

    /// Half of the maximum number of articles.
    package var half: Int { max(1, limit / 2) }

    /// Begins after the first of `summaries` if there are more than `count` of them, else at the beginning.
    private mutating func begin(after summaries: [ArticleSummary], atMost count: Int) {
        cursor = summaries.count > count ? summaries.first.map { Cursor(after: $0, in: query) } : nil
    }

    private var grown: ArticleList {
        var list = self
        list.limit = max(limit, min(limit + Self.defaultLimit, Self.grownLimit))
        return list
    }
}

extension ArticleReference {
    /// The path of the article's page on the server.
    package var pagePath: String {
        // A segment of dots would name a folder.
        let isDots = description == "." || description == ".."
        let name = isDots ? description.replacing(".", with: "%2E") : description.percentEncoded
        return "/articles/\(name)"
    }
}

extension ArticleList {
    /// The path of the list's page on the server.
    package var pagePath: String { "/articles" + (parameters.isEmpty ? "" : "?" + parameterText) }

    /// The parameters of the list's path: the part after the question mark.
    package var parameterText: String {
        parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}

public import Text

/// The conditions and the order of a list. An article must meet all conditions that are set.
public struct ArticleQuery: Sendable, Hashable {
    /// The order of a list. Articles that are equal in it are ordered by their numbers, so the order is always total.
    public enum Sort: String, Sendable, Hashable, CaseIterable {
        /// By date of publication, the latest first.
        case newest
        /// By date of publication, the earliest first.
        case oldest
        /// By title from A to Z, without regard to case and accents.
        case title
        /// By relevance for a search, the best first. Words in the title count most, then those in authors and tags,
        /// then all others. Without a search, the order is ``newest``.
        case relevance
    }

    /// Only articles that match this search.
    public var search: SearchQuery?
    /// Only articles of the source with this name, and those that appear there, without regard to case.
    public var source: String?
    /// Only articles of sources with this tag, without regard to case and to accents on Latin letters.
    public var sourceTag: String?
    /// Only articles with this author: the whole name, without regard to case and to accents on Latin letters.
    public var author: String?
    /// Only articles with this tag, without regard to case and to accents on Latin letters.
    public var tag: String?
    /// Only articles in this language: the whole BCP 47 tag, without regard to case.
    public var language: String?
    /// Only articles that were published at this time or later.
    public var since: Date?
    /// Only articles that were published before this time. So two adjacent periods never share an article.
    public var until: Date?
    /// Only articles with these numbers. Later arrivals have higher numbers.
    public var numbers: Range<Int64>?
    /// Only articles with these marks of a user.
    public var marks: MarkCondition
    /// The order of the list.
    public var sort: Sort

    /// Creates a query. Without conditions it matches the whole library, the newest article first.
    public init(
        text: String? = nil, source: String? = nil, sourceTag: String? = nil, author: String? = nil, tag: String? = nil,
        language: String? = nil, since: Date? = nil, until: Date? = nil, marks: MarkCondition = MarkCondition(),
        sort: Sort = .newest
    ) {
        search = text.flatMap { SearchQuery($0) }
        self.source = source
        self.sourceTag = sourceTag
        self.author = author
        self.tag = tag
        self.language = language
        self.since = since
        self.until = until
        self.marks = marks
        self.sort = sort
    }

    /// Returns the key by which lists by title are ordered, byte by byte: the title, case-folded and without Latin
    /// accents, cut to 200 bytes.
    public static func titleKey(_ title: String) -> String {
        let key = FoldedKey.foldToPlainLatin(title)
        guard key.utf8.count > 200 else { return key }
        var end = key.utf8.index(key.startIndex, offsetBy: 200)
        while end.samePosition(in: key.unicodeScalars) == nil { end = key.utf8.index(before: end) }
        return String(key[..<end])
    }

    /// The search as it was written (``SearchQuery/text``). Setting only white space removes the search.
    public var text: String? {
        get { search?.text }
        set { search = newValue.flatMap { SearchQuery($0) } }
    }

    /// Whether the query matches the whole library. The order and the user do not matter.
    package var isOfAll: Bool {
        self == ArticleQuery(marks: MarkCondition(userID: marks.userID), sort: sort)
    }

    /// The end of the numbers of which the query matches every article; nil if it has another condition.
    package var endOfAll: Int64? {
        var query = self
        query.numbers = nil
        guard query.isOfAll, numbers.map({ $0.lowerBound <= 1 }) ?? true else { return nil }
        return numbers?.upperBound ?? .max
    }

    /// Returns the query without articles that arrived after the one with this number; nil adds no condition.
    package func upTo(_ lastNumber: Int64?) -> ArticleQuery {
        var query = self
        if let lastNumber { query.numbers = 0..<max(0, min(lastNumber, .max - 1)) + 1 }
        return query
    }

    /// The order that the list actually has.
    package var order: Sort { sort == .relevance && search?.hasWords != true ? .newest : sort }
}

extension ArticleQuery {
    /// The identity of this list. It prevents the use of a cursor in another list by mistake. It is not a secret: a
    /// forged cursor does not give access to more than a query does.
    var fingerprint: UInt64 {
        var bytes: [UInt8] = []
        for condition in [author.map(SearchText.fold), tag.map(SearchText.fold), language.map(LanguageTag.canonical)] {
            bytes += condition.map { [1] + Array($0.utf8) } ?? [0]
            bytes.append(0xFF)
        }
        for date in [since, until] {
            bytes += date.map { Array((RFC3339.string(from: $0) + ";").utf8) } ?? [0]
        }
        bytes += sort.rawValue.utf8
        // Omit these if they are not set, so that older cursors stay valid.
        if let source { bytes += ("@" + FoldedKey.fold(source) + "\n").utf8 }
        if let sourceTag { bytes += ("%" + SearchText.fold(sourceTag) + "\n").utf8 }
        if let search { bytes += (";" + SearchText.fold(search.text)).utf8 }
        if let numbers { bytes += ("#\(numbers.lowerBound)-\(numbers.upperBound)").utf8 }
        bytes += marks.fingerprint.utf8
        return Fingerprint(bytes).value
    }

    /// The name of the feed of this list, from which its ID is made.
    package var feedName: String {
        var words = "feed"
        for part in [text, source, author, tag, language] {
            words += "\n" + (part.map(FoldedKey.fold) ?? "")
        }
        if let tag = sourceTag { words += "\n%" + SearchText.fold(tag) }
        for date in [since, until] { words += "\n" + (date.map { RFC3339.string(from: $0) } ?? "") }
        words += marks.fingerprint
        return words
    }
}

/// A set of articles for a change of their marks: given by their IDs, or by a query that the store runs with the change.
public enum ArticleSelection: Sendable {
    /// The articles with these IDs. Unknown IDs are ignored.
    case ids([Int64])
    /// The articles that a query finds. Its order is ignored.
    case query(ArticleQuery)
    /// All articles.
    case all

    /// Whether it contains every article.
    package var isOfAll: Bool { endOfAll == .max }

    /// The end of the numbers of which it contains every article; nil if it has another condition.
    package var endOfAll: Int64? {
        switch self {
        case .all: .max
        case .query(let query): query.endOfAll
        case .ids: nil
        }
    }
}

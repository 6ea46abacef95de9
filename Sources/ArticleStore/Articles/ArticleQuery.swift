public import Essentials
import Text

/// Which articles a list holds, and in what order. Every condition that is set must hold.
public struct ArticleQuery: Sendable, Hashable {
    /// The order of a list. Articles that are equal in it stand in the order of their numbers, so that an order is
    /// total.
    public enum Sort: String, Sendable, Hashable, CaseIterable {
        /// By date of publication, the latest first.
        case newest
        /// By date of publication, the earliest first.
        case oldest
        /// By title from A to Z, without regard to case and accents.
        case title
        /// By how well they answer a search, the best first: words in the title count more than those of authors and
        /// tags, and these more than others. Without a search, as ``newest``.
        case relevance
    }

    /// Only articles that a search finds.
    public var search: SearchQuery?
    /// Only articles of the source with this name, without regard to case.
    public var source: String?
    /// Only articles of sources with this tag, without regard to case and to accents on Latin letters.
    public var sourceTag: String?
    /// Only articles with this author among theirs: the whole name, without regard to case and to accents on Latin letters.
    public var author: String?
    /// Only articles with this tag among theirs, without regard to case and to accents on Latin letters.
    public var tag: String?
    /// Only articles in this language: the whole BCP 47 tag, without regard to case.
    public var language: String?
    /// Only articles published at this time or after it.
    public var since: Date?
    /// Only articles published before this time. Two queries that meet at a time thus share no article.
    public var until: Date?
    /// Only articles of these numbers, which rise as articles come.
    public var numbers: Range<Int64>?
    /// Only articles that a reader has marked so.
    public var marks: MarkCondition
    /// The order of the list.
    public var sort: Sort

    /// A query; without conditions it holds the whole library, the newest first.
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

    /// The key by which lists by title are ordered, byte by byte: the title case-folded and without Latin accents, cut to 200
    /// bytes.
    public static func titleKey(_ title: String) -> String {
        let key = FoldedKey.foldToPlainLatin(title)
        guard key.utf8.count > 200 else { return key }
        var end = key.utf8.index(key.startIndex, offsetBy: 200)
        while end.samePosition(in: key.unicodeScalars) == nil { end = key.utf8.index(before: end) }
        return String(key[..<end])
    }

    /// The search as it was written (``SearchQuery/text``); nil for white space alone.
    public var text: String? {
        get { search?.text }
        set { search = newValue.flatMap { SearchQuery($0) } }
    }

    /// Whether it holds the whole library, in whatever order and whoever the reader is.
    package var isOfAll: Bool {
        self == ArticleQuery(marks: MarkCondition(reader: marks.reader), sort: sort)
    }

    /// The order that the list really has.
    package var order: Sort { sort == .relevance && search?.hasWords != true ? .newest : sort }
}

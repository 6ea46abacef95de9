#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    }

    /// Only articles with this author among theirs, without regard to case.
    public var author: String?
    /// Only articles with this tag among theirs, without regard to case.
    public var tag: String?
    /// Only articles in this language: the whole BCP 47 tag, without regard to case.
    public var language: String?
    /// Only articles published at this time or after it.
    public var since: Date?
    /// Only articles published before this time. Two queries that meet at a time thus share no article.
    public var until: Date?
    /// The order of the list.
    public var sort: Sort

    /// A query; without conditions it holds the whole library, the newest first.
    public init(
        author: String? = nil, tag: String? = nil, language: String? = nil, since: Date? = nil, until: Date? = nil,
        sort: Sort = .newest
    ) {
        self.author = author
        self.tag = tag
        self.language = language
        self.since = since
        self.until = until
        self.sort = sort
    }

    /// What lists by title are ordered by, byte by byte: the title case-folded and without Latin accents, cut to 200
    /// bytes.
    public static func titleKey(_ title: String) -> String {
        let key = FoldedKey.foldToPlainLatin(title)
        guard key.utf8.count > 200 else { return key }
        var end = key.utf8.index(key.startIndex, offsetBy: 200)
        while end.samePosition(in: key.unicodeScalars) == nil { end = key.utf8.index(before: end) }
        return String(key[..<end])
    }
}

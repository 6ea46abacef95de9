public import Foundation

/// An article as lists show it.
public struct ArticleSummary: Codable, Sendable, Hashable, Identifiable {
    /// The number, which means one article for ever.
    public let id: Int64
    /// The name of the article in addresses.
    public let slug: String
    /// The title.
    public let title: String
    /// The authors.
    public let authors: [String]
    /// When it was published.
    public let published: Date
    /// When it last changed.
    public let updated: Date
    /// The tags of the article.
    public let tags: [String]
    /// A few words on what it says.
    public let summary: String
    /// The language, as a BCP 47 tag.
    public let language: String?
    /// How long it takes to read, in minutes.
    public let readingMinutes: Int
    /// The name of the source that it is of.
    public let source: String
    /// The user's marks; nil if the server did not send them.
    public let marks: Marks?
}

/// An article with its text.
public struct Article: Codable, Sendable, Hashable, Identifiable {
    /// How a text is to be read.
    public enum Format: String, Codable, Sendable {
        /// CommonMark with what GitHub adds.
        case markdown
        /// HTML, as it came: not safe to show as it is.
        case html
        /// As it is.
        case plain
    }

    /// The number, which means one article for ever.
    public let id: Int64
    /// The name of the article in addresses.
    public let slug: String
    /// The title.
    public let title: String
    /// The authors.
    public let authors: [String]
    /// When it was published.
    public let published: Date
    /// When it last changed.
    public let updated: Date
    /// The tags of the article.
    public let tags: [String]
    /// A few words on what it says.
    public let summary: String
    /// The language, as a BCP 47 tag.
    public let language: String?
    /// How long it takes to read, in minutes.
    public let readingMinutes: Int
    /// The name of the source that it is of.
    public let source: String
    /// How ``body`` is to be read.
    public let format: Format
    /// The address of the original.
    public let url: String?
    /// The text.
    public let body: String
}

/// The marks that a user gave an article.
public struct Marks: Codable, Sendable, Hashable {
    /// Whether it was read.
    public var read = false
    /// Whether it has a star.
    public var starred = false
    /// Whether it was put aside for later.
    public var later = false
    /// The tags that the reader has given it.
    public var tags: [String] = []
    /// A note on it.
    public var note: String?

    /// No marks.
    public init() {}
}

/// A page of a list.
public struct ArticlePage: Codable, Sendable, Hashable {
    /// The articles.
    public let articles: [ArticleSummary]
    /// The cursor of the next page; nil on the last page.
    public let next: String?
    /// How many articles the list has, where that was counted.
    public let total: Int?
}

/// Which articles a list holds. Everything that is set must hold.
public struct ArticleFilter: Sendable, Hashable {
    /// Only articles with these words.
    public var search: String?
    /// Only articles of this source.
    public var source: String?
    /// Only articles by this author.
    public var author: String?
    /// Only articles with this tag; `mine:` goes before one of the reader's own.
    public var tag: String?
    /// Only articles that were not read.
    public var isUnread = false
    /// Only articles with a star.
    public var isStarred = false

    /// All articles.
    public init() {}
}

/// The account of the logged-in user.
public struct Account: Codable, Sendable, Hashable {
    /// The name.
    public let username: String
    /// The role: `reader`, `editor`, or `operator`.
    public let role: String
}

/// A value that is marked, and when it changed last.
public struct Changed<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The value.
    public let value: Value
    /// When that was said; nil where nobody said anything.
    public let changed: Date?

    /// A value that changed at a time.
    public init(_ value: Value, at changed: Date?) { (self.value, self.changed) = (value, changed) }
}

/// The marks of an article, each with its time. A mark of which nothing is said is nil.
public struct MarkRecord: Codable, Sendable, Hashable {
    /// The number of the article.
    public let article: Int64
    /// Whether it was read.
    public var read: Changed<Bool>?
    /// Whether it has a star.
    public var starred: Changed<Bool>?
    /// Whether it was put aside for later.
    public var later: Changed<Bool>?
    /// A note on it.
    public var note: Changed<String?>?
    /// Tags that were given.
    public var tags: [Changed<String>]?
    /// Tags that were taken away.
    public var removedTags: [Changed<String>]?

    /// No marks of an article.
    public init(article: Int64) { self.article = article }
}

/// The changes of articles and marks since a position.
public struct Changes: Codable, Sendable, Hashable {
    /// That everything up to an article is read of which marks say nothing else.
    public struct AllRead: Codable, Sendable, Hashable {
        /// The number of the last of them.
        public let upTo: Int64
        /// When that was said.
        public let changed: Date
    }

    /// The articles that came or changed.
    public let articles: [Article]
    /// The numbers of those that are gone.
    public let gone: [Int64]
    /// The articles whose marks changed, with all of these.
    public let marks: [MarkRecord]
    /// Up to where everything is read.
    public let allRead: AllRead?
    /// The position to pass as `since` in the next request.
    public let next: String
    /// Whether there is more already.
    public let more: Bool
}

public import Foundation

/// An article in a list.
public struct ArticleSummary: Codable, Sendable, Hashable, Identifiable {
    /// The number of the article, which never changes and is never reused.
    public let id: Int64
    /// The name of the article in addresses.
    public let slug: String
    /// The title.
    public let title: String
    /// The authors.
    public let authors: [String]
    /// The time of publication.
    public let published: Date
    /// The time of the last change.
    public let updated: Date
    /// The tags of the article.
    public let tags: [String]
    /// A short summary.
    public let summary: String
    /// The language, as a BCP 47 tag.
    public let language: String?
    /// The reading time in minutes.
    public let readingMinutes: Int
    /// The name of its source.
    public let source: String
    /// The user's marks; nil if the server did not send them.
    public let marks: Marks?
}

/// An article with its text.
public struct Article: Codable, Sendable, Hashable, Identifiable {
    /// The format of a text.
    public enum Format: String, Codable, Sendable {
        /// CommonMark with GitHub's extensions.
        case markdown
        /// HTML from the source. It must be sanitized before it is displayed.
        case html
        /// Plain text.
        case plain
    }

    /// The number of the article, which never changes and is never reused.
    public let id: Int64
    /// The name of the article in addresses.
    public let slug: String
    /// The title.
    public let title: String
    /// The authors.
    public let authors: [String]
    /// The time of publication.
    public let published: Date
    /// The time of the last change.
    public let updated: Date
    /// The tags of the article.
    public let tags: [String]
    /// A short summary.
    public let summary: String
    /// The language, as a BCP 47 tag.
    public let language: String?
    /// The reading time in minutes.
    public let readingMinutes: Int
    /// The name of its source.
    public let source: String
    /// The format of ``body``.
    public let format: Format
    /// The address of the original.
    public let url: String?
    /// The text.
    public let body: String
    /// The source of the article, and then the other sources that contain the same story; nil from a server of an earlier
    /// version.
    public let sources: [ArticleSource]?
}

/// A source of an article.
public struct ArticleSource: Codable, Sendable, Hashable, Identifiable {
    /// The ID of the source, which is the same in every library.
    public let id: String
    /// The name of the source.
    public let name: String
    /// The address to which the source links.
    public let address: String?
    /// The title in another source than that of the article.
    public let title: String?
}

/// The marks that a user gave an article.
public struct Marks: Codable, Sendable, Hashable {
    /// Whether the user has read the article.
    public var read = false
    /// Whether the user has starred the article.
    public var starred = false
    /// Whether the user has saved the article for later.
    public var later = false
    /// The tags that the user has given the article.
    public var tags: [String] = []
    /// The user's note on the article.
    public var note: String?

    /// Creates an empty set of marks.
    public init() {}
}

/// A page of a list.
public struct ArticlePage: Codable, Sendable, Hashable {
    /// The articles.
    public let articles: [ArticleSummary]
    /// The cursor of the next page; nil on the last page.
    public let next: String?
    /// The number of articles in the list; nil if they were not counted.
    public let total: Int?
}

/// The conditions of a list. An article must meet all conditions that are set.
public struct ArticleFilter: Sendable, Hashable {
    /// Only articles with these words.
    public var search: String?
    /// Only articles of this source.
    public var source: String?
    /// Only articles by this author.
    public var author: String?
    /// Only articles with this tag. The user's own tags begin with `mine:`.
    public var tag: String?
    /// Only unread articles.
    public var isUnread = false
    /// Only starred articles.
    public var isStarred = false

    /// Creates a filter without conditions.
    public init() {}
}

/// The account of the logged-in user.
public struct Account: Codable, Sendable, Hashable {
    /// The name.
    public let username: String
    /// The role: `reader`, `editor`, or `operator`.
    public let role: String
}

/// A value of a mark, and the time of its last change.
public struct Changed<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The value.
    public let value: Value
    /// The time of the last change; nil if the mark never changed.
    public let changed: Date?

    /// Creates a value with the time of its change.
    public init(_ value: Value, at changed: Date?) { (self.value, self.changed) = (value, changed) }
}

/// The marks of an article, each with its time. A mark is nil if it never changed.
public struct MarkRecord: Codable, Sendable, Hashable {
    /// The number of the article.
    public let article: Int64
    /// Whether the user has read the article.
    public var read: Changed<Bool>?
    /// Whether the user has starred the article.
    public var starred: Changed<Bool>?
    /// Whether the user has saved the article for later.
    public var later: Changed<Bool>?
    /// The user's note on the article.
    public var note: Changed<String?>?
    /// The tags that the user has given.
    public var tags: [Changed<String>]?
    /// The tags that the user has removed.
    public var removedTags: [Changed<String>]?

    /// Creates a record without marks.
    public init(article: Int64) { self.article = article }
}

/// The changes of articles and marks since a position.
public struct Changes: Codable, Sendable, Hashable {
    /// A mark on all articles up to a number as read. Later marks of single articles take precedence over it.
    public struct AllRead: Codable, Sendable, Hashable {
        /// The number of the last of these articles.
        public let upTo: Int64
        /// The time when the user marked them.
        public let changed: Date
    }

    /// The new and changed articles.
    public let articles: [Article]
    /// The numbers of the deleted articles.
    public let gone: [Int64]
    /// All marks of the articles whose marks have changed.
    public let marks: [MarkRecord]
    /// The last time that the user marked all articles as read; nil if that never happened.
    public let allRead: AllRead?
    /// The position to pass as `since` in the next request.
    public let next: String
    /// Whether there are more changes already.
    public let more: Bool
}

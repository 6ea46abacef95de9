public import Text

/// The changes of articles, for clients that keep a copy of the library or regularly ask for new articles.
public protocol ArticleLog: Sendable {
    /// Returns the arrival times of articles.
    ///
    /// - Parameter articles: their numbers.
    /// - Returns: the times by article number. Articles that another program added may be missing.
    func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival]

    /// Returns the lowest number of articles that arrived at a time or later. An article with that number does not have
    /// to exist.
    func firstArticle(since time: Arrival) async throws -> Int64

    /// Returns the articles that were added, changed, or deleted since a position.
    ///
    /// - Parameters:
    ///   - position: ``ArticleChanges/position`` of the previous result; nil for the first call.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000. If the articles are large, there are
    ///     fewer.
    /// - Throws: ``ArticleLogError`` if the position belongs to another library.
    func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges
}

/// The position up to which a client has read the changes of articles.
public struct LogPosition: Sendable, Hashable {
    /// A value that changes when the library is restored from a backup.
    public let copy: String
    /// The number of the last article that arrived.
    public let article: Int64
    /// The number of the last change of an existing article.
    public let change: Int64

    /// Creates a position.
    public init(copy: String, article: Int64, change: Int64) {
        (self.copy, self.article, self.change) = (copy, article, change)
    }
}

/// The changes of articles up to a position.
public struct ArticleChanges: Sendable, Hashable {
    /// The added and changed articles, in their present state.
    public var articles: [Article] = []
    /// The numbers of the deleted articles.
    public var gone: [Int64] = []
    /// The position up to which the changes were read.
    public var position: LogPosition
    /// Whether there are more changes after that position.
    public var goesOn = false

    /// Creates an empty list of changes.
    public init(position: LogPosition) { self.position = position }
}

/// The reason why the changes of articles are unknown.
public enum ArticleLogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position comes from another state of the library, which was restored from a backup. The client must read
    /// everything again.
    case anotherLibrary

    /// A sentence for people.
    public var description: String {
        "the library was restored from a backup; read everything again"
    }
}

extension ArticleLogError: ExplainedError {
    package var errorKind: ErrorKind { .gone }
    package var problemCode: String { "anotherLibrary" }
}

/// The time when an article arrived in the library. Each article has a different time, and an article with a higher
/// number has a later time.
public struct Arrival: Sendable, Hashable, Comparable {
    /// The time, in microseconds since 1970.
    public let microseconds: Int64

    /// Creates an arrival from microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Creates the last whole microsecond that is not after a date. Dates out of range become the nearest possible
    /// value.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded(.down)
        self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
    }

    /// Whether one arrival is before another.
    public static func < (first: Arrival, second: Arrival) -> Bool { first.microseconds < second.microseconds }
}

/// An article with the time of its arrival.
public struct ArrivedArticle: Sendable, Hashable {
    /// The article.
    public let article: Article
    /// The time of its arrival; nil if another program added the article.
    public let arrival: Arrival?

    /// Creates an article with its arrival.
    public init(_ article: Article, arrival: Arrival?) {
        self.article = article
        self.arrival = arrival
    }
}

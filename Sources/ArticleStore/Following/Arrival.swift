public import Text

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

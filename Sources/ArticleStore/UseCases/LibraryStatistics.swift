import Text

/// The statistics of a library, and of a user's reading.
package struct LibraryStatistics: Sendable {
    /// The reading in a week.
    package struct Week: Sendable {
        /// The first day of the week, as in `2026-11-23`.
        package let monday: String
        /// The number of articles that were read.
        package let read: Int
    }

    /// The size of the library.
    package let size: LibrarySize
    /// The authors, those with the most articles first.
    package let authors: [ArticleLabel]
    /// The number of unread articles.
    package let unread: Int
    /// The weeks from the first to the last in which an article was read, including those without reading.
    package let weeks: [Week]

    /// Creates the statistics.
    /// - Parameter days: the number of articles that were read on each day, as days since 1970-01-01.
    package init(size: LibrarySize, authors: [ArticleLabel], daysRead days: [Int: Int], unread: Int) {
        self.size = size
        self.authors = authors.sorted { ($1.articles, $0.key) < ($0.articles, $1.key) }
        self.unread = unread
        // Day 0 was a Thursday.
        let read = days.reduce(into: [Int: Int]()) { weeks, day in
            weeks[Int((Double(day.key + 3) / 7).rounded(.down)), default: 0] += day.value
        }
        guard let first = read.keys.min(), let last = read.keys.max() else {
            weeks = []
            return
        }
        weeks = (first...last).map { week in
            let monday = Date(timeIntervalSince1970: Double(week * 7 - 3) * 86_400)
            return Week(monday: RFC3339.day(of: monday, offset: 0), read: read[week] ?? 0)
        }
    }
}

/// The size of a library, and the months in which its articles were published.
public struct LibrarySize: Sendable, Hashable {
    /// The number of articles that were published in a month.
    public struct Month: Sendable, Hashable {
        /// The month in UTC, such as `2026-01`.
        public var name: String
        /// The number of articles.
        public var articles: Int

        /// Creates a month.
        public init(_ name: String, articles: Int) {
            self.name = name
            self.articles = articles
        }
    }

    /// The number of articles.
    public var articles: Int
    /// The reading time of all articles, in minutes.
    public var readingMinutes: Int
    /// The months in which articles were published, in order.
    public var months: [Month]

    /// The approximate number of words, computed from the reading time.
    public var words: Int { ReadingTime.words(ofMinutes: readingMinutes) }

    /// Creates a size.
    public init(articles: Int = 0, readingMinutes: Int = 0, months: [Month] = []) {
        self.articles = articles
        self.readingMinutes = readingMinutes
        self.months = months
    }
}

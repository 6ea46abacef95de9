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

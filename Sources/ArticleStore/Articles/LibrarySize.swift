/// How large a library is, and when its articles were published.
public struct LibrarySize: Sendable, Hashable {
    /// How many articles were published in a month.
    public struct Month: Sendable, Hashable {
        /// The month in UTC, such as `2026-01`.
        public var name: String
        /// How many articles.
        public var articles: Int

        /// A month.
        public init(_ name: String, articles: Int) {
            self.name = name
            self.articles = articles
        }
    }

    /// How many articles there are.
    public var articles: Int
    /// How long they take to read, in minutes.
    public var readingMinutes: Int
    /// The months in which articles were published, in their order.
    public var months: [Month]

    /// About how many words they have, as it follows from the time to read them.
    public var words: Int { ReadingTime.words(ofMinutes: readingMinutes) }

    /// A size.
    public init(articles: Int = 0, readingMinutes: Int = 0, months: [Month] = []) {
        self.articles = articles
        self.readingMinutes = readingMinutes
        self.months = months
    }
}

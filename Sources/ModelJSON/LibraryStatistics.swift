package import ArticleStore
import Essentials
package import Text

/// How much there is in a library, and how much of it somebody has read.
package struct LibraryStatistics: Sendable {
    /// The reading of a week.
    package struct Week: Sendable {
        /// The day that it begins with, as in `2026-11-23`.
        package let monday: String
        /// How many articles were read.
        package let read: Int
    }

    /// How large it is.
    package let size: LibrarySize
    /// The authors, those with the most articles first.
    package let authors: [ArticleLabel]
    /// How many articles are unread.
    package let unread: Int
    /// The weeks from the first to the last in which something was read, also those without.
    package let weeks: [Week]

    /// - Parameter days: how many articles were read on each day, as days since 1970-01-01.
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

    /// As `stats` writes it.
    package var json: JSON {
        [
            "articles": JSON(size.articles), "unread": JSON(unread), "words": JSON(size.words),
            "readingMinutes": JSON(size.readingMinutes),
            "months": .array(size.months.map { ["month": .string($0.name), "articles": JSON($0.articles)] }),
            "authors": .array(authors.map { ["name": .string($0.name), "articles": JSON($0.articles)] }),
            "weeks": .array(weeks.map { ["monday": .string($0.monday), "read": JSON($0.read)] }),
        ]
    }
}

/// The wishes of a feed about the times of its fetches. All are optional.
package struct FeedWishes: Sendable, Hashable {
    /// The time in seconds for which the feed may be kept: `ttl` of RSS 2.0, or the interval of `sy:updatePeriod` and
    /// `sy:updateFrequency` (<https://web.resource.org/rss/1.0/modules/syndication/>).
    package var interval: Double?
    /// The hours of the day in UTC, 0 to 23, in which the feed does not change: `skipHours` of RSS 2.0.
    package var skippedHours: Set<Int> = []
    /// The days of the week in UTC, 0 for Sunday to 6, on which the feed does not change: `skipDays`.
    package var skippedDays: Set<Int> = []

    /// Creates no wishes.
    package init() {}

    /// Creates wishes from their stored form.
    package init(interval: Int?, skippedHours: Int, skippedDays: Int) {
        self.interval = interval.map(Double.init)
        self.skippedHours = Self.numbers(in: skippedHours, below: 24)
        self.skippedDays = Self.numbers(in: skippedDays, below: 7)
    }

    /// The skipped hours as bits of a number, for storage.
    package var hourBits: Int { Self.bits(skippedHours, below: 24) }
    /// The skipped days as bits of a number, for storage.
    package var dayBits: Int { Self.bits(skippedDays, below: 7) }

    private static func bits(_ numbers: Set<Int>, below end: Int) -> Int {
        numbers.filter { (0..<end).contains($0) }.reduce(0) { $0 | 1 << $1 }
    }

    private static func numbers(in bits: Int, below end: Int) -> Set<Int> {
        Set((0..<end).filter { bits & 1 << $0 != 0 })
    }
}

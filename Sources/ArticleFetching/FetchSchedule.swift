package import ArticleStore
package import Text

/// Decides when a source is fetched next.
///
/// The interval depends on how often the source delivers articles: it is half the mean time between its latest articles,
/// so that an article is found soon after it appears, and a source that has stopped publishing is seldom asked. The wishes of
/// the server and of the feed can make it longer, up to a day. If a hub announces changes, the source is seldom asked. A
/// response that the feed has not changed (304) is like one with the feed.
package struct FetchSchedule: Sendable {
    /// The result of a fetch.
    package enum Outcome: Sendable, Hashable {
        /// The server responded with the feed, or that it has not changed. The value is the time in seconds for which the
        /// response is fresh; nil if the server did not say.
        case fetched(freshness: Double?)
        /// The fetch failed. The values are the number of failures in a row, and the time before which the server does not
        /// want another request.
        case failed(count: Int, notBefore: Date?)
    }

    /// The shortest and the longest interval in seconds.
    package static let intervals: ClosedRange<Double> = 15 * 60...24 * 3_600
    /// The longest interval in seconds after failures. A source is never given up without a message.
    package static let longestBackOff: Double = 48 * 3_600
    /// The longest time in seconds that a server can demand after an error.
    package static let longestDemand: Double = 7 * 24 * 3_600
    /// The shortest interval in seconds while a hub announces changes. A hub can fail without a message.
    package static let announcedInterval: Double = 6 * 3_600
    /// The interval in seconds for a source without dates, and the longest one after a first failure.
    private static let usual: Double = 3_600
    /// The number of latest articles that determine the interval.
    private static let sample = 10

    /// A number from 0 to 1, so that sources that were added together are not fetched together forever.
    private let random: @Sendable () -> Double

    package init(random: @escaping @Sendable () -> Double) { self.random = random }

    /// Returns the time of the next fetch.
    ///
    /// - Parameters:
    ///   - now: The end of the last fetch.
    ///   - outcome: Its result.
    ///   - published: The dates of the articles of the source, in any order.
    ///   - wishes: The wishes of the feed.
    ///   - announcementEnd: The time until which a hub announces changes; nil if none does.
    package func next(
        after now: Date, _ outcome: Outcome, published: [Date], wishes: FeedWishes = FeedWishes(),
        announcementEnd: Date? = nil
    ) -> Date {
        var interval = Self.interval(published: published, at: now)
        var earliest = now
        switch outcome {
        case .fetched(let freshness):
            interval = max(interval, min(max(freshness ?? 0, wishes.interval ?? 0), Self.intervals.upperBound))
            if let announcementEnd {
                // Changes after the end are not announced.
                interval = max(interval, min(Self.announcedInterval, announcementEnd.timeIntervalSince(now)))
            }
        case .failed(let count, let time):
            // Most failures are short, so the first retry does not wait for the usual interval of a slow source.
            interval = min(interval, Self.usual) * Double(1 << min(max(count - 1, 0), 10))
            interval = min(interval, Self.longestBackOff)
            if let time { earliest = min(time, now.addingTimeInterval(Self.longestDemand)) }
        }
        // Add up to a tenth, so that no wish is undercut.
        let time = max(now.addingTimeInterval(interval), earliest).addingTimeInterval(interval * 0.1 * random())
        return Self.skipping(wishes, from: time)
    }

    private static func interval(published: [Date], at now: Date) -> Double {
        let latest = published.filter { $0 <= now }.sorted(by: >).prefix(sample)
        guard let oldest = latest.last else { return usual }
        // The time since the latest article counts too: a source that has stopped is asked less and less often.
        let mean = now.timeIntervalSince(oldest) / Double(latest.count)
        return min(max(mean / 2, intervals.lowerBound), intervals.upperBound)
    }

    /// Returns the first time from `time` on that is not in a skipped hour or on a skipped day; `time` if all are skipped.
    static func skipping(_ wishes: FeedWishes, from time: Date) -> Date {
        let hour = Int64(3_600)
        let seconds = max(time.wholeSeconds, 0)
        let start = seconds - seconds % hour
        for step in 0..<Int64(7 * 24) {
            let candidate = start + step * hour
            // 1 January 1970 was a Thursday.
            let day = Int((candidate / 86_400 + 4) % 7)
            guard !wishes.skippedHours.contains(Int(candidate % 86_400 / hour)), !wishes.skippedDays.contains(day)
            else { continue }
            return step == 0 ? time : Date(timeIntervalSince1970: Double(candidate))
        }
        return time
    }
}

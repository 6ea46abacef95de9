import ArticleFetching
import ArticleStore
import Foundation
import Testing

@Suite("The time of the next fetch")
struct FetchScheduleTests {
    /// Thursday, 26 November 2026, 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_795_694_400)
    private let hour = 3_600.0

    private func wait(
        _ outcome: FetchSchedule.Outcome = .fetched(freshness: nil), published hoursAgo: [Double] = [],
        wishes: FeedWishes = FeedWishes(), random: Double = 0
    ) -> Double {
        let published = hoursAgo.map { now.addingTimeInterval(-$0 * hour) }
        return FetchSchedule { random }.next(after: now, outcome, published: published, wishes: wishes)
            .timeIntervalSince(now) / hour
    }

    @Test(
        "The interval is half the mean time between the latest articles, from 15 minutes to a day",
        arguments: [
            ([], 1), ([1, 2, 3, 4], 0.5), ([0, 24, 48, 72], 9), ([0, 0, 0], 0.25), ([10_000], 24),
            // Only the ten latest count, in any order, and none from the future.
            ([1_000, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, -5], 1),
        ] as [([Double], Double)])
    func interval(published: [Double], hours: Double) {
        #expect(abs(wait(published: published) - hours) < 0.001)
    }

    @Test("The server and the feed can only make the interval longer, up to a day")
    func wishes() {
        #expect(wait(.fetched(freshness: 60)) == 1)
        #expect(wait(.fetched(freshness: 5 * hour)) == 5)
        #expect(wait(.fetched(freshness: 1_000 * hour)) == 24)
        var wishes = FeedWishes()
        wishes.interval = 6 * hour
        #expect(wait(.fetched(freshness: 5 * hour), wishes: wishes) == 6)
        wishes.interval = 60
        #expect(wait(wishes: wishes) == 1)
    }

    @Test("While a hub announces changes, the interval is at least 6 hours, but not longer than that")
    func announcements() {
        func wait(
            _ outcome: FetchSchedule.Outcome, until hours: Double, published hoursAgo: [Double] = []
        ) -> Double {
            FetchSchedule { 0 }.next(
                after: now, outcome, published: hoursAgo.map { now.addingTimeInterval(-$0 * hour) },
                announcementEnd: now.addingTimeInterval(hours * hour)
            ).timeIntervalSince(now) / hour
        }
        #expect(wait(.fetched(freshness: nil), until: 1_000) == 6)
        #expect(wait(.fetched(freshness: nil), until: 4) == 4)
        #expect(wait(.fetched(freshness: nil), until: 0.5) == 1)
        #expect(wait(.fetched(freshness: nil), until: -5) == 1)
        #expect(wait(.fetched(freshness: 9 * hour), until: 1_000) == 9)
        #expect(wait(.fetched(freshness: nil), until: 1_000, published: [10_000]) == 24)
        // The hub does not know whether the server can be reached.
        #expect(wait(.failed(count: 1, notBefore: nil), until: 1_000) == 1)
    }

    @Test("Each failure doubles the interval up to 48 hours, and the server can demand a time up to a week")
    func failures() {
        #expect((1...7).map { wait(.failed(count: $0, notBefore: nil)) } == [1, 2, 4, 8, 16, 32, 48])
        #expect(wait(.failed(count: 1, notBefore: now.addingTimeInterval(48 * hour))) == 48)
        #expect(wait(.failed(count: 1, notBefore: now.addingTimeInterval(10_000 * hour))) == 7 * 24)
        #expect(wait(.failed(count: 1, notBefore: now.addingTimeInterval(-hour))) == 1)
        #expect(wait(.failed(count: .max, notBefore: nil)) == 48)
        // A slow source is tried again soon, and a fast one as soon as usual.
        #expect((1...3).map { wait(.failed(count: $0, notBefore: nil), published: [10_000]) } == [1, 2, 4])
        #expect(wait(.failed(count: 1, notBefore: nil), published: [1, 2, 3, 4]) == 0.5)
    }

    @Test("Skipped hours and days are passed over, and ignored if all are skipped")
    func skipped() {
        var wishes = FeedWishes()
        wishes.skippedHours = [13, 14]
        #expect(wait(wishes: wishes) == 3)
        wishes.skippedDays = [4, 5, 6]
        // Sunday, 00:00.
        #expect(wait(wishes: wishes) == 60)
        wishes.skippedDays = Set(0...6)
        #expect(wait(wishes: wishes) == 1)
    }

    @Test("A random addition is at most a tenth")
    func jitter() {
        #expect(abs(wait(random: 1) - 1.1) < 0.001)
        #expect(abs(wait(.fetched(freshness: 10 * hour), random: 0.5) - 10.5) < 0.001)
    }
}

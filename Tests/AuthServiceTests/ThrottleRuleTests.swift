import AuthService
import FoundationEssentials
import Testing

@Suite("ThrottleRule")
struct ThrottleRuleTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let guesses = ThrottlePolicy().perNameAndOrigin
    private let limit = ThrottleRule.limit(3, memory: 1_000)
    private let rate = ThrottleRule.rate(free: 3, interval: 10)

    private func count(_ count: Int, _ seconds: Double = 0) -> FailureCount {
        FailureCount(count: count, last: now + seconds)
    }

    @Test(
        "Five attempts are free, then the delay doubles from 1 s to 15 minutes",
        arguments: [
            (4, 0), (5, 1), (6, 2), (7, 4), (14, 512), (15, 900), (16, 900), (68, 900), (69, 900), (Int.max - 1, 900),
        ])
    func delays(failures: Int, seconds: Int) {
        let verdict = guesses.judge(count(failures), at: now)
        #expect(verdict == (seconds > 0 ? .refused(seconds: seconds) : .admitted(count(failures + 1))))
        #expect(
            guesses.judge(count(failures), at: now + Double(seconds)) == .admitted(count(failures + 1, Double(seconds)))
        )
    }

    @Test("Every rule admits the first attempt, and it counts")
    func first() {
        for rule in [guesses, limit, rate] { #expect(rule.judge(nil, at: now) == .admitted(count(1))) }
    }

    @Test("An attempt is admitted when the delay has passed, not before")
    func boundary() {
        #expect(guesses.judge(count(7), at: now + 3) == .refused(seconds: 1))
        #expect(guesses.judge(count(7), at: now + 4) == .admitted(count(8, 4)))
    }

    @Test("Beyond the limit no wait helps")
    func limited() {
        #expect(limit.judge(count(2), at: now) == .admitted(count(3)))
        for wait in [0.0, 999, 1e9] { #expect(limit.judge(count(3), at: now + wait) == .blocked) }
    }

    @Test("In a rate, one attempt becomes free with each interval, and none is lost")
    func rated() {
        #expect(rate.judge(count(2), at: now) == .admitted(count(3)))
        #expect(rate.judge(count(3), at: now) == .refused(seconds: 10))
        #expect(rate.judge(count(3), at: now + 9.5) == .refused(seconds: 1))
        // Half of the next interval has passed, too.
        #expect(rate.judge(count(3), at: now + 15) == .admitted(count(3, 10)))
        #expect(rate.judge(count(3), at: now + 20) == .admitted(count(2, 20)))
        #expect(rate.judge(count(3), at: now + 1e9) == .admitted(count(1, 1e9)))
        #expect(ThrottleRule.rate(free: 0, interval: 0).judge(count(1), at: now) == .refused(seconds: 1))
    }

    @Test("A clock that was set back makes nobody wait longer than the delay")
    func clockSetBack() {
        for time in [now - 1, now - 86_400, .distantPast] {
            #expect(guesses.judge(count(7), at: time) == .refused(seconds: 4))
            #expect(rate.judge(count(3), at: time) == .refused(seconds: 10))
        }
        #expect(guesses.judge(count(7), at: .distantFuture) == .admitted(FailureCount(count: 8, last: .distantFuture)))
    }

    @Test("A success clears guesses, and does not count in a rate, of which it clears nothing else")
    func success() {
        #expect(guesses.succeeding(count(7)) == nil)
        #expect(limit.succeeding(count(2)) == nil)
        #expect(rate.succeeding(count(3)) == count(2))
        #expect(rate.succeeding(count(1)) == nil)
    }

    @Test("An attempt that is taken back restores the previous count, and causes no further wait")
    func withdrawn() throws {
        for rule in [guesses, limit, rate] {
            #expect(rule.withdrawing(count(3)) == count(2))
            #expect(rule.withdrawing(count(1)) == nil)
        }
        let before = try #require(guesses.withdrawing(count(8)))
        #expect(guesses.judge(before, at: now) == .admitted(count(8)))
    }

    @Test("Failures are removed when they have no effect any more")
    func ends() {
        #expect(guesses.end(of: count(7)) == now + 86_400)
        #expect(limit.end(of: count(1)) == now + 1_000)
        #expect(rate.end(of: count(3)) == now + 30)
    }
}

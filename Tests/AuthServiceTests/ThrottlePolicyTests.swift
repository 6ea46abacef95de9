import AuthService
import FoundationEssentials
import Testing

@Suite("ThrottlePolicy")
struct ThrottlePolicyTests {
    private let policy = ThrottlePolicy()
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        "five are free, then the delay doubles from 1 s to 15 minutes",
        arguments: [
            (0, 0), (4, 0), (5, 1), (6, 2), (7, 4), (14, 512), (15, 900), (16, 900), (68, 900), (69, 900),
            (Int.max, 900),
        ])
    func delays(failures: Int, seconds: Int) {
        #expect(policy.delay(after: failures) == seconds)
    }

    @Test("an attempt is admitted when the delay has passed, not before")
    func boundary() {
        let failures = LogInFailures(count: 7, last: now)
        #expect(policy.judge(failures, at: now) == .refused(seconds: 4))
        #expect(policy.judge(failures, at: now + 3) == .refused(seconds: 1))
        #expect(policy.judge(failures, at: now + 4) == .admitted(failures: 8))
    }

    @Test("a clock that was set back makes nobody wait longer than the delay")
    func clockSetBack() {
        let failures = LogInFailures(count: 7, last: now)
        for time in [now - 1, now - 86_400, .distantPast] {
            #expect(policy.judge(failures, at: time) == .refused(seconds: 4))
        }
        #expect(policy.judge(failures, at: .distantFuture) == .admitted(failures: 8))
    }
}

import Foundation
import HTTPServer
import Testing

@Suite("Rate limits")
struct RateLimiterTests {
    private let time = Date(timeIntervalSince1970: 1_700_000_040)

    @Test("A client over its rate is not forgotten, however many others send requests")
    func crowd() {
        let limiter = RateLimiter(limit: 2)
        for _ in 0..<3 { _ = limiter.count("busy", at: time) }
        for number in 0..<30_000 { _ = limiter.count("other \(number)", at: time) }
        #expect(limiter.count("busy", at: time).remaining == nil)
        #expect(limiter.count("new", at: time).remaining == 1)
        #expect(limiter.count("busy", at: time.addingTimeInterval(60)).remaining == 1)
    }
}

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

    /// The sums that servers exchange.
    private actor Sums {
        private var sums: [RateLimiter.Count: Int] = [:]
        private(set) var sent = 0

        func add(_ new: [RateLimiter.Count], in minute: Int, reporting half: Int) -> [RateLimiter.Count] {
            func key(_ count: RateLimiter.Count) -> RateLimiter.Count {
                RateLimiter.Count(client: count.client, minute: count.minute, count: 0)
            }
            for count in new { sums[key(count), default: 0] += count.count }
            sent += new.reduce(0) { $0 + $1.count }
            let own = Set(new.map(key))
            return sums.filter { own.contains($0.key) || $0.key.minute == minute && $0.value >= half }
                .map { RateLimiter.Count(client: $0.key.client, minute: $0.key.minute, count: $0.value) }
        }
    }

    private struct Away: Error {}

    private func exchange(_ limiter: RateLimiter, with sums: Sums, after seconds: Double = 0) async {
        await limiter.exchange(at: time.addingTimeInterval(seconds)) { await sums.add($0, in: $1, reporting: $2) }
    }

    private func admitted(_ count: Int, _ client: String = "busy", by limiter: RateLimiter, after seconds: Double = 0)
        -> Int
    {
        (0..<count).filter { _ in limiter.count(client, at: time.addingTimeInterval(seconds)).remaining != nil }.count
    }

    @Test("Servers that exchange their counts admit no more than one of them would")
    func shared() async {
        let (first, second, sums) = (RateLimiter(limit: 10), RateLimiter(limit: 10), Sums())
        #expect(admitted(6, by: first) == 6)
        await exchange(first, with: sums)
        await exchange(second, with: sums)
        #expect(admitted(7, by: second) == 4)
        await exchange(second, with: sums)
        await exchange(first, with: sums)
        #expect(admitted(7, by: first) == 0)
        // A client with less than half of the limit is first known to a server when it sends a request there.
        #expect(admitted(4, "calm", by: first) == 4)
        await exchange(first, with: sums)
        await exchange(second, with: sums)
        #expect(second.count("calm", at: time).remaining == 9)
        await exchange(second, with: sums)
        #expect(second.count("calm", at: time).remaining == 4)
        #expect(admitted(11, by: first, after: 60) == 10)
    }

    @Test("Requests over the limit are not exchanged, and each other one once")
    func sent() async {
        let (limiter, sums) = (RateLimiter(limit: 3), Sums())
        #expect(admitted(100, by: limiter) == 3)
        await exchange(limiter, with: sums)
        await exchange(limiter, with: sums)
        #expect(await sums.sent == 4)
        #expect(limiter.exchanges == 2)
    }

    @Test("If an exchange fails, the next one sends its counts, and the server continues to limit its own")
    func failed() async throws {
        let (first, second, sums) = (RateLimiter(limit: 10), RateLimiter(limit: 10), Sums())
        #expect(admitted(6, by: first) == 6)
        await #expect(throws: Away.self) {
            try await first.exchange(at: time) { _, _, _ in throw Away() }
        }
        #expect(first.exchanges == 0)
        await exchange(first, with: sums)
        await exchange(second, with: sums)
        #expect(admitted(7, by: second) == 4)
        #expect(admitted(7, by: first) == 4)
    }

    @Test("A request of the next minute during an exchange counts in that minute only")
    func nextMinute() async {
        let (limiter, sums) = (RateLimiter(limit: 10), Sums())
        #expect(admitted(10, by: limiter, after: 59) == 10)
        await limiter.exchange(at: time.addingTimeInterval(59)) { new, minute, half in
            #expect(limiter.count("busy", at: time.addingTimeInterval(60)).remaining == 9)
            return await sums.add(new, in: minute, reporting: half)
        }
        #expect(limiter.count("busy", at: time.addingTimeInterval(60)).remaining == 8)
    }
}

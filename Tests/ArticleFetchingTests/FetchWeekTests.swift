import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Testing

/// A week of 200 sources. The clock moves a minute at a time, and nothing sleeps.
@Suite("A week of fetches")
struct FetchWeekTests {
    private static let hour = 3_600.0

    /// How a source publishes, and what its server asks for.
    private struct Habit: Sendable {
        let name: String
        let sources: Int
        /// The hours between two articles, which repeat.
        let gaps: [Double]
        var server = Server.plain
    }

    private enum Server: Sendable {
        case plain
        /// The server sends no validators.
        case bare
        case fields([String: String])
        case head(String)
        /// Every third request is too early for the server.
        case limits
        /// The server does not work in these hours of the week, and says when it works again.
        case maintenance(Range<Double>)
        case broken(Range<Double>)
        case offline, locked, moved
        case gone(after: Double)
    }

    /// The gaps of the link blog and of Swift.org are those of real feeds.
    private static let habits = [
        Habit(name: "a news agency, every 6 minutes", sources: 1, gaps: [0.1]),
        Habit(
            name: "a newspaper, every half hour from 6:00 to 22:00", sources: 2,
            gaps: Array(repeating: 0.5, count: 31) + [8.5]),
        Habit(
            name: "a link blog, two a day", sources: 40,
            gaps: [9.4, 38.8, 7.3, 38.4, 1.4, 8.4, 5.2, 12.1, 2.7, 0.5, 0.2, 2.8, 43.6, 24.3, 1.3, 2.3, 4.5, 16.9, 2.8]),
        Habit(name: "a comic, daily", sources: 44, gaps: [24]),
        Habit(
            name: "the blog of Swift.org, four a month", sources: 34,
            gaps: [51.4, 48.2, 66.8, 574, 168, 30, 812, 96, 99.3, 498.8]),
        Habit(name: "a podcast, weekly", sources: 30, gaps: [168]),
        Habit(name: "a blog that has stopped", sources: 38, gaps: [5_000]),
        Habit(name: "every 4 hours, without validators", sources: 1, gaps: [4], server: .bare),
        Habit(
            name: "every 4 hours, with `max-age` of 6 hours", sources: 1, gaps: [4],
            server: .fields(["Cache-Control": "max-age=21600"])),
        Habit(name: "every 4 hours, with `ttl` of 3 hours", sources: 1, gaps: [4], server: .head("<ttl>180</ttl>")),
        Habit(
            name: "every 4 hours, with `skipHours` 0 to 5 and `skipDays` Saturday and Sunday", sources: 1, gaps: [4],
            server: .head(
                "<skipHours>\((0...5).map { "<hour>\($0)</hour>" }.joined())</skipHours>"
                    + "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>")),
        Habit(
            name: "every 4 hours, each third time 429 with `Retry-After` of 5 hours", sources: 1, gaps: [4],
            server: .limits),
        Habit(
            name: "every 4 hours, 503 with `Retry-After` from the third day to the fifth", sources: 1, gaps: [4],
            server: .maintenance(48..<96)),
        Habit(
            name: "every 4 hours, 500 on the third and the fourth day", sources: 1, gaps: [4], server: .broken(48..<96)),
        Habit(name: "every 4 hours, moved (301)", sources: 1, gaps: [4], server: .moved),
        Habit(name: "every 4 hours, removed (410) after three days", sources: 1, gaps: [4], server: .gone(after: 72)),
        Habit(name: "behind a login without a password (401)", sources: 1, gaps: [4], server: .locked),
        Habit(name: "a host that does not exist any more", sources: 1, gaps: [4], server: .offline),
    ]

    /// A source, and when it publishes.
    private struct Site: Sendable {
        let address: String
        let server: Server
        let start: Date
        let published: [Date]

        init(_ habit: Habit, number: Int, address: String, start: Date) {
            (self.address, server, self.start) = (address, habit.server, start)
            // Sources of a habit do not publish at the same time.
            var time = -Double(number) * 0.37
            var (times, index) = ([Double](), 0)
            while times.count < 12 || time > -12 * 24 {
                times.append(time)
                index += 1
                time -= habit.gaps[habit.gaps.count - 1 - index % habit.gaps.count]
            }
            times.reverse()
            (time, index) = (times.last ?? 0, 0)
            while time < 7 * 24 {
                time += habit.gaps[index % habit.gaps.count]
                index += 1
                times.append(time)
            }
            published = times.map { start.addingTimeInterval($0 * hour) }
        }

        func response(_ request: FakeWeb.Request, count: Int) throws(HTTPClientError) -> ClientResponse {
            let time = request.time.timeIntervalSince(start) / hour
            var fields: [String: String] = [:]
            var head = ""
            switch server {
            case .plain, .bare: break
            case .fields(let stated): fields = stated
            case .head(let text): head = text
            case .limits where count % 3 == 0:
                return try ClientResponse(status: 429, address, ["Retry-After": "18000"])
            case .maintenance(let hours) where hours.contains(time):
                let seconds = Int((hours.upperBound - time) * hour)
                return try ClientResponse(status: 503, address, ["Retry-After": "\(seconds)"])
            case .broken(let hours) where hours.contains(time): return try ClientResponse(status: 500, address)
            case .limits, .maintenance, .broken: break
            case .offline: throw .noConnection("example.org")
            case .locked: return try ClientResponse(status: 401, address)
            case .moved where request.address == address:
                return try ClientResponse(status: 301, address, ["Location": address + "/new"])
            case .moved: break
            case .gone(let end) where time >= end: return try ClientResponse(status: 410, address)
            case .gone: break
            }
            let known = published.prefix { $0 <= request.time }
            if case .bare = server {} else { fields["ETag"] = "\"\(known.count)\"" }
            guard request.fields["If-None-Match"] != Array("\"\(known.count)\"".utf8) else {
                return try ClientResponse(status: 304, request.address, fields)
            }
            let items = known.suffix(4).map { time in
                let seconds = Int(time.timeIntervalSince1970)
                return "<item><guid>\(seconds)</guid><title>Entry \(seconds)</title>"
                    + "<pubDate>\(time.formatted(.iso8601))</pubDate></item>"
            }
            return try ClientResponse(
                status: 200, request.address, fields,
                body: "<rss><channel><title>T</title>\(head)\(items.joined())</channel></rss>")
        }
    }

    /// The requests of a week for a source, and the seconds between them.
    private struct Requests {
        let all: [FakeWeb.Request]
        let waits: [Double]

        init(_ all: [FakeWeb.Request]) {
            self.all = all
            waits = zip(all.dropFirst(), all).map { $0.time.timeIntervalSince($1.time) }
        }
    }

    /// Fetches as a server does, each minute, and returns the requests by the address of the source.
    private static func week(of sites: [Site], in web: FakeWeb) async throws -> [String: Requests] {
        for (index, site) in sites.enumerated() {
            try await web.subscribe(to: site.address, name: "\(index)")
            let counter = Counter()
            for address in [site.address, site.address + "/new"] {
                web.serve(address) { request throws(HTTPClientError) in
                    try site.response(request, count: counter.next())
                }
            }
        }
        let (start, fetcher) = (web.clock.now, web.fetcher(random: { 0.5 }))
        while web.clock.now < start.addingTimeInterval(7 * 24 * hour) {
            _ = try await fetcher.fetchDue()
            web.clock.advance(by: 60)
        }
        let requests = Dictionary(grouping: web.requests, by: \.address)
        return Dictionary(
            uniqueKeysWithValues: sites.map { site in
                // After a redirect, the request for the target counts.
                let isMoved = requests[site.address + "/new"] != nil
                return (site.address, Requests(requests[isMoved ? site.address + "/new" : site.address] ?? []))
            })
    }

    @Test("In a week, 200 sources are asked in time, politely, and as docs/fetching.md states")
    func week() async throws {
        let clock = TestClock()
        let web = FakeWeb(try await StoreEngine.sqlite.open(clock: clock), clock: clock)
        let start = web.clock.now
        var sites: [(habit: Habit, site: Site)] = []
        for (index, habit) in Self.habits.enumerated() {
            for number in 0..<habit.sources {
                let address = "https://s\(number).h\(index).org/feed"
                sites.append((habit, Site(habit, number: number, address: address, start: start)))
            }
        }
        #expect(sites.count == 200)
        let requests = try await Self.week(of: sites.map(\.site), in: web)
        for (habit, site) in sites {
            check(try #require(requests[site.address]), of: habit, site)
        }
        // Half of the sources publish daily or less often.
        #expect(web.requests.count < 200 * 30, "\(web.requests.count) requests")
        let page = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/fetching.md").standardized,
            encoding: .utf8)
        for habit in Self.habits {
            let row = Self.row(
                habit, sites.filter { $0.habit.name == habit.name }.compactMap { requests[$0.site.address] })
            let isDocumented = page.contains(row)
            #expect(isDocumented, "docs/fetching.md does not have this row: \(row)")
        }
    }

    /// Checks what is true of each source, and what its server asks for.
    private func check(_ requests: Requests, of habit: Habit, _ site: Site) {
        let hour = Self.hour
        #expect((requests.waits.min() ?? hour) >= 900, "\(habit.name)")
        let unconditional = requests.all.filter { $0.fields["If-None-Match"] == nil }
        let hours = requests.all.map { $0.time.timeIntervalSince(site.start) / hour }
        switch habit.server {
        case .bare, .offline, .locked: break
        // The first response decides the validators of the next requests.
        default: #expect(unconditional.map(\.time) == [site.start], "\(habit.name)")
        }
        switch habit.server {
        case .plain, .bare: #expect((requests.waits.max() ?? 0) <= 24 * hour * 1.05 + 60, "\(habit.name)")
        case .fields: #expect((requests.waits.min() ?? 0) >= 6 * hour)
        case .head(let text) where text.contains("ttl"): #expect((requests.waits.min() ?? 0) >= 3 * hour)
        case .head:
            for request in requests.all.dropFirst() {
                // A source that is due shortly before a skipped hour is fetched within a minute.
                #expect(![request.time, request.time.addingTimeInterval(-60)].allSatisfy(Self.isSkipped))
            }
        case .limits:
            for (number, wait) in requests.waits.enumerated() where (number + 1) % 3 == 0 { #expect(wait >= 5 * hour) }
        case .maintenance(let time): #expect(hours.filter(time.contains).count == 1)
        case .broken(let time): #expect((4...10).contains(hours.filter(time.contains).count))
        case .offline, .locked:
            #expect((5...9).contains(requests.all.count))
            #expect((requests.waits.max() ?? 0) <= 48 * hour * 1.05 + 60, "\(habit.name)")
        case .gone(let end): #expect(hours.filter { $0 >= end }.count == 1)
        case .moved: #expect(requests.all.count > 50)
        }
    }

    /// Whether `skipHours` and `skipDays` of the source exclude a time.
    private static func isSkipped(_ time: Date) -> Bool {
        let hours = Int(time.timeIntervalSince1970) / 3_600
        // 1 January 1970 was a Thursday.
        return hours % 24 < 6 || [0, 6].contains((hours / 24 + 4) % 7)
    }

    /// Returns the row of a habit in the table of the documentation.
    private static func row(_ habit: Habit, _ requests: [Requests]) -> String {
        let counts = requests.map(\.all.count)
        let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
        let waits = requests.flatMap(\.waits)
        return "| \(habit.name) | \(habit.sources) | \(least == most ? "\(least)" : "\(least)–\(most)") "
            + "| \(words(waits.min())) | \(words(waits.max())) |"
    }

    private static func words(_ seconds: Double?) -> String {
        guard let seconds else { return "–" }
        let minutes = Int(seconds / 60)
        return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }
}

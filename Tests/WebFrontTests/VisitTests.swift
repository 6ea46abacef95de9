import AuthService
import Foundation
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import Testing

/// Visits that a test watches and changes, as another server would.
private final class WatchedVisits: VisitRepository {
    private let repository: any VisitRepository
    private let content = Mutex<[StoredVisit]>([])
    private let refusals = Mutex(0)

    init(_ repository: any VisitRepository) { self.repository = repository }

    /// All visits that were stored, oldest first.
    var stored: [StoredVisit] { content.withLock { $0 } }

    /// Lets the next change find that another server has changed the visit.
    func refuseNextChange() { refusals.withLock { $0 += 1 } }

    func visit(_ id: [UInt8]) async throws -> (visit: StoredVisit, version: Int)? { try await repository.visit(id) }

    func add(_ visit: StoredVisit, keeping limit: Int, usedAfter oldest: Date) async throws {
        content.withLock { $0.append(visit) }
        try await repository.add(visit, keeping: limit, usedAfter: oldest)
    }

    func replace(_ visit: StoredVisit, version: Int) async throws -> Bool {
        content.withLock { $0.append(visit) }
        let isRefused = refusals.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        return isRefused ? false : try await repository.replace(visit, version: version)
    }

    func touch(_ id: [UInt8], at time: Date) async throws { try await repository.touch(id, at: time) }

    func remove(_ id: [UInt8]) async throws { try await repository.remove(id) }
}

@Suite("Visits in the database")
struct StoredVisitTests {
    /// A site whose visits the test watches.
    private static func site() async throws -> (site: Site, visits: WatchedVisits) {
        let watched = Mutex<WatchedVisits?>(nil)
        let site = try await Site.furnished(visits: { repository in
            let visits = WatchedVisits(repository)
            watched.withLock { $0 = visits }
            return visits
        })
        let visits = watched.withLock { $0 }
        return (site, try #require(visits))
    }

    @Test("The database contains no input of a visit in the clear, and nothing that another browser can open")
    func sealed() async throws {
        let (site, visits) = try await Self.site()
        let browser = Browser(site)
        browser.peer = .internet(host: "192.0.2.77", port: 1)
        try await browser.open("/signup")
        try await browser.submit(["username": "grace", "password": Site.password, "confirmation": Site.password])
        #expect(browser.address.hasPrefix("/signup/region?going="))
        #expect(!browser.cookies.values.joined(separator: " ").contains(Site.password))
        let rows = visits.stored
        #expect(!rows.isEmpty)
        for row in rows {
            let bytes = row.id + row.owner + row.holder + row.content
            for text in [Site.password, "grace", "signUp", "192.0.2.77"] {
                #expect(bytes.firstRange(of: Array(text.utf8)) == nil)
            }
        }
    }

    @Test("A visit that has ended is removed from the database")
    func removed() async throws {
        let (site, visits) = try await Self.site()
        let browser = Browser(site)
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        let id = try #require(visits.stored.first).id
        #expect(try await visits.visit(id)?.visit != nil)
        try await browser.submit(["username": "grace"])
        try await browser.submit(["password": Site.password, "confirmation": Site.password])
        #expect(browser.address == "/articles?unread=yes")
        #expect(try await visits.visit(id)?.visit == nil)
    }

    @Test("A page shows only a secret that was kept, even if another server changes the visit at the same time")
    func changedElsewhere() async throws {
        let (site, visits) = try await Self.site()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/second-factor")
        visits.refuseNextChange()
        try await browser.follow("Set up")
        let secret = try #require(browser.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        try await browser.reload()
        #expect(browser.body.contains(secret))
    }

    @Test("The question before a registration is left waits for its answer on the other server")
    func question() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/signup")
        try await browser.submit(["username": "grace", "password": Site.password, "confirmation": Site.password])
        try await browser.back()
        #expect(browser.screen == "/signup" && browser.body.contains("value=\"grace\""))
        try await browser.back()
        #expect(browser.address.hasPrefix("/leave/signup?going="))
        try await browser.press("Continue registering")
        #expect(browser.screen == "/signup" && browser.body.contains("value=\"grace\""))
        try await browser.back()
        try await browser.press("Leave")
        #expect(browser.screen == "/login")
    }

    @Test("A login that takes too long for its code ends, and keeps the name in the form")
    func lateCode() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/second-factor")
        try await browser.follow("Set up")
        let secret = try #require(browser.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        let authenticator = try #require(Authenticator(secret.filter { $0 != " " }))
        try await browser.submit(["code": authenticator.code(at: site.clock.now)])
        let other = Browser(site)
        try await other.logIn()
        #expect(other.address.hasPrefix("/second-factor?going="))
        site.clock.advance(by: 301)
        try await other.submit(["code": authenticator.code(at: site.clock.now)])
        #expect(other.screen == "/login" && other.cookies["session"] == nil)
    }

    @Test("An operator's code is shown once, by either server")
    func invitation() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/users")
        try await browser.press("Invite a user")
        #expect(browser.address.hasPrefix("/users/code?going="))
        let code = try #require(browser.body.firstMatch(of: #/[0-9A-Z]{4}(-[0-9A-Z]{4}){6}/#)).0
        try await browser.reload()
        #expect(browser.body.contains(code))
        let made = browser.address
        try await browser.back()
        try await browser.open(made)
        #expect(!browser.body.contains(code))
    }
}

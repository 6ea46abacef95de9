import ArticleStore
import LibraryServices
import StoreEngines
import Synchronization
import Testing

@Suite("Calls of the store by pages")
struct CallTests {
    @Test(
        "A page takes one call of the store, and an article that becomes read two, however many articles there are",
        arguments: [5, 60],
        [
            "/articles?limit=100", "/articles?limit=100&sort=title&author=Ada", "/articles?limit=100&search=body",
            "/articles/article-1",
        ])
    func pages(count: Int, path: String) async throws {
        let site = try await Site.furnished(count)
        let browser = Browser(site)
        try await browser.logIn()
        // The first visit of an article also marks it as read.
        for visit in ["first", "second"] {
            let calls = try await site.counter.calls { try await browser.open(path) }
            #expect(browser.status == 200)
            if path.contains("limit") { #expect(browser.body.contains("/articles/article-\(count)")) }
            let becomesRead = visit == "first" && !path.contains("limit")
            #expect(calls.count == (becomesRead ? 2 : 1), "\(visit): \(calls)")
        }
        let isShown = path.hasSuffix("article-1")
        let marks = try await site.services.marks.marks(of: [1], by: 1)
        #expect(marks[1]?.read.value == isShown)
    }

    @Test(
        "A page takes two round trips to a PostgreSQL server: the session with the preferences, and the articles with the marks and the sidebar",
        .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil },
        arguments: ["/articles", "/articles?unread=1", "/articles?tag=odd&sort=title", "/articles/article-2"])
    func roundTrips(path: String) async throws {
        let site = try await Site.furnished(60)
        let browser = Browser(site)
        try await browser.logIn()
        // The first visit of an article marks it as read.
        try await browser.open(path)
        let before = site.roundTrips.count.load(ordering: .relaxed)
        try await browser.open(path)
        let count = site.roundTrips.count.load(ordering: .relaxed) - before
        #expect(browser.status == 200)
        #expect(count == 2)
    }
}

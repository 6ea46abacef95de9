import LibraryServices
import FlowCoordinators
import ArticleStore
import Foundation
import HTTPServer
import Testing

@Suite("Marks in a browser")
struct MarkingTests {
    @Test("Marks are buttons of a row, which lead back to the list")
    func rows() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.press("Star", after: "Article 2<")
        #expect(browser.address == "/articles" && browser.body.contains("Starred 1 article."))
        try await browser.reload()
        #expect(!browser.body.contains("Starred 1 article."))
        try await browser.follow("Starred")
        #expect(browser.body.contains("Article 2<") && !browser.body.contains("Article 1<"))
    }

    @Test("A button of a row marks its article even if the row is not on the page any more")
    func otherPage() async throws {
        let site = try await Site.furnished(60)
        let browser = Browser(site)
        try await browser.logIn()
        #expect(browser.body.contains("Article 60<") && !browser.body.contains("Article 1<"))
        try await browser.post("/articles", browser.hidden.merging(["do": "!star@1"]) { $1 })
        #expect(browser.address == "/articles" && browser.body.contains("Starred 1 article."))
        for button in ["!star@1000", "!star@x", "!delete@1", "!unstar"] {
            try await browser.post("/articles", browser.hidden.merging(["do": button]) { $1 })
        }
        #expect(try await site.services.marks.counts(of: 1).starred == 1)
    }

    @Test("The articles down to a row are marked as read, without those that arrived later or are below")
    func above() async throws {
        let site = try await Site.furnished(6)
        let browser = Browser(site)
        try await browser.logIn()
        // The newest comes first, so its row does not have the action. The last one is below the rows.
        #expect(
            browser.body.matches(of: #/<li class="row.*?<\/li>/#).filter { $0.0.contains("Mark above as read") }.count
                == 5)
        #expect(browser.body.matches(of: #/Mark above as read/#).count == 6)
        let page = browser.hidden
        try await site.add([
            ArticleDraft(slug: "late", title: "Late", body: "B.", published: Date(timeIntervalSince1970: 864_000))
        ])
        try await browser.post("/articles", page.merging(["do": "!read-above@4#6"]) { $1 })
        #expect(browser.body.contains("Marked 3 articles as read."))
        for button in ["!read-above@400#6", "!read-above@x#6", "!read-above#6"] {
            try await browser.post("/articles", browser.hidden.merging(["do": button]) { $1 })
        }
        let marks = try await site.services.marks.marks(of: Array(1...7), by: 1)
        #expect(marks.filter { $0.value.read.value }.map(\.key).sorted() == [4, 5, 6])
        try await browser.open("/articles")
        try await browser.press("Mark above as read", after: ">Article 5<")
        #expect(browser.body.contains("Marked 1 article as read."), "the one that arrived")
    }

    @Test(
        "A button below the rows marks the articles of a page as read, where no pointer hovers over a row",
        arguments: [
            "/articles", "/articles/article-3",
        ])
    func endOfList(path: String) async throws {
        let site = try await Site.furnished(60)
        let browser = Browser(site)
        try await browser.logIn()
        try await browser.open(path)
        try await browser.press("Mark above as read", after: "</ol>")
        let marks = try await site.services.marks.marks(of: Array(1...60), by: 1)
        #expect(marks.filter { $0.value.read.value }.count == (path == "/articles" ? 50 : 51))
        #expect(browser.body.contains("Marked 50 articles as read."))
        #expect(browser.address.hasPrefix(path))
        #expect(!browser.body.contains("<p class=\"end\">"), "there is nothing left to mark")
    }

    @Test("An article that arrives after the page was loaded stays unread when its list is marked as read")
    func arrival() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        let late = ArticleDraft(slug: "late", title: "Late", body: "B.", published: Date(timeIntervalSince1970: 0))
        try await site.add([late])
        try await browser.press("All read")
        // The question is another page, on which time passes too.
        try await site.add([ArticleDraft(slug: "later", title: "Later", body: "B.")])
        try await browser.press("Yes")
        #expect(browser.hasSucceeded)
        #expect(try await site.services.marks.counts(of: 1).unread == 2)
        for button in ["!all-read#", "!all-read#x", "!all-read#-1", "!star#9"] {
            try await browser.post("/articles", browser.hidden.merging(["do": button, "agreed": "yes"]) { $1 })
        }
        #expect(try await site.services.marks.counts(of: 1).unread == 2)
    }

    @Test("Opening an article marks it as read, and an article marked unread stays unread")
    func read() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.follow("Article 2")
        #expect(browser.body.contains("Mark as unread"))
        try await browser.press("Mark as unread")
        #expect(browser.body.contains("Mark as read"))
        try await browser.reload()
        try await browser.open("/articles?unread=yes", from: browser.address)
        // A reload of the page counts as a navigation, and so marks the article as read.
        #expect(!browser.body.contains("Article 2<"))
    }

    @Test(
        "Only a navigation by the user marks an article as read",
        arguments: [
            (["sec-purpose": "prefetch"], false), (["purpose": "prefetch"], false), (["x-moz": "prefetch"], false),
            // An image of an article, a frame, a script, and a page of another site without a click.
            (["sec-fetch-mode": "no-cors", "sec-fetch-dest": "image", "sec-fetch-site": "same-origin"], false),
            (["sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin"], false),
            (["sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin"], false),
            (["sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "cross-site"], false),
            (["sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-site"], false),
            (
                [
                    "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin",
                    "sec-purpose": "prefetch;prerender",
                ], false
            ),
            // Browsers without these fields.
            (["accept": "image/avif,image/webp,*/*;q=0.8"], false), (["accept": "*/*"], false),
            (["referer": "https://elsewhere.test/page"], false),
            (["accept": "text/html"], true), (["referer": "http://library.test/articles"], true),
            (["sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none"], true),
            (["sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin"], true),
            (
                [
                    "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "cross-site",
                    "sec-fetch-user": "?1",
                ], true
            ),
        ] as [([String: String], Bool)])
    func navigation(fields: [String: String], isRead: Bool) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        for (name, value) in fields {
            browser.fields[try #require(HTTPFieldName(name))] = try HTTPFieldValue(value)
        }
        try await browser.look("/articles/article-2")
        try await browser.open("/articles/article-2")
        browser.fields = [:]
        try await browser.open("/articles?unread=yes")
        #expect(browser.body.contains("Article 2<") != isRead)
    }

    @Test("An image of an article does not use up the notice of the next page")
    func noticeForPicture() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        browser.followsRedirects = false
        try await browser.press("Star", after: "Article 2<")
        let picture: HTTPFields = [
            "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image", "sec-fetch-site": "same-origin",
        ]
        browser.fields = picture
        try await browser.open("/articles/article-1")
        browser.fields = [:]
        try await browser.open("/articles")
        #expect(browser.body.contains("Starred 1 article."))
    }

    @Test("Marks and the ways on are in the bar of a text, and the rest is in its menu")
    func bar() async throws {
        let browser = Browser(try await Site.furnished())
        let bar = "class=\"toolbar bar\""
        try await browser.logIn(at: "/articles/article-2")
        try await browser.press("Star", after: bar)
        #expect(browser.address == "/articles/article-2" && browser.body.contains("Starred 1 article."))
        try await browser.press("Next article", after: bar)
        #expect(browser.address == "/articles/article-1")
        let parts = try #require(browser.body.split(separator: bar).last).split(separator: "<details class=\"menu\">")
        #expect(!parts[0].contains("My tags") && parts[1].contains("My tags"))
        try await browser.open("/account/second-factor")
        #expect(!browser.body.contains(bar))
    }

    @Test("Marks that changed elsewhere in the meantime are shown")
    func stale() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        try await browser.logIn()
        try await other.logIn()
        try await other.press("Star", after: "Article 2<")
        try await browser.press("Star", after: "Article 2<")
        // The star is set already, and the page offers to remove it.
        try await browser.press("Unstar", after: "Article 2<")
        await #expect(throws: Browser.Missing.self) { try await browser.press("Unstar", after: "Article 2<") }
    }
}

@Suite("The place in a text")
struct TextPlaceTests {
    @Test("The place in a text is stored on leaving, and restored the next time")
    func left() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/articles/article-2")
        #expect(!browser.body.contains("data-place"))
        try await browser.post(browser.address, browser.hidden.merging(["do": "left=420"]) { $1 })
        #expect(browser.status == 204)
        try await browser.open("/articles/article-2")
        #expect(browser.body.contains("data-place=\"420\""))
        try await browser.post(browser.address, browser.hidden.merging(["do": "left=1001"]) { $1 })
        #expect(browser.status == 400)
    }
}

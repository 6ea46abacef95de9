import LibraryServices
import AuthService
import FlowCoordinators
import Foundation
import HTTPServer
import ArticleStore
import TestSupport
import Testing

@Suite("Tags and notes in a browser")
struct NotingTests {
    @Test("Tags are saved by a form, which leads back to the article and its list")
    func tags() async throws {
        let browser = Browser(try await Site.furnished(4))
        try await browser.logIn(at: "/articles?tag=even")
        try await browser.follow("Article 4")
        try await browser.follow("My tags")
        #expect(browser.address == "/articles/article-4/tags?in=%2Farticles%3Ftag%3Deven")
        #expect(browser.body.contains("“Article 4”</h1>"))
        try await browser.submit(["tags": "to do, <b>"])
        #expect(browser.address == "/articles/article-4?in=%2Farticles%3Ftag%3Deven")
        #expect(browser.hasSucceeded && browser.body.contains("&lt;b&gt;"))
        try await browser.choose("next-article")
        #expect(browser.body.contains("<h1 dir=\"auto\">Article 2</h1>"))
        try await browser.open("/articles/article-4/tags")
        #expect(browser.body.contains("value=\"&lt;b&gt;, to do\""))
        let long = String(repeating: "x", count: 101)
        try await browser.submit(["tags": long])
        #expect(browser.isRefused && browser.body.contains("value=\"\(long)\""))
    }

    @Test("A note has several lines, which stay as they are")
    func note() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/articles/article-1/note")
        try await browser.submit(["note": "\r\nfirst\r\n</textarea>\r\nthird"])
        #expect(browser.address == "/articles/article-1" && browser.hasSucceeded)
        try await browser.follow("Note")
        #expect(browser.screen == "/articles/<slug>/note")
        #expect(browser.body.contains(">\n\nfirst\n&lt;/textarea&gt;\nthird</textarea>"))
    }

    @Test(
        "A note whose session has ended waits until its user has registered or logged in",
        arguments: [10, 5_000], [true, false])
    func registered(count: Int, registers: Bool) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/note")
        try await site.endSession(of: browser)
        let note = String(repeating: "typed", count: count)
        try await browser.submit(["note": note])
        try await browser.choose("register")
        let secrets = ["password": Site.password, "confirmation": Site.password]
        // A mistake on the way loses nothing either.
        try await browser.submit(["username": "admin"].merging(secrets) { $1 })
        if registers {
            try await browser.submit(["username": "grace"].merging(secrets) { $1 })
            try await browser.submit(["region": "SE"])
        } else {
            try await browser.back()
            if browser.body.contains(">Leave<") { try await browser.press("Leave") }
            try await browser.submit(["username": "ada", "password": Site.password])
        }
        #expect(browser.screen == "/articles/<slug>/note")
        #expect(browser.body.contains("\(note)</textarea>"))
    }

    @Test("A new article whose session has ended is shown to a user who may not add it", arguments: [10, 5_000])
    func registeredReader(count: Int) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/write")
        try await site.endSession(of: browser)
        let text = String(repeating: "typed", count: count)
        try await browser.submit(["title": "Mine", "text": text])
        try await browser.choose("register")
        let secrets = ["password": Site.password, "confirmation": Site.password]
        try await browser.submit(["username": "grace"].merging(secrets) { $1 })
        try await browser.submit(["region": "SE"])
        #expect(browser.status == 403)
        #expect(browser.body.contains("Mine</textarea>") && browser.body.contains("\(text)</textarea>"))
    }

    @Test("A change in another window is shown first, and not overwritten before that")
    func conflict() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        for browser in [browser, other] { try await browser.logIn(at: "/articles/article-1/note") }
        try await other.submit(["note": "theirs"])
        try await browser.submit(["note": "mine"])
        #expect(browser.isRefused && browser.body.contains("to “theirs”"))
        #expect(browser.body.contains("\nmine</textarea>"))
        try await browser.submit(["note": "mine"])
        #expect(browser.address == "/articles/article-1" && browser.body.contains("mine"))
        // An error in another field does not show the change.
        for browser in [browser, other] { try await browser.open("/articles/article-1/tags") }
        try await other.submit(["tags": "precious"])
        try await browser.submit(["tags": String(repeating: "x", count: 101)])
        try await browser.submit(["tags": "mine"])
        #expect(browser.isRefused && browser.body.contains("to “precious”"))
    }

    @Test("If the session has ended, a note waits behind the log-in")
    func expired() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/note")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        try await browser.submit(["note": "one\r\ntwo"])
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.body.contains("\none\ntwo</textarea>"))
    }

    @Test("A note that another tab's logout overtook is typed once, whoever ended the session")
    func logOutInAnotherTab() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/note")
        let typed = ["note": "one\r\ntwo"].merging(browser.hidden) { $1 }.merging([
            "screen": "/articles/<slug>/note", "do": "send",
        ]) { $1 }
        try await browser.open("/account")
        try await browser.logOut()
        try await browser.post("/articles/article-1/note", typed)
        #expect(browser.screen == "/login")
        #expect(try await site.services.marks.counts(of: 1).noted == 0)
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.body.contains("\none\ntwo</textarea>"))
        try await browser.submit(["note": "one\r\ntwo"])
        #expect(browser.hasSucceeded)
    }

    @Test(
        "A note that another tab's login overtook is shown again, and saved by sending it once more",
        arguments: [3, 3_000])
    func logInInAnotherTab(count: Int) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/note")
        let text = String(repeating: "word ", count: count)
        let typed = ["note": text].merging(browser.hidden) { $1 }.merging([
            "screen": "/articles/<slug>/note", "do": "send",
        ]) { $1 }
        try await browser.open("/account")
        try await browser.logOut()
        try await browser.logIn()
        try await browser.post("/articles/article-1/note", typed)
        #expect(browser.body.contains(">\n\(text)</textarea>"))
        #expect(try await site.services.marks.counts(of: 1).noted == 0)
        try await browser.submit(["note": text])
        #expect(browser.hasSucceeded)
    }

    @Test("A button that another tab's login overtook does nothing, and says so")
    func buttonOfBefore() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1")
        let pressed = browser.hidden.merging(["screen": "/articles/<slug>", "do": "!later"]) { $1 }
        try await browser.open("/account")
        try await browser.logOut()
        try await browser.logIn()
        try await browser.post("/articles/article-1", pressed)
        #expect(browser.status == 200)
        #expect(try await site.services.marks.counts(of: 1).later == 0)
        // Another site cannot even make the browser show that page.
        browser.fields = ["sec-fetch-site": "cross-site"]
        try await browser.post("/articles/article-1", pressed)
        #expect(browser.status == 403)
    }

    @Test("A note that was changed elsewhere is shown beside the one that was typed")
    func bothNotes() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        for browser in [browser, other] { try await browser.logIn(at: "/articles/article-1/note") }
        let theirs = String(repeating: "theirs ", count: 200)
        try await other.submit(["note": theirs])
        try await browser.submit(["note": "mine"])
        #expect(browser.body.contains("\nmine</textarea>") && browser.body.contains(">\(theirs)</pre>"))
    }
}

@Suite("The address of feeds in a browser")
struct FeedAddressPageTests {
    @Test("The address is made and shown once, and removed after a question")
    func made() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account")
        try await browser.follow("Feed address")
        try await browser.press("Create an address")
        #expect(browser.address.hasPrefix("/account/feed/made?going="))
        let text = try #require(browser.body.firstMatch(of: #/\/feeds\/([A-Za-z0-9_-]{43})\/atom/#)).1
        #expect(try await browser.site.services.auth.user(of: try #require(FeedSecret(String(text)))) != nil)
        #expect(!browser.address.contains(text))
        #expect(browser.body.contains("data-copy=\"/feeds/\(text)/json\" hidden>"))
        try await browser.back()
        #expect(browser.address == "/account/feed")
        #expect(browser.body.contains("created ") && !browser.body.contains(text))
        try await browser.press("Remove the address")
        #expect(try await browser.site.services.auth.user(of: try #require(FeedSecret(String(text)))) != nil)
        try await browser.press("Yes")
        #expect(browser.address == "/account/feed" && browser.hasSucceeded)
    }
}

@Suite("An API token in a browser")
struct TokenPageTests {
    @Test("The token is made by a form, and shown once")
    func made() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/tokens")
        try await browser.follow("New token")
        try await browser.submit(["name": "backup", "scope": "read", "days": "400"])
        #expect(browser.isRefused && browser.body.contains("366"))
        site.clock.advance(by: 7_200)
        try await browser.submit(["name": "backup", "scope": "read", "days": "30"])
        #expect(browser.address.hasPrefix("/account/confirm?going="))
        try await browser.submit(["password": Site.password])
        #expect(browser.address.hasPrefix("/account/tokens/made?going="))
        let text = try #require(browser.body.firstMatch(of: #/actl_[A-Za-z0-9_.-]+/#)).0
        #expect(try await site.services.auth.currentSession(token: try #require(SessionToken(String(text)))) != nil)
        #expect(!browser.address.contains(text))
        #expect(browser.body.contains("data-copy=\"\(text)\" hidden>"))
        try await browser.back()
        #expect(browser.address == "/account/tokens")
        #expect(browser.body.contains("backup") && !browser.body.contains(text))
        try await browser.open("/account/tokens/made")
        #expect(!browser.body.contains(text))
    }
}

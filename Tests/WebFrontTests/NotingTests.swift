import AuthService
import FlowCoordinators
import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Tags and notes in a browser")
struct NotingTests {
    @Test("are saved by a form, which leads back to the article and the list that it was come to by")
    func tags() async throws {
        let browser = Browser(try await Site.furnished(4))
        try await browser.logIn(at: "/articles?tag=even")
        try await browser.follow("Article 4")
        try await browser.follow("My tags")
        #expect(browser.address == "/articles/article-4/tags?in=%2Farticles%3Ftag%3Deven")
        #expect(browser.body.contains("<h1 dir=\"auto\">My tags of “Article 4”</h1>"))
        try await browser.press("Save", filling: ["tags": "to do, <b>"])
        #expect(browser.address == "/articles/article-4?in=%2Farticles%3Ftag%3Deven")
        #expect(browser.body.contains("Saved your tags.") && browser.body.contains("&lt;b&gt;"))
        try await browser.press("Next article")
        #expect(browser.body.contains("<h1 dir=\"auto\">Article 2</h1>"))
        try await browser.open("/articles/article-4/tags")
        #expect(browser.body.contains("value=\"&lt;b&gt;, to do\""))
        let long = String(repeating: "x", count: 101)
        try await browser.press("Save", filling: ["tags": long])
        #expect(browser.isRefused && browser.body.contains("value=\"\(long)\""))
    }

    @Test("a note is written in several lines, which are kept as they are")
    func note() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/articles/article-1/note")
        try await browser.press("Save", filling: ["note": "\r\nfirst\r\n</textarea>\r\nthird"])
        #expect(browser.address == "/articles/article-1" && browser.body.contains("Saved the note."))
        try await browser.follow("Note")
        #expect(browser.body.contains("<h1 dir=\"auto\">Note on “Article 1”</h1>"))
        #expect(browser.body.contains(">\n\nfirst\n&lt;/textarea&gt;\nthird</textarea>"))
    }

    @Test("what was changed in another window meanwhile is told, and not written over before")
    func conflict() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        for browser in [browser, other] { try await browser.logIn(at: "/articles/article-1/note") }
        try await other.press("Save", filling: ["note": "theirs"])
        try await browser.press("Save", filling: ["note": "mine"])
        #expect(browser.isRefused && browser.body.contains("to “theirs”"))
        #expect(browser.body.contains("\nmine</textarea>"))
        try await browser.press("Save", filling: ["note": "mine"])
        #expect(browser.address == "/articles/article-1" && browser.body.contains("mine"))
        // What is wrong besides tells nobody of a change.
        for browser in [browser, other] { try await browser.open("/articles/article-1/tags") }
        try await other.press("Save", filling: ["tags": "precious"])
        try await browser.press("Save", filling: ["tags": String(repeating: "x", count: 101)])
        try await browser.press("Save", filling: ["tags": "mine"])
        #expect(browser.isRefused && browser.body.contains("to “precious”"))
    }

    @Test("what was written waits behind the log-in where the session has ended")
    func expired() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/note")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        try await browser.press("Save", filling: ["note": "one\r\ntwo"])
        try await browser.press("Log in", filling: ["username": "ada", "password": Site.password])
        #expect(browser.body.contains("\none\ntwo</textarea>"))
    }
}

@Suite("The address of feeds in a browser")
struct FeedAddressPageTests {
    @Test("is made and shown once, and removed after a question")
    func made() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account")
        try await browser.follow("Address of feeds")
        try await browser.press("Make an address")
        #expect(browser.address.hasPrefix("/account/feed/made?going="))
        let text = try #require(browser.body.firstMatch(of: #/\/feeds\/([A-Za-z0-9_-]{43})\/atom/#)).1
        #expect(try await browser.site.services.feeds.reader(try #require(FeedSecret(String(text)))) != nil)
        #expect(!browser.address.contains(text))
        #expect(browser.body.contains("data-copy=\"/feeds/\(text)/json\" hidden>"))
        try await browser.press("Done")
        #expect(browser.address == "/account/feed")
        #expect(browser.body.contains("since ") && !browser.body.contains(text))
        try await browser.press("Remove the address")
        #expect(try await browser.site.services.feeds.reader(try #require(FeedSecret(String(text)))) != nil)
        try await browser.press("Yes")
        #expect(browser.address == "/account/feed" && browser.body.contains("The address is removed."))
    }
}

@Suite("An API token in a browser")
struct TokenPageTests {
    @Test("is made by a form, and shown once")
    func made() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/tokens")
        try await browser.follow("New token")
        try await browser.press("Make the token", filling: ["name": "backup", "scope": "read", "days": "400"])
        #expect(browser.isRefused && browser.body.contains("1 to 366 days"))
        site.clock.advance(by: 7_200)
        try await browser.press("Make the token", filling: ["name": "backup", "scope": "read", "days": "30"])
        #expect(browser.address.hasPrefix("/account/confirm?going="))
        try await browser.press("Go on", filling: ["password": Site.password])
        #expect(browser.address.hasPrefix("/account/tokens/made?going="))
        let text = try #require(browser.body.firstMatch(of: #/actl_[A-Za-z0-9_.-]+/#)).0
        #expect(try await site.services.auth.currentSession(token: try #require(SessionToken(String(text)))) != nil)
        #expect(!browser.address.contains(text))
        #expect(browser.body.contains("data-copy=\"\(text)\" hidden>"))
        try await browser.press("Done")
        #expect(browser.address == "/account/tokens")
        #expect(browser.body.contains("backup") && !browser.body.contains(text))
        try await browser.open("/account/tokens/made")
        #expect(!browser.body.contains(text))
    }
}

import ArticleStore
import Foundation
import HTTPServer
import WebFront
import FlowCoordinators
import ReadingStore
import Testing

@Suite("A page")
struct SafetyTests {
    @Test("shows what others have written as text")
    func hostile() async throws {
        let site = try await Site.furnished()
        let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
        try await site.add([
            ArticleDraft(
                slug: "evil", title: evil, authors: [evil],
                body:
                    "\(evil)\n\n<svg onload=alert(1)></svg>\n\n[link](javascript:alert(1)) <a href=\"javascript:alert(1)\">x</a>",
                published: Date(timeIntervalSince1970: 0), tags: [evil])
        ])
        let browser = Browser(site)
        try await browser.logIn()
        for path in [
            "/articles", "/articles/evil", "/library", "/library?article=evil", "/articles?search=%3Cscript%3E%22",
        ] {
            try await browser.open(path)
            #expect(browser.status == 200)
            #expect(!browser.body.contains("<script>") && !browser.body.contains("<img src=x"))
            #expect(browser.body.firstMatch(of: #/<[^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/#) == nil)
            #expect(!browser.body.lowercased().contains("href=\"javascript:"))
        }
    }

    @Test("may hold nothing but what this server sends, and is kept by nobody")
    func policy() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        let policy = try #require(browser.response.fields["content-security-policy"]?.text)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
        #expect(browser.response.fields[.cacheControl]?.text == "no-store")
        #expect(!browser.body.contains(" style=") && !browser.body.contains("<style"))
        #expect(browser.response.fields["strict-transport-security"] == nil)
    }

    @Test("over TLS has cookies that no other site can set or read")
    func cookies() async throws {
        let browser = Browser(try await Site.furnished(), isSecure: true)
        try await browser.logIn()
        #expect(browser.cookies.keys.allSatisfy { $0.hasPrefix("__Host-") })
        #expect(browser.cookies["__Host-session"] != nil)
        #expect(browser.response.fields["strict-transport-security"] != nil)
        try await browser.press("Star")
        let set = browser.response.fields.values(of: .setCookie).map(\.text)
        #expect(set.allSatisfy { $0.contains("HttpOnly") && $0.contains("SameSite=Lax") && $0.contains("; Secure") })
    }

    @Test("is nothing any more after the log-out, nor are the forms of before")
    func loggedOut() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        let (before, key) = (browser.hidden, browser.cookies["browser"])
        try await browser.press("Log out")
        #expect(browser.body.contains("Logged out.") && browser.cookies["session"] == nil)
        try await browser.open("/articles")
        #expect(browser.body.contains("<h1 dir=\"auto\">Log in</h1>") && !browser.body.contains("Article 1"))
        #expect(browser.cookies["browser"] != key)
        try await browser.post("/articles", before.merging(["screen": "/articles", "do": "!Star@1"]) { $1 })
        #expect(browser.body.contains("<h1 dir=\"auto\">Log in</h1>"))
        #expect(try await site.services.marks.counts(of: 1).starred == 0)
    }

    @Test("has the pictures that are allowed, and of the others a link", arguments: WebFrontSettings.Images.allCases)
    func images(policy: WebFrontSettings.Images) async throws {
        let site = try await Site.furnished(1, WebFrontSettings(images: policy))
        try await site.add([
            ArticleDraft(
                slug: "pictures", title: "Pictures", body: "![own](/a.png) ![other](https://other.test/b.png)",
                sourceURL: "https://blog.test/post/", published: Date(timeIntervalSince1970: 0))
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/pictures")
        let allowed = browser.response.fields["content-security-policy"]?.text ?? ""
        #expect(browser.body.contains("src=\"https://blog.test/a.png\"") == (policy != .off))
        #expect(browser.body.contains("src=\"https://other.test/b.png\"") == (policy == .all))
        #expect(browser.body.contains("href=\"https://other.test/b.png\"") == (policy != .all))
        #expect(allowed.contains("https://blog.test") == (policy == .sameSource))
        #expect(allowed.contains("img-src 'self' https: http:") == (policy == .all))
    }

    @Test("leads by a link to an article of the library, and out of it only where the text does")
    func links() async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(
                slug: "linked", title: "Linked", body: "[in](article-1) [out](/elsewhere)",
                sourceURL: "https://blog.test/linked", published: Date(timeIntervalSince1970: 0))
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/linked")
        try await browser.follow("out")
        #expect(browser.address == "https://blog.test/elsewhere")
        try await browser.open("/articles/linked/link?to=https%3A%2F%2Fevil.test%2F")
        #expect(browser.status == 404)
        try await browser.open("/articles/linked")
        try await browser.follow("in")
        #expect(browser.address == "/articles/article-1" || browser.address == "https://blog.test/article-1")
    }

    @Test("leads by a link to the part of another article that it names")
    func parts() async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(
                slug: "linked", title: "Linked",
                body: "[part](/articles/article-1#the-part) [letter](/articles/article-1#é)",
                published: Date(timeIntervalSince1970: 0))
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/linked")
        try await browser.follow("part")
        #expect(browser.address == "/articles/article-1#user-content-the-part")
        try await browser.open("/articles/linked")
        try await browser.follow("letter")
        #expect(browser.address == "/articles/article-1#user-content-%C3%A9")
    }
}

import LibraryServices
import ArticleStore
import AuthService
import Foundation
import HTTPServer
import WebFront
import FlowCoordinators
import StoreEngines
import Testing

@Suite("A page")
struct SafetyTests {
    @Test("Text of other users is written as text")
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

    @Test("A page isolates the direction of written texts")
    func directions() async throws {
        let site = try await Site.furnished()
        let evil = "\u{202E}live\u{2066}"
        _ = try await site.services.articles.upsert(
            [
                ArticleDraft(
                    slug: "evil", title: "Title \(evil)", authors: ["Author \(evil)", "Ada"], body: "Body \(evil)",
                    sourceURL: "https://example.org/\(evil)", tags: ["tag \(evil)", "other"])
            ], into: SourceFacts(name: "Source \(evil)", kind: .stream))
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/evil/tags")
        try await browser.submit(["tags": "own \(evil)"])
        try Self.checkDirections(browser)
        try await browser.open("/articles/evil/note")
        try await browser.submit(["note": "note \(evil)"])
        for path in [
            "/articles", "/articles/evil", "/articles/evil/tags", "/articles/evil/edit", "/articles?search=live",
            "/articles?search=%E2%80%AE", "/library", "/library?sources=all", "/library?tags=all",
            "/articles/none%E2%80%AE",
        ] {
            try await browser.open(path)
            try Self.checkDirections(browser)
        }
        try await browser.open("/articles/evil/edit")
        try await browser.submit(["date": evil, "text": "Body"])
        try Self.checkDirections(browser)
        try await browser.open("/articles/evil")
        try await browser.choose("delete")
        try Self.checkDirections(browser)
        try await browser.press("Yes")
        try Self.checkDirections(browser)
    }

    /// Checks that each text with a control of directions is in an element that isolates it.
    private static func checkDirections(_ browser: Browser) throws {
        var open: [(name: Substring, isolates: Bool)] = []
        for match in browser.body.matches(of: #/<(/?)([a-z0-9]+)([^>"]*(?:"[^"]*"[^>"]*)*)>([^<]*)/#) {
            let (name, attributes) = (match.2, match.3)
            if !match.1.isEmpty {
                if let index = open.lastIndex(where: { $0.name == name }) { open.removeSubrange(index...) }
            } else if !["input", "meta", "link", "br", "img", "hr"].contains(name) {
                open.append((name, name == "bdi" || attributes.contains("dir=\"auto\"")))
            }
            guard match.4.unicodeScalars.contains(where: { $0 == "\u{202E}" || $0 == "\u{2066}" }) else { continue }
            let isIsolated = open.contains(where: \.isolates)
            #expect(isIsolated, "\(browser.address): \(open.map(\.name)) \(match.4)")
        }
    }

    @Test("A page may load only files of this server, and is not cached")
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

    @Test("Over TLS, no other site can set or read the cookies")
    func cookies() async throws {
        let browser = Browser(try await Site.furnished(), isSecure: true)
        try await browser.logIn()
        #expect(browser.cookies.keys.allSatisfy { $0.hasPrefix("__Host-") })
        #expect(browser.cookies["__Host-session"] != nil)
        #expect(browser.response.fields["strict-transport-security"] != nil)
        try await browser.choose("star")
        let set = browser.response.fields.values(of: .setCookie).map(\.text)
        #expect(set.allSatisfy { $0.contains("HttpOnly") && $0.contains("SameSite=Lax") && $0.contains("; Secure") })
    }

    @Test("After the logout, earlier pages and forms are invalid")
    func loggedOut() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        let (before, key) = (browser.hidden, browser.cookies["browser"])
        try await browser.logOut()
        #expect(browser.hasSucceeded && browser.cookies["session"] == nil)
        try await browser.open("/articles")
        #expect(browser.screen == "/login" && !browser.body.contains("Article 1"))
        #expect(browser.cookies["browser"] != key)
        try await browser.post("/articles", before.merging(["screen": "/articles", "do": "!star@1"]) { $1 })
        #expect(browser.screen == "/login")
        #expect(try await site.services.marks.counts(of: 1).starred == 0)
    }

    @Test("Only allowed images are loaded, and the others are links", arguments: WebFrontSettings.Images.allCases)
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
        #expect(browser.body.contains("src=\"https://blog.test/a.png\"") == (policy == .sameSource || policy == .all))
        #expect(browser.body.contains("src=\"https://other.test/b.png\"") == (policy == .all))
        #expect(browser.body.contains("href=\"https://other.test/b.png\"") == (policy != .all))
        #expect(allowed.contains("https://blog.test") == (policy == .sameSource))
        #expect(allowed.contains("img-src 'self' https: http:") == (policy == .all))
    }

    @Test("A picture of the library comes from this server, without a login, and no page loads anything else")
    func keptPictures() async throws {
        let site = try await Site.furnished(1, WebFrontSettings(images: .kept))
        try await site.add([
            ArticleDraft(
                slug: "pictures", title: "Pictures", body: "![own](/a.gif) ![other](https://other.test/b.png)",
                sourceURL: "https://blog.test/post/", published: Date(timeIntervalSince1970: 0))
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/pictures")
        for _ in 0..<2 {
            try await browser.reload()
            #expect(!browser.body.contains("src=\"/pictures/"))
        }
        let pictures = try #require(site.services.pictures)
        let picture = try #require(Picture(Array("GIF89a".utf8) + [0, 0xFF]))
        let id = try #require(try await site.services.articles.article(slug: "pictures")?.id)
        let reference = try #require(try await pictures.store(picture, at: "https://blog.test/a.gif", of: id))
        let path = reference.uid.path
        // Each of the two servers has rendered the text before without the picture.
        for _ in 0..<2 {
            try await browser.reload()
            #expect(browser.body.contains("<img src=\"\(path)\" alt=\"own\">"))
        }
        #expect(browser.body.contains("<a href=\"https://other.test/b.png\""))
        #expect(browser.body.components(separatedBy: "<img").count == 2)
        let policy = browser.response.fields["content-security-policy"]?.text ?? ""
        #expect(policy.contains("img-src 'self';"))

        let stranger = Browser(site)
        try await stranger.open(path)
        #expect(stranger.status == 200)
        guard case .bytes(let bytes) = stranger.response.body else { throw Browser.Missing(what: "bytes") }
        #expect(bytes == picture.bytes)
        let fields = stranger.response.fields
        #expect(fields[.contentType]?.text == "image/gif")
        #expect(fields["x-content-type-options"]?.text == "nosniff")
        #expect(fields["cross-origin-resource-policy"]?.text == "cross-origin")
        #expect(fields["content-security-policy"]?.text == "default-src 'none'")
        #expect(fields[.cacheControl]?.text == "private, max-age=31536000, immutable")
        stranger.fields[.ifNoneMatch] = fields[.eTag]
        try await stranger.open(path)
        #expect(stranger.status == 304)
        for path in ["/pictures/\(PictureUID.random())", "/pictures/1", "/pictures/", "\(path)/x"] {
            try await stranger.open(path)
            #expect(stranger.status == 404 || stranger.screen == "/login", "\(path)")
        }
    }

    @Test("A link leads to an article of the library, and out of it only if the text does")
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

    @Test("A link leads to the part of another article that it names")
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

    @Test("Below the path of a proxy, addresses and cookies begin with it", arguments: [false, true])
    func prefix(isSecure: Bool) async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(
                slug: "odd", title: "Odd", body: "[a](/b) \" href=\"/c\" `x`", sourceURL: "https://example.org/o")
        ])
        func ask(_ method: HTTPMethod, _ path: String, _ form: String = "", cookies: String = "") async throws
            -> HTTPResponse
        {
            var request = HTTPRequest(
                method, try #require(HTTPTarget(path)),
                fields: [.host: "library.test", .contentType: "application/x-www-form-urlencoded"],
                body: Array(form.utf8), isSecure: isSecure)
            request.prefix = "/rss"
            if !cookies.isEmpty { request.fields[.cookie] = try HTTPFieldValue(cookies) }
            request.fields["origin"] = try HTTPFieldValue(isSecure ? "https://library.test" : "http://library.test")
            return await site.front.answer(request)
        }
        func text(_ response: HTTPResponse) -> String {
            if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
        let logIn = try await ask(.get, "/articles")
        let page = text(logIn)
        #expect(page.contains("<html data-base=\"/rss\"") && page.contains("href=\"/rss/assets/"))
        #expect(
            page.contains("action=\"/rss/articles\"") && page.matches(of: #/ (?:href|action|src)="\/(?!rss\/)/#).isEmpty
        )
        let cookie = try #require(logIn.fields[.setCookie]?.text)
        #expect(cookie.hasPrefix(isSecure ? "__Secure-browser=" : "browser=") && cookie.contains("; Path=/rss;"))
        let token = try #require(page.firstMatch(of: #/name="form" value="([^"]*)"/#)?.1)
        let browser = String(cookie.prefix { $0 != ";" })
        let form =
            "form=\(token)&screen=/login&username=ada&password=\(Site.password.replacing(" ", with: "+"))&do=send"
        let done = try await ask(.post, "/articles", form, cookies: browser)
        #expect(done.status == .seeOther && done.fields[.location]?.text == "/rss/articles")
        let cookies = done.fields.values(of: .setCookie).map { String($0.text.prefix { $0 != ";" }) }.joined(
            separator: "; ")
        let article = text(try await ask(.get, "/articles/odd", cookies: cookies))
        #expect(article.contains("href=\"https://example.org/o\"") && article.contains("&quot; href=&quot;/c&quot;"))
        #expect(article.contains("href=\"/rss/articles/odd/link?to=%2Fb\""))
    }

    @Test("The address of the original is a link among the article's properties")
    func original() async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(slug: "web", title: "Web", body: "B", sourceURL: "https://example.org/?a=1&b=2"),
            ArticleDraft(slug: "script", title: "Script", body: "B", sourceURL: "javascript:x()"),
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/web")
        let address = "https://example.org/?a=1&amp;b=2"
        #expect(browser.body.contains("<a href=\"\(address)\" rel=\"noopener noreferrer\">\(address)</a>"))
        try await browser.open("/articles/script")
        #expect(browser.body.contains("<dd><bdi>javascript:x()</bdi></dd>"))
    }

    @Test("The box of each task has a name")
    func tasks() async throws {
        let site = try await Site.furnished()
        try await site.add([ArticleDraft(slug: "tasks", title: "Tasks", body: "- [x] one\n- [ ] two\n")])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/tasks")
        #expect(
            browser.body.contains(#/checked="" aria-label="[^"]+">/#)
                && browser.body.contains(#/disabled="" aria-label="[^"]+">/#))
    }
}

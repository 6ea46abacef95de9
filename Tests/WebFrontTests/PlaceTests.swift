import ArticleStore
import Foundation
import HTTPServer
import LibraryServices
import Testing
import Text

@Suite("A place as an address")
struct PlaceTests {
    @Test("A place waits behind the login, which leads to it")
    func deferred() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/articles?tag=even")
        #expect(browser.screen == "/login")
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.address == "/articles?tag=even")
        #expect(browser.body.contains("Article 2") && !browser.body.contains("Article 1"))
    }

    @Test("A place is the same for everybody: a link to an article keeps its list")
    func neighbours() async throws {
        let site = try await Site.furnished(6)
        let browser = Browser(site)
        try await browser.logIn(at: "/articles?tag=even")
        try await browser.follow("Article 6")
        #expect(browser.address == "/articles/article-6?in=%2Farticles%3Ftag%3Deven")
        try await browser.choose("next-article")
        #expect(browser.address == "/articles/article-4?in=%2Farticles%3Ftag%3Deven")
        let other = Browser(site)
        try await other.logIn(at: browser.address)
        #expect(other.body.contains("<h1 dir=\"auto\">Article 4</h1>"))
        try await other.choose("previous-article")
        #expect(other.body.contains("<h1 dir=\"auto\">Article 6</h1>"))
    }

    @Test(
        "A missing place gets a page that says so",
        arguments: [
            "/nothing", "/articles?colour=red", "/articles/none", "/articles/article-1/link", "/a%00",
            "/articles?cursor=x", "/articles?unread=yes&read=yes",
        ])
    func missing(path: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        guard HTTPTarget(path) != nil else { return }
        try await browser.open(path)
        #expect(browser.status == 404)
        // The page of a missing place still shows the user.
        #expect(browser.body.contains("value=\"!log-out\""))
    }

    @Test("The page of an article lists its sources, with the title and the text there if they differ")
    func sources() async throws {
        let site = try await Site.furnished(2)
        let articles = site.services.articles
        try await articles.write(needing: WriteNeeds()) { writer in
            for (name, title, text) in [("Same", "Article 1", nil), ("Link <blog>", "Seen & noted", "A *comment*.")] {
                let source = try writer.source(SourceFacts(name: name, kind: .feed))
                try writer.put(
                    ArticleAppearance(
                        source: source.reference, key: "x", title: title, address: "https://example.org/?a=1&b=2",
                        text: text.map { .init($0, format: .markdown) }), of: 1)
            }
        }
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1")
        #expect(browser.body.contains("Body 1") && browser.body.contains("href=\"/articles?source=Same\""))
        #expect(browser.body.contains("Also in Link &lt;blog&gt;</h") && !browser.body.contains("Also in Same"))
        #expect(browser.body.contains("Seen &amp; noted") && browser.body.contains("<em>comment</em>"))
        #expect(browser.body.contains("href=\"https://example.org/?a=1&amp;b=2\""))
        try await browser.open("/articles?source=same")
        #expect(browser.body.contains("Article 1") && !browser.body.contains("Article 2"))
    }

    @Test("The names of buttons contain their row", arguments: ["/articles", "/account/sessions"])
    func described(path: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: path)
        let described = browser.body.matches(of: #/aria-describedby="(row-[^"]*)"/#).map(\.1)
        #expect(!described.isEmpty)
        for id in described { #expect(browser.body.contains(" id=\"\(id)\">")) }
    }

    @Test(
        "The navigation marks the current section",
        arguments: [
            ("/articles?tag=odd", "Library"), ("/library", "Library"), ("/account", "Account"),
            ("/account/sessions", "Account"),
            ("/articles?unread=yes", "Unread"), ("/articles/article-1?in=%2Farticles%3Fstarred%3Dyes", "Starred"),
        ])
    func current(path: String, section: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open(path)
        let current = browser.body.matches(of: #/<a [^>]* aria-current="page">(?:<[^>]*>)*([^<]*)</#).map {
            String($0.1)
        }
        #expect(current == [section])
    }

    @Test("The page of sessions names the program and the address of each")
    func sessions() async throws {
        let browser = Browser(try await Site.furnished())
        browser.peer = .internet(host: "192.0.2.7", port: 1)
        browser.fields = ["user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"]
        try await browser.logIn(at: "/account/sessions")
        #expect(browser.body.contains("data-label=\"Address\"><bdi>192.0.2.7<"))
        #expect(browser.body.matches(of: #/<th scope="col">([^<]*)</#).count == 4)
        #expect(browser.body.contains(#/<th scope="row"><bdi>[^<]+ Firefox on Linux</bdi></th>/#))
    }

    @Test("A place that the role bars gets a page that says so, with a link to another")
    func barred() async throws {
        let browser = Browser(try await Site.furnished())
        // The first user is an operator.
        try await browser.site.register("grace")
        try await browser.logIn("grace")
        for path in ["/users", "/audit", "/articles/article-1/edit", "/import"] {
            try await browser.open(path)
            #expect(browser.status == 403, "\(path)")
            #expect(browser.body.contains("role=\"alert\""), "\(path)")
            #expect(browser.screen != "/login", "\(path)")
            #expect(browser.body.contains("href=\"/account\""), "\(path)")
            #expect(browser.body.contains("class=\"brand\" href=\"/articles?unread=yes\""), "\(path)")
        }
    }

    @Test("A place is found with tracking parameters behind its address")
    func counted() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/articles/article-1?utm_source=letter&fbclid=x")
        #expect(browser.status == 200)
    }

    @Test("The result of an action is a status, which a screen reader reads out")
    func told() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.choose("star", after: "Article 2<")
        #expect(browser.body.contains("<p class=\"notice\" role=\"status\">Starred 1 article.</p>"))
    }

    @Test("A page has one title, whatever headings the text has")
    func titles() async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(
                slug: "titled", title: "Titled", body: "# One\n\n## Two", published: Date(timeIntervalSince1970: 0))
        ])
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/titled")
        #expect(browser.body.split(separator: "<h1").count == 2)
        #expect(browser.body.contains(">One</h2>") && browser.body.contains(">Two</h3>"))
    }

    @Test("The next page begins after the last row of the previous one")
    func pages() async throws {
        let browser = Browser(try await Site.furnished(120))
        try await browser.logIn()
        #expect(browser.body.contains("1–50 of 120"))
        try await browser.follow("More")
        #expect(browser.body.contains("Article 70<"))
        try await browser.press("Last")
        #expect(browser.body.contains("Article 1<"))
        try await browser.follow("First")
        #expect(browser.address == "/articles")
    }

    @Test("A page says which rows of how many it shows, anywhere in a list, and after an action there")
    func counts() async throws {
        let browser = Browser(try await Site.furnished(230))
        try await browser.logIn(at: "/articles?sort=oldest")
        try await browser.follow("More")
        #expect(browser.body.contains(">51–100 of 230<"))
        try await browser.choose("star", after: "Article 60<")
        #expect(browser.body.contains(">51–100 of 230<") && browser.body.contains("Starred"))
        try await browser.follow("More")
        #expect(browser.body.contains(">101–150 of 230<"))
        try await browser.press("Earlier")
        #expect(browser.body.contains(">51–150 of 230<") && browser.body.contains("Article 51<"))
        try await browser.press("Last")
        #expect(browser.body.contains(">131–230 of 230<") && browser.body.contains("Article 131<"))
        // An outdated message is not shown.
        try await browser.open(browser.address.replacing(#/after=\d+/#, with: "after=200"))
        #expect(browser.status == 200 && !browser.body.contains(" of 230<"))
        try await browser.open("/articles?after=50")
        #expect(browser.status == 404)
    }

    @Test("A list links to the lists of each author and each tag of a row")
    func filed() async throws {
        let site = try await Site.furnished()
        try await site.add([
            ArticleDraft(
                slug: "two", title: "Two", authors: ["Doe, Jane", "Ada"], body: "",
                published: Date(timeIntervalSince1970: 9e8),
                tags: ["a & b", "odd"])
        ])
        let browser = Browser(site)
        try await browser.logIn()
        try await browser.follow("Doe, Jane")
        #expect(browser.address == "/articles?author=Doe%2C%20Jane" && browser.body.contains("Two<"))
        #expect(!browser.body.contains("Article 1<"))
        try await browser.follow("odd")
        #expect(browser.body.contains("Two<") && browser.body.contains("Article 1<"))
        try await browser.follow("a &amp; b")
        #expect(browser.body.contains("Two<") && !browser.body.contains("Article 1<"))
    }

    @Test("A search says what it searches for, and its other conditions")
    func search() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/articles?tag=odd&search=")
        #expect(browser.body.contains("Article 1<") && !browser.body.contains("Article 2<"))
        #expect(browser.hidden["tag"] == "odd" && browser.hidden["search"]?.isEmpty == true)
    }

    @Test("A user who is logged in is led from the login to the unread articles")
    func loggedIn() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/login")
        #expect(browser.address == "/articles?unread=yes" && browser.hasSucceeded)
        #expect(!browser.body.contains("name=\"password\""))
    }
}

import ArticleStore
import Foundation
import HTTPServer
import LibraryServices
import StoreEngines
import Testing

@Suite("Panes and rows in a browser")
struct PaneTests {
    @Test("A row has its source, its date in words, its summary, and three buttons with icons and labels")
    func row() async throws {
        let site = try await Site.furnished(1)
        try await site.add([
            ArticleDraft(
                slug: "one", title: "One", summary: "A <short> summary.", body: "B.",
                published: Date(timeIntervalSince1970: 30 * 86_400))
        ])
        let browser = Browser(site)
        try await browser.logIn()
        let row = try #require(browser.body.firstMatch(of: #/<li class="row unread".*?</li>/#.dotMatchesNewlines())).0
        #expect(row.contains("<time datetime=\"1970-01-31T00:00:00Z\" title=\"1970-01-31\">31 Jan 1970</time>"))
        #expect(row.contains("<p class=\"excerpt\" dir=\"auto\">A &lt;short&gt; summary.</p>"))
        #expect(row.contains("</bdi></span><span><time"), "the source is not before the date")
        let buttons = row.matches(
            of: #/<button class="mark( on)?"[^>]*title="([^"]*)"><svg class="ic [^"]*" aria-hidden="true">/#)
        #expect(buttons.map { String($0.2) } == ["Mark as read", "Star", "Later"])
        #expect(buttons.map { $0.1 != nil } == [true, false, false])
    }

    @Test("A list shows which marks and order it has, and links to the others with its other filters")
    func settings() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/articles?tag=odd&starred=yes&sort=oldest")
        let chosen = browser.body.matches(of: #/<a href="[^"]*" aria-current="true"[^>]*>([^<]*)</a>/#).map {
            String($0.1)
        }
        #expect(chosen == ["Starred", "Oldest first"])
        try await browser.follow("All")
        #expect(browser.address.contains("tag=odd") && browser.address.contains("sort=oldest"))
        #expect(!browser.address.contains("starred"))
    }

    @Test("The start page shows the unread articles; if there are none, it says so and links to all articles")
    func start() async throws {
        let browser = Browser(try await Site.furnished(1))
        try await browser.logIn(at: "/")
        #expect(browser.address == "/articles?unread=yes" && browser.body.contains("Article 1"))
        try await browser.follow("Article 1")
        try await browser.open("/")
        #expect(browser.body.contains("Nothing is unread.") && !browser.body.contains("Article 1"))
        try await browser.follow("Show all articles")
        #expect(browser.address == "/articles" && browser.body.contains("Article 1"))
    }

    @Test("An article is beside the list from which it was opened, which still contains it after it was read")
    func beside() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/articles?unread=yes")
        try await browser.follow("Article 2")
        let list = try #require(browser.body.firstMatch(of: #/<section id="list".*?</section>/#.dotMatchesNewlines())).0
        #expect(list.contains(#/<li class="row" aria-current="true"><h2[^>]*><a [^>]*>Article 2</#))
        #expect(list.contains(#/<li class="row unread"><h2[^>]*><a [^>]*>Article 1</#))
        try await browser.press("Star", after: "Article 1<")
        #expect(browser.address.hasPrefix("/articles/article-2?in="), "a mark in the list leads to \(browser.address)")
        #expect(browser.body.contains("Starred 1 article."))
        #expect(try await browser.site.services.marks.counts(of: 1).starred == 1)
    }

    @Test("A script that shows the list of an article already gets the article and the sidebar without the list")
    func shown() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        let address = "/articles/article-2?in=%2Farticles%3Ftag%3Deven"
        try await browser.open(address)
        let list = try #require(browser.body.firstMatch(of: #/data-list="([^"]*)"/#)).1
        browser.fields = ["x-opens": try HTTPFieldValue(String(list))]
        try await browser.open(address)
        #expect(!browser.body.contains("id=\"list\"") && browser.body.contains("class=\"sections\""))
        try await browser.follow("Articles tagged even")
        #expect(browser.address == "/articles?tag=even", "a narrow window has no way back")
        try await browser.open("/articles/article-2?in=%2Farticles%3Ftag%3Deven%26sort%3Doldest")
        #expect(browser.body.contains("id=\"list\""), "another list is not the one that is shown")
    }

    @Test("An article in place of a form that the user may not see has its list")
    func refused() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.site.register("rita")
        try await browser.logIn("rita")
        try await browser.open("/articles/article-1/edit")
        #expect(browser.response.status == .forbidden)
        #expect(browser.body.contains("data-panes=\"article\"") && browser.body.contains("id=\"list\""))
    }

    @Test("The sidebar beside an article that becomes read has the numbers after it")
    func counts() async throws {
        let site = try await Site.furnished(3)
        let browser = Browser(site)
        try await browser.logIn()
        try await browser.press("Star", after: "Article 2<")
        var sidebars: [String] = []
        // The unread articles, those with a star, and those of the source, whose number only SQLite stores.
        for numbers in [["3", "1", "3"], ["2", "2"], ["2", "2"]] {
            if sidebars.count > 0 { try await browser.open("/articles/article-2") }
            let side = try #require(
                browser.body.firstMatch(of: #/<nav aria-label="Main">.*?<\/nav>/#.dotMatchesNewlines())
            ).0
            let counts = side.matches(of: #/<small>(\d+)</small>/#).map { String($0.1) }
            #expect(counts == (TemporarySchema.url == nil ? numbers : numbers.dropLast()))
            sidebars.append(String(side))
        }
        #expect(sidebars[1] == sidebars[2])
    }

    @Test("A list says how many articles it has, a search at least how many, and its whole title is a tooltip")
    func size() async throws {
        let browser = Browser(try await Site.furnished(60))
        try await browser.logIn()
        func size(_ path: String) async throws -> String? {
            try await browser.open(path)
            let head = browser.body.firstMatch(of: #/<header class="head">.*?<\/header>/#.dotMatchesNewlines())
            return head?.0.firstMatch(of: #/<small>([^<]*)<\/small>/#).map { String($0.1) }
        }
        #expect(try await size("/articles") == "60 articles")
        #expect(try await size("/articles?tag=odd") == "30 articles")
        #expect(try await size("/articles?search=nothing") == "&nbsp;")
        #expect(try await size("/articles?search=body+by:ada+body+by:ada+body+by:ada") == "More than 50 articles")
        let heading = try #require(browser.body.firstMatch(of: #/<h1 dir="auto" title="([^"]*)">([^<]*)<\/h1>/#))
        #expect(heading.1 == heading.2 && heading.1.matches(of: #/body/#).count == 3)
        // Counting the list again would slow the article down.
        #expect(try await size("/articles/article-60?in=%2Farticles") == "&nbsp;")
        #expect(try await size("/articles/article-60?in=%2Farticles%3Ftag%3Deven") == "30 articles")
    }

    @Test("An article shows at most five actions, and its other actions are in a menu")
    func actions() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        try await browser.open("/articles/article-1")
        let main = try #require(browser.body.firstMatch(of: #/<main.*?</main>/#.dotMatchesNewlines())).0
        let menu = try #require(main.firstMatch(of: #/<details class="menu">.*?</details>/#.dotMatchesNewlines())).0
        let outside = main.replacing(menu, with: "")
        #expect(outside.matches(of: #/<button /#).count <= 4)
        #expect(menu.contains("!delete") && menu.contains("/articles/article-1/edit"))
        #expect(!outside.contains("!delete") && !outside.contains("/articles/article-1/edit"))
    }

    @Test("A script that opens an article in a pane marks it as read, and another site cannot do so")
    func opened() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        browser.fields = [
            "x-opens": "pane", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin",
        ]
        try await browser.open("/articles/article-2", from: "/articles/article-2")
        browser.fields["referer"] = "https://elsewhere.test/"
        try await browser.open("/articles/article-1")
        browser.fields = [:]
        try await browser.open("/articles?unread=yes")
        #expect(!browser.body.contains("Article 2<"))
        #expect(browser.body.contains("Article 1<"))
    }

    @Test("Style, script, and icon have at most 40 KB, without comments")
    func weight() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        let paths = Set(browser.body.matches(of: #/(?:href|src)="(\/assets\/[^"]*)"/#).map { String($0.1) })
        #expect(paths.count >= 3)
        var size = 0
        for path in paths {
            try await browser.open(path)
            guard case .bytes(let bytes) = browser.response.body else { throw Browser.Missing(what: path) }
            size += bytes.count
            #expect(!browser.body.contains("\n  ") && !browser.body.contains("\n//"), "\(path)")
        }
        #expect(size < 40_000)
    }
}

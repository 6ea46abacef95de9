import LibraryServices
import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import HTTPServer
import Testing

@Suite("Editing an article in a browser")
struct EditingTests {
    @Test("An article is changed from the version that the user saw, not over somebody else's change")
    func conflict() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        let article = try #require(try await site.services.articles.article("article-1"))
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", authors: article.authors, body: article.body,
            format: article.format, tags: article.tags)
        _ = try await site.services.articles.edit(article, into: theirs)
        #expect(!browser.body.contains("class=\"saved\""))
        try await browser.submit(["title": "Mine", "text": article.body])
        #expect(browser.isRefused)
        #expect(browser.body.contains("value=\"Mine\"") && browser.body.contains("dir=\"auto\">Theirs</pre>"))
        #expect(browser.body.components(separatedBy: "class=\"saved\"").count == 2)
        try await browser.submit(["text": article.body])
        #expect(browser.address == "/articles/article-1")
        #expect(browser.body.contains("<h1 dir=\"auto\">Mine</h1>"))
    }

    @Test("After a conflict both texts are shown, however long they are", arguments: [10, 5_000])
    func longConflict(count: Int) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        let article = try #require(try await site.services.articles.article("article-1"))
        let (mine, theirs) = (String(repeating: "mine ", count: count), String(repeating: "theirs ", count: count))
        let draft = ArticleDraft(
            key: article.key, slug: article.slug, title: article.title, body: theirs, format: article.format)
        _ = try await site.services.articles.edit(article, into: draft)
        for _ in 1...2 {
            try await browser.submit(["text": mine])
            if browser.address == "/articles/article-1" { break }
            #expect(browser.body.contains(">\n\(mine)</textarea>") && browser.body.contains(">\(theirs)</pre>"))
        }
        #expect(try await site.services.articles.article("article-1")?.body == mine)
    }

    @Test("The text is not lost if the article was deleted, or if the user may not edit any more")
    func gone() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        try await site.register("grace")
        try await site.services.auth.setRole(.operator, of: Username("grace"), by: .system(user: "test"))
        try await site.services.auth.setRole(.reader, of: Username("ada"), by: .system(user: "test"))
        try await browser.submit(["text": "my <text>"])
        #expect(browser.status == 403 && browser.body.contains("my &lt;text&gt;</textarea>"))
        try await site.services.auth.setRole(.editor, of: Username("ada"), by: .system(user: "test"))
        try await browser.open("/articles/article-1/edit")
        let article = try #require(try await site.services.articles.article("article-1"))
        try await site.services.articles.delete(article)
        try await browser.submit(["text": "my <text>"])
        #expect(browser.status == 404 && browser.body.contains("my &lt;text&gt;</textarea>"))
    }

    @Test("The text waits behind the login as it was typed, with the version that was changed")
    func expired() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        let article = try #require(try await site.services.articles.article("article-1"))
        try await browser.submit(["title": "Mine", "text": article.body])
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", body: article.body, format: article.format)
        _ = try await site.services.articles.edit(article, into: theirs)
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.body.contains("value=\"Mine\""))
        try await browser.submit(["text": article.body])
        #expect(browser.isRefused)
        #expect(try await site.services.articles.article("article-1")?.title == "Theirs")
    }

    @Test(
        "An article keeps its text if the field is emptied, and the page says so beside the field",
        arguments: ["", " \r\n\t"])
    func emptied(text: String) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        try await browser.submit(["title": "Another", "text": text])
        #expect(browser.isRefused && browser.body.contains("<strong class=\"wrong\">Enter a text.</strong>"))
        #expect(browser.body.contains("value=\"Another\""))
        let article = try #require(try await site.services.articles.article("article-1"))
        #expect(article.title == "Article 1" && article.body == "Body 1")
        // An article that never had a text needs none.
        try await site.add([ArticleDraft(slug: "bare", title: "Bare", body: "")])
        try await browser.open("/articles/bare/edit")
        try await browser.submit(["title": "Still bare", "text": ""])
        #expect(try await site.services.articles.article("bare")?.title == "Still bare")
    }

    @Test("An article is written, and deleted after a question")
    func writeAndDelete() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        try await browser.follow("Write")
        try await browser.submit(["title": "Stars: a book", "tags": "sky", "date": "soon", "text": "They shine.\r\n"])
        #expect(browser.isRefused && browser.body.contains("“soon”"))
        #expect(browser.body.contains("value=\"Stars: a book\"") && browser.body.contains("\nThey shine.\n</textarea>"))
        try await browser.submit(["date": "2015-12-03", "text": "They shine.\r\n"])
        #expect(
            browser.address.hasPrefix("/articles/stars") && browser.body.contains("<h1 dir=\"auto\">Stars: a book</h1>")
        )
        #expect(browser.body.contains("They shine."))
        try await browser.choose("delete")
        #expect(try await site.services.articles.article("stars-a-book") != nil)
        try await browser.press("Yes")
        #expect(browser.address == "/articles")
        #expect(try await site.services.articles.article("stars-a-book") == nil)
    }
}

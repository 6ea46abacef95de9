import ArticleStore
import AuthService
import FlowCoordinators
import Testing

@Suite("An article in an editor of a browser")
struct EditingTests {
    @Test("is changed as it was seen, and not over what somebody else has changed meanwhile")
    func conflict() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        let article = try #require(try await site.services.articles.article("article-1"))
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", body: article.body, format: article.format)
        _ = try await site.services.articles.edit(article, into: theirs)
        let mine = ArticleMarkdown.text(of: article).replacing(#/title: .*/#, with: "title: Mine")
        try await browser.press("Save", filling: ["text": mine])
        #expect(browser.isRefused)
        #expect(browser.body.contains("changed meanwhile by somebody else"))
        #expect(browser.body.contains("title: Mine"))
        try await browser.press("Save", filling: ["text": mine])
        #expect(browser.address == "/articles/article-1")
        #expect(browser.body.contains("<h1 dir=\"auto\">Mine</h1>"))
    }

    @Test("waits behind the log-in as it was typed, with the state that was changed")
    func expired() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/articles/article-1/edit")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        let article = try #require(try await site.services.articles.article("article-1"))
        let mine = ArticleMarkdown.text(of: article).replacing(#/title: .*/#, with: "title: Mine")
        try await browser.press("Save", filling: ["text": mine])
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", body: article.body, format: article.format)
        _ = try await site.services.articles.edit(article, into: theirs)
        try await browser.press("Log in", filling: ["username": "ada", "password": Site.password])
        #expect(browser.body.contains("title: Mine"))
        try await browser.press("Save", filling: ["text": mine])
        #expect(browser.isRefused)
        #expect(try await site.services.articles.article("article-1")?.title == "Theirs")
    }

    @Test("is written, and deleted after a question")
    func writeAndDelete() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        try await browser.follow("Write")
        try await browser.press("Add", filling: ["text": "# Stars\r\n\r\nThey shine.\r\n"])
        #expect(browser.address.hasPrefix("/articles/stars"))
        #expect(browser.body.contains("They shine."))
        try await browser.press("Delete")
        #expect(browser.body.contains("for good?"))
        try await browser.press("Yes")
        #expect(browser.address == "/articles")
        #expect(try await site.services.articles.article("stars") == nil)
    }
}

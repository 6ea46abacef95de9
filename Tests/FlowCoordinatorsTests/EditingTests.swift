import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import StoreEngines
import Testing

@Suite("Writing and changing articles")
struct EditingTests {
    private func editor(at place: AppRoute) async throws -> Application {
        let application = try Application()
        try await application.register("ada")
        try await application.register("eve")
        try await application.auth.setRole(.editor, of: Username("eve"), by: .system(user: "test"))
        try await application.seed(3)
        try await application.coordinator.start(at: place)
        try await application.logIn("eve")
        return application
    }

    private func form(_ application: Application) async throws -> (text: String, version: String?) {
        let form = try #require(try await application.screen.form)
        return (form.fields[0].value, form.version)
    }

    @Test("what was written is an article, shown at once, and the log tells of it")
    func write() async throws {
        let application = try await editor(at: .articles())
        try await application.choose("Write")
        #expect(application.place == "/write")
        let blank = try await form(application).text
        #expect(blank.hasPrefix("---\ntitle:\n"))
        try await application.submit([.text: blank])
        #expect(application.place == "/write")
        #expect(application.coordinator.notice?.error != nil)
        try await application.submit([.text: "---\ntitle: On *stars*\ntags: [sky]\n---\n\nThey shine."])
        #expect(application.stack == ["/articles", "/articles/on-stars"])
        #expect(application.coordinator.notice?.text == "Added “On *stars*”.")
        #expect(try await application.screen.document?.facts.first { $0.label == "Tags" }?.value == "sky")
        #expect(try await application.screen.document?.body.contains("They shine.") == true)
        let log = try await application.auth.events(matching: AuditQuery(), by: .system(user: "test"))
        #expect(log.contains { $0.event.detail == "add: On *stars*" })
    }

    @Test("an article is changed as it is written, and one is back at it")
    func change() async throws {
        let application = try await editor(at: .article("article-2"))
        try await application.choose("Edit")
        #expect(application.place == "/articles/article-2/edit")
        let (text, version) = try await form(application)
        #expect(text.contains("title: "))
        try await application.submit([.text: text, .version: version ?? ""])
        #expect(application.coordinator.notice?.text == "Nothing changed.")
        #expect(application.stack == ["/articles", "/articles/article-2"])
        try await application.choose("Edit")
        let changed = text.replacing(#/title: .*/#, with: "title: Another")
        try await application.submit([.text: changed, .version: version ?? ""])
        #expect(application.coordinator.notice?.text == "Changed “Another”.")
        #expect(try await application.screen.title == "Another")
        try await application.back()
        #expect(try await application.screen.list?.rows.contains { $0.cells.contains("Another") } == true)
    }

    @Test("a change of somebody else is not written over unseen; who has been told of it may")
    func conflict() async throws {
        let application = try await editor(at: .editing("article-2"))
        let (text, version) = try await form(application)
        let article = try #require(try await application.articles.article("article-2"))
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", authors: article.authors, body: article.body,
            format: article.format, published: article.published, tags: article.tags)
        _ = try await application.articles.edit(article, into: theirs)
        // Whoever looks at the form once more has not seen it by that.
        #expect(try await form(application).version == version)
        let mine = text.replacing(#/title: .*/#, with: "title: Mine")
        try await application.submit([.text: mine, .version: version ?? ""])
        #expect(application.place == "/articles/article-2/edit")
        guard case EditError.hasChanged(let current)? = application.coordinator.notice?.error else {
            Issue.record("nothing is said of the other change")
            return
        }
        #expect(current.title == "Theirs")
        let next = try #require(try await form(application).version)
        #expect(next != version)
        try await application.submit([.text: mine, .version: next])
        #expect(try await application.screen.title == "Mine")
        try await application.coordinator.start(at: .editing("article-2"))
        try await application.submit([.text: text])
        #expect(application.coordinator.notice?.error is EditError)
    }

    @Test("line breaks of an article stay what they are, whatever a form makes of them")
    func lineBreaks() async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([
            ArticleDraft(slug: "pairs", title: "Pairs", body: "one\r\n\r\ntwo\r\n"),
            ArticleDraft(slug: "mixed", title: "Mixed", body: "one\r\n\r\ntwo\n"),
        ])
        for slug in ["pairs", "mixed"] {
            try await application.coordinator.start(at: .editing(ArticleReference(slug)))
            let text = try await form(application).text.replacing("\r\n", with: "\n")
            try await application.fill([.text: text])
            #expect(application.coordinator.notice?.text == "Nothing changed.")
        }
        try await application.coordinator.start(at: .editing("pairs"))
        let text = try await form(application).text.replacing("\r\n", with: "\n")
        try await application.fill([.text: text.replacing("two", with: "three")])
        #expect(try await application.articles.article("pairs")?.body == "one\r\n\r\nthree\r\n")
    }

    @Test(
        "an article with characters that a form cannot show is not changed by one",
        arguments: ["\u{1B}", "\u{0C}", "\r"])
    func controls(control: String) async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([ArticleDraft(slug: "odd", title: "Odd", body: "one\(control)two")])
        let body = try await application.articles.article("odd")?.body
        try await application.coordinator.start(at: .editing("odd"))
        let text = try await form(application).text.replacing(control, with: "")
        try await application.fill([.text: text])
        #expect(application.coordinator.notice?.text == "Nothing changed.")
        try await application.coordinator.start(at: .editing("odd"))
        try await application.fill([.text: text + "three"])
        #expect(application.coordinator.notice?.error as? FormError == .holdsControls)
        #expect(try await application.articles.article("odd")?.body == body)
        try await application.coordinator.start(at: .writing)
        try await application.fill([.text: "# One\n\n\(control)two"])
        #expect(application.coordinator.notice?.error as? FormError == .holdsControls)
    }

    @Test("a letter that is written in another way is another text")
    func letters() async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([ArticleDraft(slug: "cafe", title: "Cafe", body: "cafe\u{301}")])
        try await application.coordinator.start(at: .editing("cafe"))
        let text = try await form(application).text
        try await application.fill([.text: text.replacing("cafe\u{301}", with: "caf\u{E9}")])
        let body = try #require(try await application.articles.article("cafe")?.body)
        #expect(Array(body.utf8) == Array("caf\u{E9}".utf8))
    }

    @Test("what was written wrongly is told with its line, and changes nothing")
    func fault() async throws {
        let application = try await editor(at: .editing("article-2"))
        let (text, version) = try await form(application)
        try await application.submit([
            .text: text.replacing(#/slug: .*/#, with: "slug: other"), .version: version ?? "",
        ])
        #expect(application.coordinator.notice?.text.contains("line ") == true)
        #expect(application.place == "/articles/article-2/edit")
        #expect(try await form(application).text == text)
    }

    @Test("an article is deleted after a question, and the list is without it")
    func delete() async throws {
        let application = try await editor(at: .article("article-2"))
        let action = try #require(try await application.screen.actions.first { $0.label == "Delete" })
        #expect(action.confirmation?.contains("for good") == true)
        try await application.send(action.event)
        #expect(application.stack == ["/articles"])
        #expect(try await application.screen.list?.rows.count == 2)
        #expect(try await application.articles.article("article-2") == nil)
        try await application.coordinator.start(at: .articles())
        try await application.coordinator.navigator.perform(.push(.article("article-2")))
        try await application.send(.articleDeleted)
        #expect(application.coordinator.notice?.error as? ScreenError == .noArticle("article-2"))
    }

    @Test("a reader is offered none of it, and an event of it does nothing")
    func reader() async throws {
        let application = try await editor(at: .article("article-2"))
        try await application.auth.setRole(.reader, of: Username("eve"), by: .system(user: "test"))
        try await application.coordinator.start(at: .article("article-2"))
        #expect(try await application.screen.actions.allSatisfy { !["Edit", "Delete"].contains($0.label) })
        try await application.send(.articleDeleted)
        try await application.send(.editingChosen)
        #expect(application.place == "/articles/article-2")
        #expect(try await application.articles.article("article-2") != nil)
    }
}

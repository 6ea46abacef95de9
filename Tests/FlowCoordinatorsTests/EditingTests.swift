import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import Testing

@Suite("Writing and changing articles")
struct EditingTests {
    private func editor(at place: AppRoute) async throws -> Application {
        let application = try await Application()
        try await application.register("ada")
        try await application.register("eve")
        try await application.auth.setRole(.editor, of: Username("eve"), by: .system(user: "test"))
        try await application.seed(3)
        try await application.coordinator.start(at: place)
        try await application.logIn("eve")
        return application
    }

    private func form(_ application: Application) async throws -> (values: [FieldName: String], version: String?) {
        let form = try #require(try await application.screen.form)
        return (Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }, form.version)
    }

    /// Sends the form as it was shown, except for some fields.
    private func send(_ application: Application, changing: [FieldName: String], version: String? = nil) async throws {
        let (values, current) = try await form(application)
        var answers = Answers(values.merging(changing) { $1 })
        answers[.version] = version ?? current
        try await application.submit(answers)
    }

    /// The details of all records in the log, which has one for each change of an article.
    private func log(of application: Application) async throws -> [String?] {
        try await application.auth.events(matching: AuditQuery(), by: .system(user: "test")).map(\.event.detail)
    }

    @Test("A written article is shown immediately, and the log records it")
    func write() async throws {
        let application = try await editor(at: .articles())
        try await application.choose("write")
        #expect(application.place == "/write")
        #expect(try await form(application).values.values.allSatisfy(\.isEmpty))
        try await application.submit([.title: "On *stars*"])
        #expect(application.place == "/write")
        #expect(application.coordinator.notice?.error as? FormError == .noText)
        try await application.submit([.title: "On *stars*", .tags: "sky, ", .text: "They shine."])
        #expect(application.stack == ["/library", "/articles", "/articles/on-stars"])
        #expect(application.coordinator.notice?.text.contains("“On *stars*”") == true)
        #expect(try await application.screen.document?.facts.first { $0.label == "Tags" }?.value == "sky")
        #expect(try await application.screen.document?.body.contains("They shine.") == true)
        let log = try await application.auth.events(matching: AuditQuery(), by: .system(user: "test"))
        #expect(log.contains { $0.event.detail == "add: On *stars*" })
    }

    @Test("An article is changed in the form, which returns to it")
    func change() async throws {
        let application = try await editor(at: .article("article-2"))
        try await application.choose("edit-form")
        #expect(application.place == "/articles/article-2/edit")
        #expect(try await form(application).values[.title] == "Article 2")
        let log = try await log(of: application)
        try await send(application, changing: [:])
        #expect(try await application.hasSucceeded)
        #expect(try await self.log(of: application) == log)
        #expect(application.stack == ["/library", "/articles", "/articles/article-2"])
        try await application.choose("edit-form")
        try await send(application, changing: [.title: "Another"])
        #expect(application.coordinator.notice?.text.contains("“Another”") == true)
        #expect(try await application.screen.title == "Another")
        try await application.back()
        #expect(try await application.screen.list?.rows.contains { $0.cells.contains(.text("Another")) } == true)
    }

    @Test("Another user's change is not overwritten until the editor has seen it")
    func conflict() async throws {
        let application = try await editor(at: .editing("article-2"))
        let version = try await form(application).version
        #expect(try await application.screen.form?.hasEditConflict == false)
        let article = try #require(try await application.articles.article("article-2"))
        let theirs = ArticleDraft(
            key: article.key, slug: article.slug, title: "Theirs", authors: article.authors, body: article.body,
            format: article.format, published: article.published, tags: article.tags)
        _ = try await application.articles.edit(article, into: theirs)
        // Loading the form again does not mean that the user has seen the change.
        #expect(try await form(application).version == version)
        try await send(application, changing: [.title: "Mine"])
        #expect(application.place == "/articles/article-2/edit")
        guard case EditError.hasChanged(let current)? = application.coordinator.notice?.error else {
            Issue.record("nothing is said of the other change")
            return
        }
        #expect(current.title == "Theirs")
        let next = try #require(try await form(application).version)
        #expect(next != version)
        #expect(try await application.screen.form?.hasEditConflict == true)
        #expect(try await form(application).values[.title] == "Theirs")
        try await send(application, changing: [.title: "Mine"])
        #expect(try await application.screen.title == "Mine")
        try await application.coordinator.start(at: .editing("article-2"))
        try await application.submit([.text: "Another text"])
        #expect(application.coordinator.notice?.error is EditError)
    }

    @Test("Line breaks of an article do not change in a form")
    func lineBreaks() async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([
            ArticleDraft(slug: "pairs", title: "Pairs", body: "one\r\n\r\ntwo\r\n"),
            ArticleDraft(slug: "mixed", title: "Mixed", body: "one\r\n\r\ntwo\n"),
        ])
        for slug in ["pairs", "mixed"] {
            try await application.coordinator.start(at: .editing(ArticleReference(slug)))
            let text = try await form(application).values[.text]?.replacing("\r\n", with: "\n")
            let log = try await log(of: application)
            try await application.fill([.text: text ?? ""])
            #expect(try await application.hasSucceeded)
            #expect(try await self.log(of: application) == log)
        }
        try await application.coordinator.start(at: .editing("mixed"))
        try await send(application, changing: [.title: "Another", .text: "one\n\ntwo\n"])
        #expect(try await application.articles.article("mixed")?.body == "one\r\n\r\ntwo\n")
        try await application.coordinator.start(at: .editing("pairs"))
        try await application.fill([.text: "one\n\nthree\n"])
        #expect(try await application.articles.article("pairs")?.body == "one\r\n\r\nthree\r\n")
    }

    @Test(
        "An article with characters that a form cannot show is not changed by one",
        arguments: ["\u{1B}", "\u{0C}", "\r"])
    func controls(control: String) async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([ArticleDraft(slug: "odd", title: "Odd", body: "one\(control)two")])
        let body = try await application.articles.article("odd")?.body
        try await application.coordinator.start(at: .editing("odd"))
        let text = try #require(try await form(application).values[.text]).replacing(control, with: "")
        let log = try await log(of: application)
        try await application.fill([.text: text])
        #expect(try await application.hasSucceeded)
        #expect(try await self.log(of: application) == log)
        try await application.coordinator.start(at: .editing("odd"))
        try await application.fill([.text: text + "three"])
        #expect(application.coordinator.notice?.error as? FormError == .holdsControls)
        #expect(try await application.articles.article("odd")?.body == body)
        // The title can be changed, and the text stays as it is.
        try await application.fill([.title: "Even", .text: text])
        #expect(application.coordinator.notice?.text == "Changed “Even”.")
        #expect(try await application.articles.article("odd")?.body == body)
        try await application.coordinator.start(at: .writing)
        try await application.fill([.text: "# One\n\n\(control)two"])
        #expect(application.coordinator.notice?.error as? FormError == .holdsControls)
    }

    @Test("A letter in another Unicode form is another text")
    func letters() async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([ArticleDraft(slug: "cafe", title: "Cafe", body: "cafe\u{301}")])
        try await application.coordinator.start(at: .editing("cafe"))
        try await application.fill([.text: "caf\u{E9}"])
        let body = try #require(try await application.articles.article("cafe")?.body)
        #expect(Array(body.utf8) == Array("caf\u{E9}".utf8))
    }

    @Test("A field that cannot be read is named, and nothing is changed")
    func fault() async throws {
        let application = try await editor(at: .editing("article-2"))
        let before = try await application.articles.article("article-2")
        for (change, error) in [
            ([.title: " "], .noTitle), ([.date: "soon"], .notADate("soon")), ([.date: ""], .notADate("")),
            ([.address: "javascript:x()"], .notAnAddress("javascript:x()")),
            ([.language: "no tag"], .notALanguage("no tag")), ([.text: " \n", .title: "Other"], .noText),
        ] as [([FieldName: String], FormError)] {
            try await send(application, changing: change)
            #expect(application.coordinator.notice?.error as? FormError == error)
            #expect(application.place == "/articles/article-2/edit")
        }
        #expect(try await application.articles.article("article-2") == before)
    }

    @Test("Each field changes one part of an article, and any sign may stand in it")
    func fields() async throws {
        let application = try await editor(at: .articles())
        try await application.articles.upsert([
            ArticleDraft(
                slug: "whole", title: "Whole", authors: ["Last, First"], summary: "Few words", body: "Text\n",
                language: "en",
                published: .init(timeIntervalSince1970: 86_400), publishedOffset: -60, tags: ["a"],
                extra: "{\"rating\":5,\"title2\":\"x\"}")
        ])
        let article = try #require(try await application.articles.article("whole"))
        try await application.coordinator.start(at: .editing("whole"))
        let shown = try await form(application).values
        #expect(shown[.authors] == "Last, First;" && shown[.date] == "1970-01-01T23:00:00-01:00")
        try await send(
            application,
            changing: [
                .title: "A: “b” # {c}", .tags: "one: two, - three, {x", .date: "2015-12-03 18:30 +02:00",
                .address: "https://example.org/?a:b#c", .language: "pt-BR",
            ])
        #expect(application.coordinator.notice?.text == "Changed “A: “b” # {c}”.")
        let changed = try #require(try await application.articles.article(id: article.id))
        #expect(changed.title == "A: “b” # {c}" && changed.tags == ["one: two", "- three", "{x"])
        #expect(
            changed.authors == article.authors && changed.summary == article.summary && changed.body == article.body)
        #expect(changed.sourceURL == "https://example.org/?a:b#c" && changed.language == "pt-BR")
        #expect(changed.published.timeIntervalSince1970 == 1_449_160_200 && changed.publishedOffset == 120)
        #expect(changed.extra == article.extra && changed.slug == article.slug && changed.key == article.key)
        try await application.coordinator.start(at: .editing("whole"))
        try await send(
            application,
            changing: [.tags: "", .authors: "Ann, Bo", .address: "", .language: "", .text: "---\na: b: c\n---\nMore"])
        let emptied = try #require(try await application.articles.article(id: article.id))
        #expect(emptied.tags.isEmpty && emptied.authors == ["Ann", "Bo"] && emptied.sourceURL == nil)
        #expect(emptied.language == nil && emptied.body == "---\na: b: c\n---\nMore" && emptied.title == changed.title)
    }

    @Test("A summary that follows from the text follows the new text")
    func summary() async throws {
        let application = try await editor(at: .editing("article-2"))
        try await send(application, changing: [.title: "Another", .text: "Quite another text"])
        #expect(try await application.articles.article("article-2")?.summary == "Quite another text")
    }

    @Test("The fields of a new article replace the values of its front matter")
    func frontMatter() async throws {
        let application = try await editor(at: .writing)
        let text = "---\ntitle: Not this\ntags: [a]\nrating: 5\n---\n\nThey shine."
        try await application.submit([.title: "Stars: bright", .tags: "b", .date: "2015-12-03", .text: text])
        let article = try #require(try await application.articles.article("stars-bright"))
        #expect(article.title == "Stars: bright" && article.tags == ["a", "b"] && article.body == "They shine.")
        #expect(article.extra.contains("rating") && article.published.timeIntervalSince1970 == 1_449_100_800)
    }

    @Test("An article is deleted after a question, and the list is without it")
    func delete() async throws {
        let application = try await editor(at: .article("article-2"))
        let action = try #require(try await application.screen.actions.first { $0.id == "delete" })
        #expect(action.confirmation != nil)
        try await application.send(action.event)
        #expect(application.stack == ["/library", "/articles"])
        #expect(try await application.screen.list?.rows.count == 2)
        #expect(try await application.articles.article("article-2") == nil)
        try await application.coordinator.start(at: .articles())
        try application.coordinator.navigator.perform(.push(.article("article-2")))
        try await application.send(.articleDeletionChosen)
        #expect(application.coordinator.notice?.error as? ArticleError == .noArticle("article-2"))
    }

    @Test("A reader sees none of these actions, and their events do nothing")
    func reader() async throws {
        let application = try await editor(at: .article("article-2"))
        try await application.auth.setRole(.reader, of: Username("eve"), by: .system(user: "test"))
        try await application.coordinator.start(at: .article("article-2"))
        #expect(try await application.screen.actions.allSatisfy { $0.purpose != .editing && $0.purpose != .deletion })
        try await application.send(.articleDeletionChosen)
        try await application.send(.open(.editing("article-2")))
        #expect(application.place == "/articles/article-2")
        #expect(try await application.articles.article("article-2") != nil)
    }
}

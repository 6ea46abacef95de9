import ArticleStore
import AuthService
import FlowCoordinators
import Testing

@Suite("Marks")
struct MarkTests {
    private func reader(of count: Int = 5) async throws -> Application {
        let application = try await Application()
        try await application.seed(count)
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        return application
    }

    /// The slugs of the rows, each with its marks.
    private func rows(_ application: Application) async throws -> [String] {
        guard let list = try await application.screen.list,
            let signs = list.columns.firstIndex(where: { $0.role == .mark })
        else { return [] }
        return list.rows.map { $0.cells[1].text + " " + $0.cells[signs].text.filter { $0 != " " } }
    }

    private func choose(_ action: String, row: Int, in application: Application) async throws {
        let row = try #require(try await application.screen.list?.rows[row])
        try await application.send(try #require(row.actions.first { $0.id == action }).event)
    }

    @Test("An opened article is read, and the list shows that afterward")
    func opening() async throws {
        let application = try await reader(of: 2)
        #expect(try await rows(application) == ["article-2 •", "article-1 •"])
        try await application.chooseRow("article-2")
        #expect(try await application.screen.actions.contains { $0.purpose == .unread })
        #expect(application.coordinator.notice == nil)
        try await application.back()
        #expect(try await rows(application) == ["article-2 ", "article-1 •"])
        try await application.chooseRow("article-2")
        try await application.choose("unread")
        try await application.choose("star")
        try await application.choose("later")
        try await application.back()
        #expect(try await rows(application) == ["article-2 •★◷", "article-1 •"])
    }

    @Test("A list is saved with a name, opened from the library, renamed, and removed")
    func savedSearch() async throws {
        let application = try await reader(of: 3)
        #expect(try await application.screen.actions.allSatisfy { $0.label != "Save list" })
        func open() async throws {
            let action = try await application.screen.actions.first { $0.label == "Save list" }
            try await application.send(try #require(action).event)
        }
        try await application.send(.searched("2"))
        try await open()
        #expect(application.place == "/searches/save?search=2%2A")
        try await application.submit([.name: "a,b"])
        #expect(try await application.screen.notice?.error as? TagError == TagError(name: "a,b", use: .search))
        try await application.submit([.name: "Seconds"])
        #expect(application.stack == ["/library", "/articles?search=2%2A"])
        #expect(try await application.hasSucceeded)
        try await application.choose("library")
        let row = try #require(try await application.screen.list?.rows.first { $0.cells[0].text == "search" })
        #expect(row.cells.map(\.text) == ["search", "Seconds", "1", ""])
        try await application.send(try #require(row.event))
        #expect(application.place == "/articles?search=2%2A")

        // Another list cannot take the name.
        try await application.send(.marksChosen(MarkCondition(isStarred: true)))
        try await open()
        try await application.submit([.name: "seconds"])
        #expect(try await application.screen.notice?.error as? SavedSearchError == .nameIsTaken(try TagName("seconds")))
        try await application.back()
        try await application.back()

        try await open()
        #expect(try await application.screen.form?.fields.first?.value == "Seconds")
        try await application.submit([.name: "Zweite"])
        #expect(try await application.hasSucceeded)
        try await open()
        let removal = try #require(try await application.screen.actions.first { $0.confirmation != nil })
        try await application.send(removal.event)
        #expect(application.place == "/articles?search=2%2A")
        try await open()
        #expect(try await application.screen.form?.fields.first?.value == "")
        // A link to the form leads back to its list.
        try await application.coordinator.start(at: .savingSearch(ArticleList(query: ArticleQuery(tag: "a"))))
        #expect(application.stack == ["/library", "/articles?tag=a", "/searches/save?tag=a"])
        #expect(try await application.screen.actions.isEmpty)
    }

    @Test("A saved search has its own row in the library, even if its list is also that of a state")
    func savedState() async throws {
        let application = try await reader(of: 2)
        try await application.send(.marksChosen(MarkCondition(isRead: false)))
        let action = try await application.screen.actions.first { $0.label == "Save list" }
        try await application.send(try #require(action).event)
        try await application.submit([.name: "To do"])
        try await application.choose("library")
        let rows = try await application.screen.list?.rows.map { $0.cells.prefix(2).map(\.text) }
        #expect(rows?.contains(["state", "Unread"]) == true)
        #expect(rows?.contains(["search", "To do"]) == true)
    }

    @Test("An article shown beside the list stays unread, and is not shown to others")
    func preview() async throws {
        let application = try await reader(of: 1)
        let preview = try #require(try await application.coordinator.preview(of: "article-1"))
        #expect(preview.title == "Article 1" && preview.document?.body == "Body 1" && preview.actions.isEmpty)
        #expect(try await application.coordinator.preview(of: "missing")?.title == nil)
        #expect(try await rows(application) == ["article-1 •"])
        application.coordinator.showsPreview = false
        try await application.saveBookmark()
        let restarted = try await application.restarted()
        try await restarted.coordinator.start()
        #expect(!restarted.coordinator.showsPreview)
        try await restarted.choose("log-out")
        #expect(try await restarted.coordinator.preview(of: "article-1")?.title == nil)
    }

    @Test("Opening the next or previous article, or a link, also marks it as read")
    func turning() async throws {
        let application = try await reader(of: 4)
        try await application.chooseRow("article-3")
        try await application.choose("next-article")
        try await application.send(.linkFollowed("article-4"))
        try await application.back()
        try await application.back()
        #expect(try await rows(application) == ["article-4 ", "article-3 ", "article-2 ", "article-1 •"])
    }

    @Test("A row is marked where it is, and the whole list after a question")
    func rowActions() async throws {
        let application = try await reader(of: 3)
        try await choose("star", row: 1, in: application)
        #expect(application.coordinator.notice?.count == 1)
        try await choose("read", row: 0, in: application)
        #expect(try await rows(application) == ["article-3 ", "article-2 •★", "article-1 •"])
        try await application.choose("only-starred")
        #expect(application.place == "/articles?starred=yes")
        #expect(try await rows(application) == ["article-2 •★"])
        let all = try #require(try await application.screen.actions.first { $0.purpose == .allRead })
        #expect(all.confirmation != nil)
        try await application.send(all.event)
        #expect(application.coordinator.notice?.count == 1)
        try await application.choose("only-unread")
        #expect(try await rows(application) == ["article-1 •"])
        // A second filter replaces the first, and back leads to the unfiltered list.
        #expect(application.stack == ["/library", "/articles", "/articles?unread=yes"])
        try await application.back()
        #expect(application.stack == ["/library", "/articles"])
        try await application.choose("only-starred")
        try await application.choose("everything")
        #expect(application.stack == ["/library", "/articles"])
        try await application.coordinator.start(at: .articles(ArticleList(query: ArticleQuery(tag: "swift"))))
        try await application.choose("only-starred")
        #expect(application.stack == ["/library", "/articles?tag=swift", "/articles?tag=swift&starred=yes"])
        try await application.choose("everything")
        #expect(application.place == "/articles")
    }

    @Test("An article that arrives after the list was shown stays unread when the list is marked")
    func arrival() async throws {
        let application = try await reader(of: 2)
        let all = try #require(try await application.screen.actions.first { $0.purpose == .allRead })
        try await application.seed(3)
        try await application.send(all.event)
        #expect(application.coordinator.notice?.count == 2)
        #expect(try await rows(application) == ["article-3 •", "article-2 ", "article-1 "])
    }

    @Test("The next unread article is the one after this in the list below, then the first")
    func nextUnread() async throws {
        let application = try await reader(of: 5)
        try await application.send(.marked(.read(true), ["article-4", "article-2"]))
        try await application.chooseRow("article-3")
        try await application.choose("next-unread")
        #expect(application.place == "/articles/article-1")
        try await application.choose("next-unread")
        #expect(application.place == "/articles/article-5")
        try await application.choose("next-unread")
        #expect(application.place == "/articles/article-5")
        #expect(try await application.hasSucceeded)
    }

    @Test("Without a store for marks, no mark is offered")
    func none() async throws {
        let application = try await Application(keepsMarks: false)
        try await application.seed(1)
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        #expect(try await application.screen.list?.columns.contains { $0.role == .mark } == false)
        #expect(try await application.screen.actions.contains { $0.purpose == .onlyUnread } == false)
        try await application.chooseRow("article-1")
        #expect(try await application.screen.actions.contains { $0.purpose == .star } == false)
    }

    @Test("The position in an article is stored for the user with the place, also after a log-out")
    func place() async throws {
        let application = try await reader(of: 2)
        func place(_ slug: String, by user: Int64) async throws -> Int? {
            let id = try #require(try await application.articles.article(slug: slug)).id
            return try await application.marks.marks(of: [id], by: user)[id]?.readingPosition.value
        }
        let ada = try #require(application.coordinator.currentUser.session?.user.id)
        application.coordinator.recordReadingPosition(300, in: "article-1")
        application.coordinator.recordReadingPosition(500, in: "article-2")
        application.coordinator.recordReadingPosition(400, in: "article-1")
        application.coordinator.recordReadingPosition(400, in: "missing")
        #expect(try await place("article-1", by: ada) == nil)
        try await application.saveBookmark()
        #expect(try await place("article-1", by: ada) == 400)
        #expect(try await place("article-2", by: ada) == 500)
        try await application.chooseRow("article-1")
        guard case .article(_, let marks) = try await application.screen.model else { return #expect(Bool(false)) }
        #expect(marks?.readingPosition.value == 400)
        // Imported again, it is the same article.
        try await application.seed(2)
        #expect(try await place("article-1", by: ada) == 400)
        application.coordinator.recordReadingPosition(0, in: "article-1")
        application.coordinator.recordReadingPosition(600, in: "article-2")
        try await application.choose("log-out")
        application.coordinator.recordReadingPosition(700, in: "article-2")
        try await application.saveBookmark()
        #expect(try await place("article-1", by: ada) == nil)
        #expect(try await place("article-2", by: ada) == 600)
    }

    @Test("A place in a text that could not be saved is saved the next time")
    func placeAgain() async throws {
        struct Failure: Error {}
        let meanwhile = MeanwhileMarks()
        let application = try await Application(marking: meanwhile)
        try await application.seed(2)
        let ada = try await application.register().id
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        application.coordinator.recordReadingPosition(300, in: "article-1")
        application.coordinator.recordReadingPosition(400, in: "article-2")
        meanwhile.happens { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await application.coordinator.saveReadingPositions() }
        try await application.coordinator.saveReadingPositions()
        for (slug, place) in [("article-1", 300), ("article-2", 400)] {
            let id = try #require(try await application.articles.article(slug: slug)).id
            let marks = try await application.marks.marks(of: [id], by: ada)
            #expect(marks[id]?.readingPosition.value == place)
        }
    }

    @Test("A reader neither sees nor changes another's marks")
    func privacy() async throws {
        let ada = try await reader(of: 2)
        try await ada.send(.marked(.note("secret"), ["article-1"]))
        try await ada.send(.marked(.starred(true), ["article-1"]))
        let eve = try await Application(sharing: ada)
        try await eve.register("eve")
        try await eve.coordinator.start(at: .articles())
        try await eve.logIn("eve")
        #expect(try await rows(eve) == ["article-2 •", "article-1 •"])
        try await eve.choose("only-starred")
        #expect(try await rows(eve) == [])
        try await eve.send(.listMarked(.starred(false)))
        try await eve.coordinator.start(at: .article("article-1"))
        #expect(try await eve.screen.document?.facts.contains { $0.value.contains("secret") } == false)
        #expect(try await rows(ada) == ["article-2 •", "article-1 •★✎"])
    }
}

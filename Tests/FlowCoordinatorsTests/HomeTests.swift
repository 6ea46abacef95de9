import ArticleStore
import FlowCoordinators
import Navigation
import Testing

@Suite("The start")
struct HomeTests {
    /// An application whose user is logged in and has gone nowhere yet.
    private func reader(
        of count: Int = 2, keepsMarks: Bool = true, defaults: Defaults = Defaults()
    ) async throws -> Application {
        let application = try await Application(keepsMarks: keepsMarks, defaults: defaults)
        if count > 0 { try await application.seed(count) }
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        return application
    }

    private func slugs(_ screen: Screen?) -> [String]? { screen?.list?.rows.map(\.cells[1].text) }

    @Test("A login and a start without a target show the unread articles")
    func unread() async throws {
        let application = try await reader()
        #expect(application.stack == ["/articles?unread=yes"])
        #expect(application.coordinator.home == AppSection.unread.place)
        try await application.chooseRow("article-2")
        let next = try await Application(sharing: application, tokens: application.tokens)
        try await next.coordinator.start()
        #expect(next.stack == ["/articles?unread=yes"])
        #expect(try await slugs(next.screen) == ["article-1"])
    }

    @Test(
        "The defaults choose the order and the filters of the start, and its marks if they name any",
        arguments: [
            (ArticleQuery(sort: .oldest), "/articles?unread=yes&sort=oldest"),
            (ArticleQuery(tag: "swift"), "/articles?tag=swift&unread=yes"),
            (ArticleQuery(marks: MarkCondition(isStarred: true)), "/articles?starred=yes"),
        ])
    func defaults(query: ArticleQuery, path: String) async throws {
        let application = try await reader(defaults: Defaults(list: ArticleList(query: query)))
        #expect(application.stack == [path])
        let entry = try #require(try await application.coordinator.sidebar()?.groups[0].entries[0])
        #expect(entry.place.path == (query.marks.isEmpty ? path : "/articles?unread=yes"))
    }

    @Test("Without marks, the start shows all articles")
    func withoutMarks() async throws {
        let application = try await reader(keepsMarks: false)
        #expect(application.stack == ["/library", "/articles"])
        #expect(try await slugs(application.screen) == ["article-2", "article-1"])
    }

    @Test("An empty library leads to the first way to add articles")
    func emptyLibrary() async throws {
        let application = try await reader(of: 0)
        try await application.send(try #require(try await application.screen.list?.emptyAction).event)
        let list = try #require(try await application.screen.list)
        #expect(list.placeholder == "The library is empty.")
        #expect(list.emptyAction?.label == "Subscribe")
    }

    @Test("If nothing is unread, the start says so and leads to all articles")
    func nothingUnread() async throws {
        let application = try await reader(of: 1)
        #expect(try await application.screen.list?.emptyAction == nil)
        try await application.chooseRow("article-1")
        try await application.back()
        let list = try #require(try await application.screen.list)
        #expect(list.rows.isEmpty && list.placeholder == "Nothing is unread.")
        try await application.send(try #require(list.emptyAction).event)
        #expect(application.stack == ["/articles?unread=yes", "/articles"])
        #expect(try await slugs(application.screen) == ["article-1"])
    }

    @Test("A search that begins with the unread articles looks in all articles, and ends where it began")
    func search() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.back()
        try await application.send(.searched("body 2"))
        #expect(try await slugs(application.screen) == ["article-2"])
        try await application.send(.searched(""))
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("If a search in starred articles finds none, the list leads to the same search in all articles")
    func starredSearch() async throws {
        let application = try await reader()
        try await application.send(.marksChosen(MarkCondition(isStarred: true)))
        try await application.send(.searched("body 2"))
        let list = try #require(try await application.screen.list)
        #expect(list.rows.isEmpty && list.placeholder == "No article matches.")
        #expect(list.emptyAction?.label == "Search all articles")
        try await application.send(try #require(list.emptyAction).event)
        #expect(try await slugs(application.screen) == ["article-2"])
    }

    @Test("After a search in which an article was read, the list has its new count")
    func countAfterSearch() async throws {
        let application = try await reader(of: 60)
        #expect(try await application.screen.list?.total == 60)
        try await application.send(.searched("body 2"))
        try await application.chooseRow("article-2")
        try await application.back()
        try await application.send(.searched(""))
        #expect(application.stack == ["/articles?unread=yes"])
        #expect(try await application.screen.list?.total == 59)
    }

    @Test("A list of unread articles keeps the article that is read beside it, with its marks, until the user returns")
    func beside() async throws {
        let application = try await reader(of: 3)
        _ = try await application.screen
        try await application.chooseRow("article-2")
        _ = try await application.screen
        let navigator = application.coordinator.navigator
        let list = try await navigator.screen(of: navigator.state.frames[0].id)
        #expect(slugs(list) == ["article-3", "article-2", "article-1"])
        #expect(list?.list?.current == list?.list?.rows[1].id)
        #expect(list?.list?.rows.map { $0.cells[2].text.hasPrefix("•") } == [true, false, true])
        try await application.back()
        #expect(try await slugs(application.screen) == ["article-3", "article-1"])
        #expect(try await application.screen.list?.total == 2)
    }
}

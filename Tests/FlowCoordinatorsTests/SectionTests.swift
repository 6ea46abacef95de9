import ArticleStore
import AuthService
import FlowCoordinators
import Navigation
import TestSupport
import Testing

@Suite("The sections of the application")
struct AppSectionTests {
    /// Returns an application where `ada` is logged in, at the start.
    private func reader(of count: Int = 3, at target: AppRoute? = nil) async throws -> Application {
        let application = try await Application()
        try await application.seed(count)
        try await application.register()
        try await application.coordinator.start(at: target ?? .login())
        try await application.logIn()
        return application
    }

    private static func list(_ query: ArticleQuery) -> AppRoute { .articles(ArticleList(query: query)) }

    private static let starredList = ArticleList(query: ArticleQuery(marks: MarkCondition(isStarred: true)))
    private static let unreadOfTag = ArticleQuery(tag: "swift", marks: MarkCondition(isRead: false))

    @Test("A user who goes to another section and back finds the first one unchanged")
    func unchanged() async throws {
        let application = try await reader()
        let navigator = application.coordinator.navigator
        #expect(navigator.state.sections.map(\.id) == ["unread", "library", "starred", "account"])
        #expect(navigator.state.section == "unread")
        try await application.chooseRow("article-2")
        let frames = navigator.state.frames
        try await application.coordinator.go(to: AppSection.starred.place)
        #expect(navigator.state.section == "starred" && application.stack == ["/articles?starred=yes"])
        try await application.coordinator.go(to: .account)
        try await application.choose("sessions")
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
        #expect(navigator.state.frames == frames)
        try await application.coordinator.go(to: .account)
        #expect(application.stack == ["/account", "/account/sessions"])
    }

    @Test("The entry of the shown section leads to its lowest place, and then asks the front to scroll up")
    func again() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        #expect(try await !application.coordinator.go(to: AppSection.unread.place))
        #expect(application.stack == ["/articles?unread=yes"])
        #expect(try await application.coordinator.go(to: AppSection.unread.place))
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("A search stays while another section is shown, and the entry of its own section removes it")
    func searched() async throws {
        let application = try await reader()
        try await application.send(.searched("article"))
        let searched = application.stack
        #expect(searched.count == 1 && searched != ["/articles?unread=yes"])
        try await application.coordinator.go(to: .account)
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(application.stack == searched)
        #expect(try await !application.coordinator.go(to: AppSection.unread.place))
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("Clearing a search shows no list twice, also after the results were filtered")
    func clearedSearch() async throws {
        let application = try await reader()
        try await application.send(.searched("article"))
        let found = application.stack
        try await application.send(.marksChosen(MarkCondition(isStarred: true)))
        #expect(application.stack.count == 2 && application.stack.first == found.first)
        try await application.send(.searched(""))
        #expect(application.stack == found)
        try await application.send(.searched(""))
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("All articles open above the lowest list of a section, which stays")
    func everything() async throws {
        let application = try await reader()
        try await application.choose("everything")
        #expect(application.stack == ["/articles?unread=yes", "/articles"])
        try await application.back()
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test(
        "The path of a place decides its section and the places beneath it, with and without a session",
        arguments: [
            (AppSection.unread.place, "unread", ["/articles?unread=yes"]),
            (list(ArticleQuery(text: "a", marks: MarkCondition(isRead: false), sort: .title)), "unread", []),
            (list(unreadOfTag), "library", ["/library"]),
            (.articles(), "library", ["/library", "/articles"]),
            (list(ArticleQuery(source: "blog")), "library", ["/library", "/articles?source=blog"]),
            (.article("article-1"), "library", ["/library", "/articles", "/articles/article-1"]),
            (.library(), "library", ["/library"]),
            (.library(of: "article-1"), "library", ["/library", "/library?article=article-1"]),
            (.rules, "library", ["/library", "/rules"]),
            (.sources(), "library", ["/library", "/sources"]),
            (.writing, "library", ["/library", "/articles", "/write"]),
            (.articles(starredList), "starred", ["/articles?starred=yes"]),
            (.savingSearch(starredList), "starred", ["/articles?starred=yes", "/searches/save?starred=yes"]),
            (.account, "account", ["/account"]),
            (.tokens, "account", ["/account", "/account/tokens"]),
            (.users, "account", ["/account", "/users"]),
        ] as [(AppRoute, String, [String])])
    func paths(place: AppRoute, section: String, stack: [String]) async throws {
        let behindLogin = try await reader(at: place)
        let signedIn = try await behindLogin.restarted()
        try await signedIn.coordinator.start(at: place)
        for application in [behindLogin, signedIn] {
            #expect(application.coordinator.navigator.state.section?.name == section)
            #expect(application.place == place.path)
            #expect(application.stack.prefix(stack.count) == stack[...])
        }
    }

    @Test("An article above a list is in the section of the list")
    func articleOfList() async throws {
        let application = try await reader(at: .login())
        try await application.coordinator.start(at: .article("article-1"), above: Self.starredList)
        #expect(application.coordinator.navigator.state.section == "starred")
        #expect(application.stack == ["/articles?starred=yes", "/articles/article-1"])
        let blog = ArticleList(query: ArticleQuery(source: "blog"))
        try await application.coordinator.start(at: .article("article-1"), above: blog)
        #expect(application.stack == ["/library", "/articles?source=blog", "/articles/article-1"])
    }

    @Test("A place of the sidebar that leads no section replaces the stack of its own section only")
    func source() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: .libraryPart(LibraryPart(.tags)))
        try await application.coordinator.go(to: Self.list(ArticleQuery(tag: "swift")))
        #expect(application.stack == ["/library", "/articles?tag=swift"])
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
    }

    @Test("Back at the lowest place of a section leads to the first section, and ends there")
    func back() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: AppSection.starred.place)
        #expect(try await application.coordinator.back())
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
        #expect(try await application.coordinator.back())
        #expect(try await !application.coordinator.back())
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("A list counts again what was read in another section")
    func counts() async throws {
        let application = try await reader(of: 60)
        #expect(try await application.screen.list?.total == 60)
        try await application.coordinator.go(to: .library())
        try await application.chooseRow("All articles")
        try await application.send(.marked(.read(true), ["article-1"]))
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(try await application.screen.list?.total == 59)
    }

    @Test("Logging out empties every section, also for the same user")
    func loggedOut() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: .library())
        try await application.choose("/sources")
        try await application.coordinator.go(to: .account)
        try await application.choose("log-out")
        let navigator = application.coordinator.navigator
        #expect(navigator.state.allFrames.map(\.route.path) == ["/welcome", "/login"])
        #expect(navigator.state.sections.isEmpty)
        try await application.logIn()
        #expect(navigator.state.allFrames.map(\.route.path) == ["/articles?unread=yes"])
    }

    @Test("A session that ends brings all sections back for the same user")
    func expired() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: .sessions)
        application.advance(days: 365)
        try await application.send(.cameBack)
        #expect(application.stack == ["/welcome", "/login"])
        try await application.logIn()
        #expect(application.stack == ["/account", "/account/sessions"])
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
    }

    @Test(
        "After a session has ended, the login leads to the section that the user chose last, and the others come back")
    func expiredAtAnotherSection() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        application.advance(days: 365)
        #expect(try await !application.coordinator.go(to: .account))
        #expect(application.stack == ["/welcome", "/login"])
        try await application.logIn()
        #expect(application.stack == ["/account"])
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(application.stack == ["/articles?unread=yes", "/articles/article-2"])
    }

    @Test("If an article was deleted, its section shows the list below it, with a message")
    func deletedBehind() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        _ = try await application.screen
        try await application.coordinator.go(to: AppSection.starred.place)
        try await application.delete("article-2")
        try await application.coordinator.go(to: AppSection.unread.place)
        #expect(try await application.screen.notice?.error is ArticleError)
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test(
        "A start at a link leaves the other sections as the bookmark has them, if that is requested",
        arguments: [true, false])
    func link(restores: Bool) async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: .sessions)
        let positions = ["/articles/article-2": "40"]
        try await application.saveBookmark(positions: positions)
        let next = try await application.restarted()
        try await next.coordinator.start(at: .account, restoresSections: restores)
        #expect(next.stack == ["/account"])
        #expect(next.coordinator.positions == (restores ? positions : [:]))
        try await next.coordinator.go(to: AppSection.unread.place)
        #expect(next.stack == ["/articles?unread=yes"] + (restores ? ["/articles/article-2"] : []))
    }

    @Test("A link to a place that does not exist reports that, also if the sections are restored")
    func missingLink() async throws {
        let application = try await reader()
        try await application.saveBookmark(positions: [:])
        let next = try await application.restarted()
        try await next.coordinator.start(at: .article("none"), restoresSections: true)
        await #expect(throws: ArticleError.self) { try await next.screen }
    }

    @Test("A link waits behind the login for everybody, and not with the bookmark of the ended session")
    func linkBehindLogin() async throws {
        let application = try await reader()
        try await application.coordinator.go(to: .sessions)
        try await application.saveBookmark(positions: [:])
        try await application.register("bob")
        application.advance(days: 365)
        let next = try await application.restarted()
        try await next.coordinator.start(at: .library(), restoresSections: true)
        try await next.logIn("bob")
        #expect(next.stack == ["/library"])
    }

    @Test("The bookmark has the places of all sections, with their positions")
    func bookmark() async throws {
        let application = try await reader()
        try await application.chooseRow("article-2")
        try await application.coordinator.go(to: AppSection.starred.place)
        let positions = ["/articles/article-2": "40", "/articles?starred=yes": "1"]
        try await application.saveBookmark(positions: positions)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.stack == ["/articles?starred=yes"])
        #expect(next.coordinator.positions == positions)
        try await next.coordinator.go(to: AppSection.unread.place)
        #expect(next.stack == ["/articles?unread=yes", "/articles/article-2"])
    }

    @Test(
        "A bookmark of a version without sections moves, whole, to the section of its topmost place",
        arguments: [
            (["/articles?unread=yes", "/articles?starred=yes", "/articles/article-1"], [], "starred"),
            (["/articles?unread=yes", "/library", "/articles?tag=swift"], [], "library"),
            (["/articles?unread=yes"], ["/account", "/account/sessions"], "account"),
            (["/articles?unread=yes", "/articles/article-1"], [], "unread"),
        ])
    func earlierBookmark(articles: [String], account: [String], section: String) async throws {
        let application = try await reader()
        let id = try #require(application.coordinator.currentUser.session?.id)
        let flows = [articles, account].filter { !$0.isEmpty }
            .map { #"{"paths":[\#($0.map { "\"\($0)\"" }.joined(separator: ","))]}"# }.joined(separator: ",")
        try await application.reading.saveBookmark(
            #"{"positions":{"/articles?unread=yes":"7"},"state":{"version":2,"subject":"1","flows":[\#(flows)]}}"#,
            ofSession: id.description)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.coordinator.navigator.state.section?.name == section)
        #expect(next.stack == articles + account)
        #expect(next.coordinator.positions == ["/articles?unread=yes": "7"])
    }

    @Test("Selecting a section does not ask, and replacing the places of an import asks once")
    func questions() async throws {
        try await WorkTests.importing { application, _ in
            let coordinator = application.coordinator
            try await coordinator.go(to: AppSection.unread.place)
            #expect(application.stack == ["/articles?unread=yes"])
            #expect(coordinator.navigator.hasWork)
            try await coordinator.go(to: .sources())
            #expect(application.place == "/leave/import")
            try await coordinator.go(to: .account)
            #expect(application.stack == ["/account"], "the question was about the other move")
            #expect(coordinator.navigator.hasWork)
            try await coordinator.go(to: .sources())
            try await coordinator.send(.leaveConfirmed)
            #expect(application.stack == ["/library", "/sources"])
            #expect(!coordinator.navigator.hasWork)
        }
    }

    @Test("An import that finishes while another section is shown leads to the list in its own section")
    func importedBehind() async throws {
        try await WorkTests.importing { application, held in
            try await application.coordinator.go(to: .account)
            held.latch.open()
            await application.coordinator.finishWork()
            #expect(application.stack == ["/account"])
            #expect(try await application.screen.notice?.text.hasPrefix("1 inserted") == true)
            try await application.coordinator.go(to: .library())
            #expect(application.stack == ["/library", "/articles"])
        }
    }

    @Test("Without marks, the library is the first section, and no article is unread or starred")
    func withoutMarks() async throws {
        let application = try await Application(keepsMarks: false)
        try await application.seed(1)
        try await application.register()
        try await application.coordinator.start()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        let navigator = application.coordinator.navigator
        #expect(navigator.state.sections.map(\.id) == ["library", "account"])
        #expect(application.stack == ["/library", "/articles"])
        try await application.coordinator.start(at: AppSection.starred.place)
        #expect(application.stack == ["/library", "/articles?starred=yes"])
    }
}

import ArticleStore
import FlowCoordinators
import Foundation
import StoreEngines
import Testing

@Suite("The library screen")
struct LibraryTests {
    /// Returns an application at the list of three articles of two sources, one of them read and starred.
    private func reader(keepsMarks: Bool = true) async throws -> Application {
        let application = try await Application(keepsMarks: keepsMarks)
        try await application.seed(2)
        try await application.articles.upsert(
            ArticleDraft(
                slug: "blog-1", title: "On a blog", authors: ["Bea", "Cy"], body: "Body",
                published: Date(timeIntervalSince1970: 0), tags: ["swift", "Café"]),
            into: SourceFacts(name: "blog", kind: .feed))
        try await application.articles.changeSource("blog", tags: .all([TagName("Daily news")]))
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        try await application.send(.marked(.read(true), ["article-1"]))
        try await application.send(.marked(.starred(true), ["article-1"]))
        try await application.send(.marked(.tag(TagName("to do"), true), ["blog-1"]))
        return application
    }

    /// Returns the filter of each row, with its numbers of unread and of all articles.
    private func rows(_ application: Application) async throws -> [String] {
        try await application.screen.list?.rows.map { row in
            let filter = row.id.map { String($0.dropFirst("/articles".count)) } ?? "more"
            return ([filter] + row.cells.dropFirst(2).map(\.text)).joined(separator: "|")
        } ?? []
    }

    @Test("The sidebar has the sections, saved searches, and sources with numbers, and selects the place of the user")
    func sidebar() async throws {
        let application = try await reader()
        try await application.send(.open(.savingSearch(ArticleList(query: ArticleQuery(author: "Ada")))))
        try await application.submit([.name: "By Ada"])
        let sidebar = try #require(await application.coordinator.sidebar())
        #expect(sidebar.groups.map(\.title) == [nil, "Saved searches", "Sources"])
        #expect(sidebar.groups[0].entries.map(\.place) == AppSection.allCases.map(\.place))
        // The starred article is read.
        #expect(sidebar.groups[0].entries.map(\.count) == [2, nil, 0, nil])
        try await application.send(.marked(.starred(true), ["blog-1"]))
        #expect(
            try await application.coordinator.sidebar()?.groups[0].entries.map(\.count) == [2, nil, 1, nil])
        #expect(sidebar.groups[1].entries.map(\.id) == ["/articles?author=Ada"])
        #expect(sidebar.groups[2].entries.map(\.title) == ["blog", "library"])
        let isCounted = StoreEngine.ofFixtures != .postgresql
        #expect(sidebar.groups[2].entries.map(\.count) == (isCounted ? [1, 1] : [nil, nil]))

        /// Returns the titles of the selected entries at a place.
        func selected(at place: AppRoute) async throws -> [String] {
            try await application.coordinator.start(at: place)
            let groups = try await application.coordinator.sidebar()?.groups ?? []
            return groups.flatMap(\.entries).filter(\.isSelected).map(\.title)
        }
        #expect(try await selected(at: .articles()) == ["Library"])
        #expect(try await selected(at: AppSection.unread.place) == ["Unread"])
        #expect(try await selected(at: AppSection.starred.place) == ["Starred"])
        #expect(try await selected(at: .library()) == ["Library"])
        #expect(try await selected(at: .tokens) == ["Account"])
        let blog = ArticleList(query: ArticleQuery(source: "blog", sort: .title))
        #expect(try await selected(at: .articles(blog)) == ["Library", "blog"])
        try await application.send(.open(.article("blog-1")))
        #expect(try await application.coordinator.sidebar()?.groups[2].entries.map(\.isSelected) == [true, false])
    }

    @Test("Without a session or stored marks, there is no sidebar")
    func noSidebar() async throws {
        let application = try await Application()
        try await application.coordinator.start()
        #expect(try await application.coordinator.sidebar() == nil)
        #expect(try await reader(keepsMarks: false).coordinator.sidebar() == nil)
    }

    @Test("The library has states, sources, tags, and authors with numbers, and leads to each list and back")
    func overview() async throws {
        let application = try await reader()
        try await application.choose("library")
        #expect(application.place == "/library")
        #expect(
            try await rows(application) == [
                "|2|3", "?unread=yes||2", "?starred=yes||1", "?later=yes||0", "?noted=yes||0", "?source=library|1|2",
                "?source=blog|1|1", "?source-tag=Daily%20news|1|1", "?tag=mine%3Ato%20do||1", "?tag=swift|2|3",
                "?tag=Caf%C3%A9|1|1", "?author=Ada|1|2", "?author=Bea|1|1", "?author=Cy|1|1",
            ])
        let lists = [
            ("Unread", "unread=yes", 2), ("Starred", "starred=yes", 1), ("blog", "source=blog", 1),
            ("Daily news", "source-tag=Daily%20news", 1),
            ("to do", "tag=mine%3Ato%20do", 1), ("Café", "tag=Caf%C3%A9", 1), ("Ada", "author=Ada", 2),
        ]
        for (name, filter, count) in lists {
            try await application.chooseRow(name)
            #expect(application.stack == ["/library", "/articles?" + filter])
            let found = try await rows(application)
            #expect(found.count == count, "\(name): \(found)")
            try await application.back()
        }
        try await application.back()
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("The library counts articles that are read in the meantime")
    func counts() async throws {
        let application = try await reader()
        try await application.choose("library")
        try await application.chooseRow("blog")
        try await application.chooseRow("blog-1")
        try await application.back()
        // After choosing a list there, the library is below it.
        try await application.choose("library")
        #expect(application.stack == ["/library"])
        #expect(try await rows(application).contains("?source=blog|0|1"))
    }

    @Test("From an article, its own tags, authors, and source come first")
    func ofArticle() async throws {
        let application = try await reader()
        try await application.chooseRow("blog-1")
        try await application.choose("library")
        #expect(application.place == "/library?article=blog-1")
        let rows = try await rows(application)
        #expect(
            rows.prefix(6) == [
                "?author=Bea|0|1", "?author=Cy|0|1", "?tag=Caf%C3%A9|0|1", "?tag=swift|1|3", "?tag=mine%3Ato%20do||1",
                "?source=blog|0|1",
            ])
        #expect(rows.count == Set(rows).count)
        try await application.chooseRow("swift")
        #expect(
            application.stack == [
                "/library", "/articles", "/articles/blog-1", "/library?article=blog-1", "/articles?tag=swift",
            ])
        for _ in 0..<2 { try await application.back() }
        #expect(application.place == "/articles/blog-1")
        try await application.coordinator.start(at: .library(of: "missing"))
        await #expect(throws: ArticleError.noArticle("missing")) { try await application.screen }
    }

    @Test("Repeated visits do not grow the stack, and back leads to the last article")
    func again() async throws {
        let application = try await reader()
        let lists = ["/library", "/articles?source=blog", "/articles?source=blog&unread=yes"]
        for _ in 0..<3 {
            try await application.choose("library")
            #expect(application.stack == ["/library"])
            try await application.chooseRow("blog")
            try await application.choose("only-unread")
        }
        try await application.chooseRow("blog-1")
        for _ in 0..<3 {
            try await application.choose("library")
            #expect(application.stack == lists + ["/articles/blog-1", "/library?article=blog-1"])
            try await application.chooseRow("Café")
            try await application.chooseRow("blog-1")
        }
        try await application.choose("library")
        try await application.chooseRow("Café")
        try await application.choose("library")
        #expect(application.place == "/library?article=blog-1")
        for _ in 0..<2 { try await application.back() }
        #expect(application.stack == lists)
    }

    @Test("Without a store for marks, the screen does not mention them")
    func withoutMarks() async throws {
        let application = try await reader(keepsMarks: false)
        try await application.choose("library")
        #expect(
            try await rows(application).prefix(3) == ["|3", "?source=library|2", "?source=blog|1"])
    }

    /// Returns the headings with the names below them, and the names of articles' own rows.
    private func sections(_ application: Application) async throws -> [String: [String]] {
        let rows = try await application.screen.list?.rows ?? []
        return Dictionary(grouping: rows) { $0.section ?? "" }.mapValues { $0.map { $0.cells[1].text } }
    }

    @Test("The entries are grouped, the sources of a folder together, and each source leads to its settings")
    func groups() async throws {
        let application = try await reader()
        try await application.choose("library")
        let sections = try await sections(application)
        #expect(sections["Sources"] == ["library"] && sections["Sources in Daily news"] == ["blog"])
        #expect(sections["Folders"] == ["Daily news"] && sections["Tags"] == ["swift", "Café"])
        #expect(sections["My tags"] == ["to do"] && sections["Authors"] == ["Ada", "Bea", "Cy"])
        #expect(sections["Articles"]?.first == "All articles")
        let headings = try await application.screen.list?.rows.map(\.section) ?? []
        #expect(zip(headings, headings.dropFirst()).count { $0 != $1 } == sections.count - 1, "each heading once")
        let settings = try await application.screen.list?.rows.first { $0.cells[1].text == "blog" }?.actions.first
        try await application.send(try #require(settings?.event))
        #expect(application.stack.suffix(2) == ["/library", "/sources/2"])
        #expect(try await application.screen.title == "blog")
    }

    @Test("Of many tags some are on the first screen, and the others on pages")
    func manyTags() async throws {
        let application = try await reader()
        try await application.seed(tags: 230)
        try await application.choose("library")
        let first = try #require(try await application.screen.list?.rows)
        #expect(first.count <= 100)
        #expect(first.contains { $0.cells[1].text == "swift" }, "the one with the most unread articles")
        try await application.chooseRow("All 232 tags")
        #expect(application.place == "/library/tags")
        #expect(try await rows(application).first == "?tag=swift|2|3")
        var seen: [String] = []
        for page in 1...3 {
            let rows = try await application.screen.list?.rows ?? []
            let tags = rows.filter { $0.id?.hasPrefix("/articles") == true }
            seen += tags.map { $0.cells[1].text }
            #expect(tags.count == (page < 3 ? 100 : 32))
            if page < 3 { try await application.send(try #require(rows.last?.event)) }
        }
        #expect(seen.count == 232 && Set(seen).count == 232)
        #expect(application.place == "/library/tags?page=3")
        try await application.coordinator.start(at: .libraryPart(LibraryPart(.tags, page: 1_000_000)))
        #expect(try await application.screen.list?.rows.isEmpty == true)
    }
}

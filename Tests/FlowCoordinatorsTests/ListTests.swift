import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import Testing

@Suite("The list of articles")
struct ListTests {
    private func reader(of count: Int, at list: ArticleList = ArticleList()) async throws -> Application {
        let application = try Application()
        try await application.seed(count)
        try await application.register()
        try await application.coordinator.start(at: .articles(list))
        try await application.logIn()
        return application
    }

    private func numbers(_ application: Application) async throws -> [Int] {
        try await application.screen.list?.rows.compactMap { Int($0.cells[1].dropFirst("article-".count)) } ?? []
    }

    /// Asks for rows as the list offers them.
    ///
    /// - Returns: false when it offers none.
    private func ask(_ application: Application, for event: (List) -> AppEvent?) async throws -> Bool {
        guard let list = try await application.screen.list, let event = event(list) else { return false }
        try await application.coordinator.send(event)
        return true
    }

    @Test("grows in place, row by row in order, and never beyond its bound")
    func grows() async throws {
        let application = try await reader(of: 420)
        var last = 420 - 50 + 1
        #expect(try await numbers(application) == Array((last...420).reversed()))
        while try await ask(application, for: \.more) {
            #expect(application.coordinator.navigator.state.frames.count == 1)
            let numbers = try await numbers(application)
            #expect(numbers.count <= ArticleList.grownLimit)
            let end = try #require(numbers.last)
            #expect(end < last)
            #expect(numbers == Array((end..<end + numbers.count).reversed()))
            last = end
        }
        #expect(last == 1)
        #expect(try await application.screen.list?.earlier != nil)

        // And all the way back.
        var first = try #require(try await numbers(application).first)
        while try await ask(application, for: \.earlier) {
            let numbers = try await numbers(application)
            #expect(numbers.count <= ArticleList.grownLimit)
            let start = try #require(numbers.first)
            #expect(start > first)
            #expect(numbers == Array((start - numbers.count + 1...start).reversed()))
            first = start
        }
        #expect(first == 420)
        #expect(try await application.screen.list?.footer == "200 of 420")
    }

    @Test(
        "keeps an overlap when it moves on, in which a front finds its row again", arguments: ArticleQuery.Sort.allCases
    )
    func overlaps(sort: ArticleQuery.Sort) async throws {
        let application = try await reader(of: 300, at: ArticleList(query: ArticleQuery(sort: sort), limit: 200))
        let before = try await application.screen.list?.rows.compactMap(\.id) ?? []
        #expect(Set(before).count == 200)
        try await application.coordinator.send(.moreRowsWanted)
        let after = try await application.screen.list?.rows.compactMap(\.id) ?? []
        #expect(before.dropFirst(50) == after.prefix(150))
        #expect(Set(after).count == 200)
        try await application.coordinator.send(.earlierRowsWanted)
        #expect(try await application.screen.list?.rows.compactMap(\.id) == before)
        #expect(application.place.contains("cursor") == false)
    }

    @Test("a list that began larger stays as large")
    func larger() async throws {
        let application = try await reader(of: 460, at: ArticleList(limit: 400))
        try await application.coordinator.send(.moreRowsWanted)
        #expect(try await numbers(application) == Array((11...410).reversed()))
    }

    @Test("rows that are not there are not offered, and asking for them changes nothing")
    func ends() async throws {
        let application = try await reader(of: 3)
        let list = try #require(try await application.screen.list)
        #expect(list.more == nil && list.earlier == nil && list.choice != nil)
        try await application.coordinator.send(.moreRowsWanted)
        try await application.coordinator.send(.earlierRowsWanted)
        #expect(try await numbers(application) == [3, 2, 1])
        #expect(application.stack == ["/articles"])
    }

    @Test("a grown list is found again after an article, and after a restart")
    func found() async throws {
        let application = try await reader(of: 420)
        for _ in 0..<5 { try await application.coordinator.send(.moreRowsWanted) }
        let rows = try await numbers(application)
        let place = application.place
        try await application.coordinator.send(.articleChosen("article-100"))
        try await application.back()
        #expect(application.place == place)
        #expect(try await numbers(application) == rows)

        try await application.coordinator.savePlace(positions: [place: 180])
        let next = try application.restarted()
        try await next.coordinator.start()
        #expect(try await numbers(next) == rows)
        #expect(next.coordinator.positions == [place: 180])
    }

    @Test("the order is chosen among the others, and begins at the top")
    func sorts() async throws {
        let application = try await reader(of: 120)
        try await application.coordinator.send(.moreRowsWanted)
        #expect(
            try await application.screen.actions.map(\.label).prefix(3) == ["Next page", "Oldest first", "By title"])
        try await application.choose("Oldest first")
        #expect(application.stack == ["/articles?sort=oldest"])
        #expect(try await numbers(application) == Array(1...50))
        #expect(try await application.screen.title == "Articles oldest first")
        try await application.choose("By title")
        #expect(try await numbers(application).prefix(3) == [1, 10, 100])
        try await application.choose("Newest first")
        #expect(application.stack == ["/articles"])
    }

    @Test("the filter narrows by author and tag, says what it is, and is taken off again")
    func filters() async throws {
        let application = try await reader(of: 2)
        try await application.articles.upsert(
            ArticleDraft(slug: "other", title: "Other", authors: ["Béla"], body: "B", tags: ["c"]))
        let filter = try #require(try await application.screen.list?.filter)
        #expect(filter.fields.map(\.name) == [.author, .tag])
        #expect(filter.fields.allSatisfy { $0.value.isEmpty })

        try await application.submit([.author: "béla", .tag: " "])
        #expect(AppRoute(path: application.place) == .articles(ArticleList(query: ArticleQuery(author: "béla"))))
        #expect(try await application.screen.list?.rows.map(\.cells[1]) == ["other"])
        #expect(try await application.screen.list?.filter?.fields.map(\.value) == ["béla", ""])
        #expect(try await application.screen.title == "Articles by béla")
        try await application.choose("By title")
        try await application.submit([.tag: "swift"])
        #expect(try await application.screen.list?.placeholder == "No article matches.")
        try await application.submit([.author: "", .tag: ""])
        #expect(application.stack == ["/articles?sort=title"])
        #expect(try await application.screen.list?.rows.count == 3)
    }

    @Test("a search says what it looks for, and its articles lead to each other")
    func searches() async throws {
        let application = try await reader(of: 60, at: ArticleList(query: ArticleQuery(text: " 5  ARTICLE ")))
        #expect(try await application.screen.title == "Articles matching “5 ARTICLE”")
        let found = try await numbers(application)
        #expect(found == [59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 45, 35, 25, 15, 5])
        try await application.coordinator.send(.articleChosen("article-50"))
        try await application.choose("Next article")
        #expect(application.place == "/articles/article-45")
        try await application.back()
        try await application.submit([.author: "nobody"])
        #expect(try await application.screen.title == "Articles matching “5 ARTICLE”, by nobody")
        #expect(try await application.screen.list?.placeholder == "No article matches.")
    }

    @Test("the number of articles is counted anew when the list is come back to")
    func counts() async throws {
        let application = try await reader(of: 60)
        #expect(try await application.screen.list?.footer == "50 of 60")
        try await application.seed(61)
        try await application.coordinator.send(.articleChosen("article-1"))
        try await application.back()
        #expect(try await application.screen.list?.footer == "50 of 61")
    }

    @Test("what leads through pages is marked, so that a list that grows can leave it out")
    func paging() async throws {
        let application = try await reader(of: 60)
        let paging = try await application.screen.actions.filter { $0.use == .paging }
        #expect(paging.map(\.label) == ["Next page"])
    }
}

@Suite("An article of a list")
struct ArticleTests {
    /// Opens an article from a list and goes as far as it goes.
    private func walk(_ label: String, from slug: String, in query: ArticleQuery) async throws -> [String] {
        let application = try Application()
        try await application.seed(4)
        try await application.articles.upsert(
            ArticleDraft(
                slug: "other", title: "Article 2 and a half", authors: ["Béla"], body: "B",
                published: Date(timeIntervalSince1970: 2 * 86_400), tags: ["c"]))
        try await application.register()
        try await application.coordinator.start(at: .articles(ArticleList(query: query)))
        try await application.logIn()
        let list = application.place
        try await application.coordinator.send(.articleChosen(slug))
        var slugs: [String] = []
        while try await application.screen.actions.contains(where: { $0.label == label }), slugs.count < 10 {
            try await application.choose(label)
            #expect(application.stack.count == 2)
            slugs.append(String(application.place.dropFirst("/articles/".count)))
        }
        try await application.coordinator.send(label == "Next article" ? .nextArticleChosen : .previousArticleChosen)
        #expect(application.place.hasSuffix(slugs.last ?? slug))
        try await application.back()
        #expect(application.stack == [list])
        return slugs
    }

    @Test("next and previous follow the order of its list, to its ends")
    func neighbours() async throws {
        let next = "Next article"
        let previous = "Previous article"
        // Of one day, the later number is the newer.
        #expect(
            try await walk(next, from: "article-4", in: ArticleQuery())
                == ["article-3", "other", "article-2", "article-1"])
        #expect(
            try await walk(previous, from: "article-1", in: ArticleQuery())
                == ["article-2", "other", "article-3", "article-4"])
        #expect(
            try await walk(next, from: "article-1", in: ArticleQuery(sort: .oldest))
                == ["article-2", "other", "article-3", "article-4"])
        #expect(
            try await walk(previous, from: "article-4", in: ArticleQuery(sort: .title))
                == ["article-3", "other", "article-2", "article-1"])
        #expect(
            try await walk(next, from: "article-1", in: ArticleQuery(tag: "swift", sort: .title))
                == ["article-2", "article-3", "article-4"])
        #expect(try await walk(next, from: "other", in: ArticleQuery(author: "béla")) == [])
    }

    @Test("one that is not in the list has the neighbours it would have there, and none outside its dates")
    func stranger() async throws {
        #expect(
            try await walk("Next article", from: "other", in: ArticleQuery(tag: "swift")) == ["article-2", "article-1"])
        #expect(
            try await walk("Previous article", from: "other", in: ArticleQuery(tag: "swift"))
                == ["article-3", "article-4"])
        let recent = ArticleQuery(since: Date(timeIntervalSince1970: 3 * 86_400))
        #expect(try await walk("Previous article", from: "article-1", in: recent) == [])
        #expect(try await walk("Next article", from: "article-1", in: recent) == [])
        #expect(try await walk("Previous article", from: "article-3", in: recent) == ["article-4"])
    }

    @Test("a slug that is another's number does not lead to that other")
    func numericSlug() async throws {
        let application = try Application()
        try await application.articles.upsert(
            (["2", "1", "3"] as [String]).enumerated().map { index, slug in
                ArticleDraft(
                    slug: slug, title: "Slug \(slug)", body: "B",
                    published: Date(timeIntervalSince1970: Double(index) * 86_400))
            })
        try await application.register()
        try await application.coordinator.start()
        try await application.choose("Log in")
        try await application.logIn()
        try await application.chooseRow("Slug 3")
        var titles = [try await application.screen.title]
        while try await application.screen.actions.contains(where: { $0.label == "Next article" }), titles.count < 5 {
            try await application.choose("Next article")
            titles.append(try await application.screen.title)
        }
        #expect(titles == ["Slug 3", "Slug 1", "Slug 2"])
    }

    @Test("a link leads on to another article, and back")
    func link() async throws {
        let application = try Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        try await application.coordinator.send(.articleChosen("article-3"))
        try await application.choose("Next article")
        #expect(application.stack == ["/articles", "/articles/article-1", "/articles/article-2"])
        try await application.back()
        #expect(application.stack == ["/articles", "/articles/article-1"])
    }

    @Test("when it is deleted meanwhile, going on says so and stays")
    func deleted() async throws {
        let application = try Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-2"))
        try await application.logIn()
        try await application.delete("article-2")
        try await application.coordinator.send(.nextArticleChosen)
        #expect(application.stack == ["/articles", "/articles/article-2"])
        try await application.back()
        #expect(try await application.screen.list?.rows.count == 2)
    }
}

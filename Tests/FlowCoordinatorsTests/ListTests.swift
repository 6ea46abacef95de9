import Text
import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import Testing

@Suite("The list of articles")
struct ListTests {
    private func reader(of count: Int, at list: ArticleList = ArticleList()) async throws -> Application {
        let application = try await Application()
        try await application.seed(count)
        try await application.register()
        try await application.coordinator.start(at: .articles(list))
        try await application.logIn()
        return application
    }

    private func numbers(_ application: Application) async throws -> [Int] {
        try await application.screen.list?.rows.compactMap { Int($0.cells[1].text.dropFirst("article-".count)) } ?? []
    }

    /// Requests rows in the way that the list offers.
    ///
    /// - Returns: False if it offers none.
    private func ask(_ application: Application, for event: (List) -> AppEvent?) async throws -> Bool {
        guard let list = try await application.screen.list, let event = event(list) else { return false }
        try await application.send(event)
        return true
    }

    @Test(
        "The list is in the order of the best match only during a search",
        arguments: [AppEvent.searched(""), .everythingChosen])
    func relevance(end: AppEvent) async throws {
        let application = try await reader(of: 3)
        try await application.send(.searched("article"))
        try await application.send(.sortChosen(.relevance))
        #expect(application.place.contains("sort=relevance"))
        try await application.send(end)
        #expect(application.place == "/articles")
    }

    @Test("Rows show their source, except in the list of one source")
    func sources() async throws {
        func origins(_ query: ArticleQuery) async throws -> [String] {
            let list = try #require(try await reader(of: 1, at: ArticleList(query: query)).screen.list)
            let places = list.columns.indices.filter { list.columns[$0].role == .origin }
            return places.map { list.rows[0].cells[$0].text }
        }
        #expect(try await origins(ArticleQuery()) == ["library"])
        #expect(try await origins(ArticleQuery(tag: "swift")) == ["library"])
        #expect(try await origins(ArticleQuery(source: "library")) == [])
    }

    @Test("The list grows in place, row by row in order, up to its maximum")
    func grows() async throws {
        let application = try await reader(of: 420)
        var last = 420 - 50 + 1
        #expect(try await numbers(application) == Array((last...420).reversed()))
        while try await ask(application, for: \.more?.some) {
            #expect(application.stack.count == 2)
            let numbers = try await numbers(application)
            #expect(numbers.count <= ArticleList.grownLimit)
            let end = try #require(numbers.last)
            #expect(end < last)
            #expect(numbers == Array((end..<end + numbers.count).reversed()))
            last = end
        }
        #expect(last == 1)
        #expect(try await application.screen.list?.earlier != nil)

        // And back to the beginning.
        var first = try #require(try await numbers(application).first)
        while try await ask(application, for: \.earlier?.some) {
            let numbers = try await numbers(application)
            #expect(numbers.count <= ArticleList.grownLimit)
            let start = try #require(numbers.first)
            #expect(start > first)
            #expect(numbers == Array((start - numbers.count + 1...start).reversed()))
            first = start
        }
        #expect(first == 420)
        #expect(try await application.screen.list?.total == 420)
    }

    @Test(
        "The list keeps an overlap when it moves on, so a front finds its row again",
        arguments: ArticleQuery.Sort.allCases
    )
    func overlaps(sort: ArticleQuery.Sort) async throws {
        let application = try await reader(of: 300, at: ArticleList(query: ArticleQuery(sort: sort), limit: 200))
        let before = try await application.screen.list?.rows.compactMap(\.id) ?? []
        #expect(Set(before).count == 200)
        try await application.send(.moreRowsWanted)
        let after = try await application.screen.list?.rows.compactMap(\.id) ?? []
        #expect(before.dropFirst(50) == after.prefix(150))
        #expect(Set(after).count == 200)
        try await application.send(.earlierRowsWanted)
        #expect(try await application.screen.list?.rows.compactMap(\.id) == before)
        #expect(application.place.contains("cursor") == false)
    }

    @Test("Another order keeps the selected article, wherever it is then")
    func sorted() async throws {
        let application = try await reader(of: 420)
        let title = try #require(try await application.screen.actions.first { $0.purpose == .byTitle })
        let row = try #require(try await application.screen.list?.rows[30])
        try await application.send(try #require(title.eventAtRow?(row.id ?? "")))
        var list = try #require(try await application.screen.list)
        let index = try #require(list.rows.firstIndex { $0.id == row.id })
        #expect((1..<49).contains(index) && list.rows.count == 50)
        #expect(list.rows.map(\.cells[4].text) == list.rows.map(\.cells[4].text).sorted())
        #expect(list.earlier != nil && list.more != nil && list.total == 420)
        // At the beginning there is nothing to leave out.
        let first = try await application.articles.list(ArticleQuery(sort: .oldest), after: nil, limit: 1).summaries
        try await application.send(.sortChosen(.oldest, at: first[0].id))
        list = try #require(try await application.screen.list)
        #expect(list.earlier == nil && list.rows.first?.id == String(first[0].id))
        try await application.send(.sortChosen(.newest, at: 1_000_000))
        #expect(try await numbers(application) == Array((371...420).reversed()))
    }

    @Test("After going from article to article, the list is at the last of them")
    func turned() async throws {
        let application = try await reader(of: 420)
        #expect(try await application.screen.list?.current == nil)
        try await application.chooseRow("article-372")
        for _ in 0..<3 { try await application.choose("next-article") }
        #expect(application.place == "/articles/article-369")
        try await application.back()
        var list = try #require(try await application.screen.list)
        let current = try #require(list.rows.first { $0.id == list.current })
        #expect(current.cells[1].text == "article-369")
        #expect(list.offset == 0 && list.total == 420)
        // And beyond both ends of the loaded part.
        try await application.send(.lastRowsWanted)
        try await application.chooseRow("article-50")
        for _ in 0..<4 { try await application.choose("previous-article") }
        try await application.back()
        list = try #require(try await application.screen.list)
        #expect(list.rows.first { $0.id == list.current }?.cells[1].text == "article-54")
        try await application.send(.moreRowsWanted)
        #expect(try await application.screen.list?.current == nil, "it is not come back to any more")
        // The target of a link is outside the list.
        try await application.chooseRow("article-60")
        try await application.send(.linkFollowed("article-300"))
        try await application.choose("next-article")
        try await application.back()
        #expect(try await application.screen.title == "Article 60")
        try await application.back()
        list = try #require(try await application.screen.list)
        #expect(list.rows.first { $0.id == list.current }?.cells[1].text == "article-60")
    }

    @Test("A user who comes back to the front finds new articles, and their number")
    func cameBack() async throws {
        let application = try await reader(of: 60)
        #expect(try await application.screen.list?.total == 60)
        let other = try await Application(sharing: application)
        try await other.seed(61)
        try await application.send(.cameBack)
        #expect(try await application.screen.list?.total == 61)
        #expect(try await numbers(application).first == 61)
    }

    @Test("Logging out asks first, wherever it is offered")
    func logOutAsked() async throws {
        let application = try await reader(of: 3)
        for _ in 0..<3 {
            let action = try #require(try await application.screen.actions.first { $0.purpose == .logOut })
            #expect(action.confirmation != nil)
            if application.place == "/articles" {
                try await application.chooseRow("article-2")
            } else if application.place == "/articles/article-2" {
                try await application.back()
                try await application.send(.open(.account))
            }
        }
        #expect(application.place == "/account")
    }

    @Test("A list that began larger stays as large")
    func larger() async throws {
        let application = try await reader(of: 460, at: ArticleList(limit: 400))
        try await application.send(.moreRowsWanted)
        #expect(try await numbers(application) == Array((11...410).reversed()))
    }

    @Test("Missing rows are not offered, and asking for them changes nothing")
    func ends() async throws {
        let application = try await reader(of: 3)
        let list = try #require(try await application.screen.list)
        #expect(list.more == nil && list.earlier == nil && list.choice != nil)
        try await application.send(.moreRowsWanted)
        try await application.send(.earlierRowsWanted)
        #expect(try await numbers(application) == [3, 2, 1])
        #expect(application.stack == ["/library", "/articles"])
    }

    @Test("A grown list is restored after an article, and after a restart")
    func found() async throws {
        let application = try await reader(of: 420)
        for _ in 0..<5 { try await application.send(.moreRowsWanted) }
        let rows = try await numbers(application)
        let place = application.place
        try await application.send(.open(.article("article-100")))
        try await application.back()
        #expect(application.place == place)
        #expect(try await numbers(application) == rows)

        try await application.saveBookmark(positions: [place: "180"])
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(try await numbers(next) == rows)
        #expect(next.coordinator.positions == [place: "180"])
    }

    @Test("The order is chosen among the others, and begins at the top")
    func sorts() async throws {
        let application = try await reader(of: 120)
        try await application.send(.moreRowsWanted)
        #expect(try await application.screen.actions.map(\.purpose).prefix(2) == [.oldest, .byTitle])
        try await application.choose("oldest")
        #expect(application.stack == ["/library", "/articles?sort=oldest"])
        #expect(try await numbers(application) == Array(1...50))
        try await application.choose("by-title")
        #expect(try await numbers(application).prefix(3) == [1, 10, 100])
        try await application.choose("newest")
        #expect(application.stack == ["/library", "/articles"])
        try await application.send(.moreRowsWanted)
        try await application.send(.sortChosen(.newest))
        #expect(try await numbers(application).count == 100, "it is in that order already")
        // Rows that were read and not drawn belong to another list.
        try await application.send(.moreRowsWanted)
        try await application.send(.sortChosen(.oldest))
        #expect(try await numbers(application) == Array(1...50))
    }

    @Test("The list says how many articles come before its rows, as far as they were counted")
    func offsets() async throws {
        let application = try await reader(of: 420)
        var first = 420
        func check() async throws {
            let list = try #require(try await application.screen.list)
            first = try #require(try await numbers(application).first)
            #expect(list.offset == 420 - first)
            #expect(list.total == 420)
        }
        try await check()
        while try await ask(application, for: \.more?.some) { try await check() }
        while try await ask(application, for: \.earlier?.some) { try await check() }
        #expect(first == 420)

        // In the middle of a list nothing has been counted.
        let page = try await application.articles.list(ArticleQuery(), after: nil, limit: 50)
        try await application.coordinator.start(at: .articles(ArticleList(cursor: page.next)))
        #expect(try await application.screen.list?.offset == nil)
    }

    @Test("The ends of the list are reached at once, and from the last the way back is complete")
    func toTheEnds() async throws {
        let application = try await reader(of: 420)
        #expect(try await ask(application, for: \.more?.last))
        #expect(try await numbers(application) == Array((1...50).reversed()))
        var list = try #require(try await application.screen.list)
        #expect(list.offset == 370 && list.more == nil)
        try await application.send(.moreRowsWanted)
        #expect(try await application.screen.list?.offset == 370)
        #expect(application.stack.count == 2)
        #expect(try await ask(application, for: \.earlier?.some))
        #expect(try await numbers(application) == Array((1...100).reversed()))
        #expect(try await application.screen.list?.offset == 320)
        #expect(try await ask(application, for: \.earlier?.last))
        list = try #require(try await application.screen.list)
        #expect(list.offset == 0 && list.earlier == nil && list.rows.count == 100)

        let few = try await reader(of: 3)
        for event in [AppEvent.lastRowsWanted, .firstRowsWanted] {
            try await few.send(event)
            #expect(try await numbers(few) == [3, 2, 1])
        }
    }

    @Test("A search limits the list, is shown, and can be removed, as can the list's own filters")
    func searches() async throws {
        let application = try await reader(of: 60)
        try await application.articles.upsert(
            ArticleDraft(slug: "other", title: "Other", authors: ["Béla"], body: "B", tags: ["c"]))
        #expect(try await application.screen.list?.search == "")
        try await application.send(.searched("béla oth"))
        #expect(application.stack.count == 2)
        var list = try #require(try await application.screen.list)
        #expect(list.rows.map(\.cells[1].text) == ["other"])
        #expect(list.search == "béla oth" && list.total == 1)
        try await application.choose("by-title")
        #expect(try await application.screen.list?.rows.count == 1)
        try await application.send(.searched("nothing has this"))
        list = try #require(try await application.screen.list)
        #expect(list.rows.isEmpty && list.total == 0)
        try await application.send(.searched(""))
        #expect(application.stack == ["/library", "/articles?sort=title"])
        // Counting the matches would read every article.
        try await application.send(.searched("article"))
        #expect(try await application.screen.list?.total == nil)

        try await application.coordinator.start(at: .articles(ArticleList(query: ArticleQuery(author: "béla"))))
        #expect(try await application.screen.title.contains("béla"))
        #expect(try await application.screen.list?.total == 1)
        try await application.choose("everything")
        #expect(application.stack == ["/library", "/articles"])
        #expect(try await application.screen.list?.total == 61)
        #expect(try await application.screen.actions.allSatisfy { $0.purpose != .everything })

        try await application.coordinator.start(
            at: .articles(ArticleList(query: ArticleQuery(author: "béla", sort: .oldest))))
        try await application.choose("everything")
        #expect(application.stack == ["/library", "/articles?sort=oldest"])
    }

    @Test("A removed search returns to the part of the list where it began")
    func searchedFrom() async throws {
        let application = try await reader(of: 420)
        for _ in 0..<5 { try await application.send(.moreRowsWanted) }
        let (rows, place) = (try await numbers(application), application.place)
        let offset = try await application.screen.list?.offset
        #expect(offset == 100)
        for text in ["4", "42", "4", ""] {
            try await application.send(.searched(text))
            _ = try await application.screen
        }
        #expect(application.place == place)
        #expect(try await application.screen.list?.offset == offset)
        #expect(try await numbers(application) == rows)
        try await application.send(.moreRowsWanted)
        let further = application.place
        try await application.send(.searched(""))
        #expect(application.place == further, "what it is searched for already changes nothing")
        try await application.send(.searched("article"))
        try await application.send(.moreRowsWanted)
        try await application.send(.searched("article"))
        #expect(try await numbers(application).count == 100)
        try await application.send(.searched("42"))
        try await application.choose("oldest")
        try await application.send(.searched(""))
        #expect(application.stack == ["/library", "/articles?sort=oldest"])
    }

    @Test("A search says what it looks for, and its articles lead to each other")
    func searchLeadsOn() async throws {
        let application = try await reader(of: 60, at: ArticleList(query: ArticleQuery(text: " 5*  ARTICLE ")))
        #expect(try await application.screen.title == "Articles matching “5…” and “ARTICLE”")
        let found = try await numbers(application)
        #expect(found == [59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 5])
        try await application.send(.open(.article("article-50")))
        try await application.choose("next-article")
        #expect(application.place == "/articles/article-5")
        try await application.back()
    }

    @Test("The number of articles is counted again when the list is shown again")
    func counts() async throws {
        let application = try await reader(of: 60)
        #expect(try await application.screen.list?.total == 60)
        for (count, place) in [(61, AppRoute.article("article-1")), (62, .account), (63, .importing)] {
            try await application.seed(count)
            try await application.coordinator.start(at: place)
            _ = try await application.screen
            try await application.back()
            #expect(try await application.screen.list?.total == count)
        }
    }

    @Test("Rows are read again when they are drawn again, also those that were loading when the list was left")
    func rowsAgain() async throws {
        let application = try await reader(of: 120)
        try await application.send(.moreRowsWanted)
        #expect(try await numbers(application).count == 100)
        try await application.delete("article-119")
        #expect(try await numbers(application).prefix(2) == [120, 118])
        try await application.send(.firstRowsWanted)
        try await application.delete("article-117")
        try await application.send(.open(.article("article-120")))
        _ = try await application.screen
        try await application.back()
        #expect(try await numbers(application).prefix(3) == [120, 118, 116])
    }

    @Test("The count of earlier articles is never negative, whatever is published in the meantime")
    func publishedMeanwhile() async throws {
        let application = try await reader(of: 300, at: ArticleList(limit: 200))
        _ = try await application.screen
        try await application.send(.moreRowsWanted)
        #expect(try await application.screen.list?.offset == 50)
        try await application.seed(420)
        for _ in 0..<2 { try await application.send(.earlierRowsWanted) }
        #expect(try await application.screen.list?.offset == 0)
        #expect(try await application.screen.list?.earlier != nil)
    }

    @Test("Rows are not counted while the list is scrolled, because counting costs more")
    func keepsCount() async throws {
        let application = try await reader(of: 420)
        #expect(try await application.screen.list?.total == 420)
        try await application.seed(421)
        try await application.send(.moreRowsWanted)
        #expect(try await application.screen.list?.total == 420)
        try await application.send(.lastRowsWanted)
        #expect(try await application.screen.list?.total == 421)
    }

    @Test("A front that shows no total does not count")
    func uncounted() async throws {
        let application = try await reader(of: 60)
        let front = ApplicationCoordinator(
            auth: application.auth, articles: application.articles, tokens: application.tokens, client: "pipe",
            origin: .test, countsLists: false)
        try await front.start(at: .articles())
        guard case .list(let list) = try await front.screen().content else {
            throw Application.Missing(what: "a list", on: "/")
        }
        #expect(list.total == nil && list.rows.count == 50)
    }
}

@Suite("An article of a list")
struct ArticleTests {
    /// Opens an article from a list and goes on to the end.
    private func walk(_ action: String, from slug: String, in query: ArticleQuery) async throws -> [String] {
        let application = try await Application()
        try await application.seed(4)
        try await application.articles.upsert(
            ArticleDraft(
                slug: "other", title: "Article 2 and a half", authors: ["Béla"], body: "B",
                published: Date(timeIntervalSince1970: 2 * 86_400), tags: ["c"]))
        try await application.register()
        try await application.coordinator.start(at: .articles(ArticleList(query: query)))
        try await application.logIn()
        let stack = application.stack
        try await application.send(.open(.article(ArticleReference(slug))))
        var slugs: [String] = []
        var place = application.place
        while slugs.count < 10 {
            try await application.choose(action)
            #expect(application.stack.dropLast() == stack[...])
            if application.place == place { break }
            place = application.place
            slugs.append(String(place.dropFirst("/articles/".count)))
        }
        #expect(place.hasSuffix(slugs.last ?? slug))
        #expect(try await application.hasSucceeded)
        try await application.back()
        #expect(application.stack == stack)
        return slugs
    }

    @Test("Next and previous follow the order of the list, to its ends")
    func neighbours() async throws {
        let next = "next-article"
        let previous = "previous-article"
        // On the same day, the higher number is the newer article.
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

    @Test("An article outside the list has the neighbors it would have there, within its dates")
    func stranger() async throws {
        #expect(
            try await walk("next-article", from: "other", in: ArticleQuery(tag: "swift")) == ["article-2", "article-1"])
        #expect(
            try await walk("previous-article", from: "other", in: ArticleQuery(tag: "swift"))
                == ["article-3", "article-4"])
        let recent = ArticleQuery(since: Date(timeIntervalSince1970: 3 * 86_400))
        #expect(try await walk("previous-article", from: "article-1", in: recent) == [])
        #expect(try await walk("next-article", from: "article-1", in: recent) == [])
        #expect(try await walk("previous-article", from: "article-3", in: recent) == ["article-4"])
        let early = ArticleQuery(until: Date(timeIntervalSince1970: 3 * 86_400))
        #expect(try await walk("next-article", from: "article-3", in: early) == [])
        #expect(try await walk("next-article", from: "article-4", in: early) == [])
        #expect(try await walk("next-article", from: "article-2", in: early) == ["article-1"])
    }

    @Test("Of two lists below an article, the nearer one determines its neighbors")
    func nearerList() async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        try application.coordinator.navigator.perform(
            .show([
                .articles(), .articles(ArticleList(query: ArticleQuery(sort: .oldest))), .article("article-2"),
            ]))
        try await application.choose("next-article")
        #expect(application.place == "/articles/article-3")
    }

    @Test("A slug that is another's number does not lead to that other")
    func numericSlug() async throws {
        let application = try await Application()
        try await application.articles.upsert(
            (["2", "1", "3"] as [String]).enumerated().map { index, slug in
                ArticleDraft(
                    slug: slug, title: "Slug \(slug)", body: "B",
                    published: Date(timeIntervalSince1970: Double(index) * 86_400))
            })
        try await application.register()
        try await application.coordinator.start()
        try await application.choose("log-in")
        try await application.logIn()
        try await application.chooseRow("Slug 3")
        var titles = [try await application.screen.title]
        for _ in 0..<2 {
            try await application.choose("next-article")
            titles.append(try await application.screen.title)
        }
        #expect(titles == ["Slug 3", "Slug 1", "Slug 2"])
    }

    @Test(
        "A link in the text leads to the named article, in the forms of sites and folders",
        arguments: [
            ("/articles/article-3", true), ("article-3", true), ("../posts/article-3.md", true),
            ("/blog/article-3/?utm=1#top", true), ("/blog/article%2D3/", true), ("./article-3.html#x", true),
            ("../a:b/article-3", true), ("/articles/none", false), ("", false), ("#article-3", false), ("%", false),
            ("/", false),
        ])
    func links(link: String, leads: Bool) async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        try await application.send(.linkFollowed(link))
        #expect(application.stack.last == (leads ? "/articles/article-3" : "/articles/article-1"))
        let error = try await application.screen.notice?.error as? ArticleError
        #expect(error == (leads ? nil : .noArticle(ArticleReference(link))))
    }

    @Test(
        "A link to another site is an outside link, whatever its last part",
        arguments: [
            "https://example.org/article-3", "//example.org/article-3", "//article-3", "mailto:article-3",
            "ftp:/article-3", "https:article-3#top", "HTTPS://example.org:80/", "javascript:article-3",
        ])
    func elsewhere(link: String) async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        try await application.send(.linkFollowed(link))
        #expect(application.place == "/articles/article-1")
        #expect(try await application.screen.notice?.error as? ArticleError == .elsewhere(link))
    }

    @Test(
        "A link leads to an article of its source: by its file, its address, or its site",
        arguments: [
            ("b.md", "second"), ("../2020/./b.md?plain#top", "second"), ("/2020/b.md", "second"), ("b", "second"),
            ("/notes/c", "third"), ("../notes/c/", "third"), ("../../../notes/c/index.md", "third"),
            ("https://blog.example/feed/entry?id=4#x", "fourth"), ("//blog.example/feed/entry?id=4", "fourth"),
            ("/feed/entry?id=4", "fourth"), ("HTTPS://BLOG.example/somewhere/second.html", "second"),
            ("Second", "second"), ("a/F%C3%AFrst", "first"), ("Second.md#part", "second"),
        ])
    func linksOfSource(link: String, leadsTo slug: String) async throws {
        let application = try await Self.blog()
        try await application.send(.linkFollowed(link))
        #expect(application.stack.last == "/articles/\(slug)")
    }

    @Test(
        "A link without an article in the source leads out, with its whole address",
        arguments: [
            ("c.md", "https://blog.example/c.md"), ("/2021/", "https://blog.example/2021/"),
            ("/x/elsewhere", "https://blog.example/x/elsewhere"),
            ("https://other.example/second", "https://other.example/second"),
        ])
    func linksOutOfSource(link: String, address: String) async throws {
        let application = try await Self.blog()
        try await application.send(.linkFollowed(link))
        #expect(application.place == "/articles/first")
        #expect(try await application.screen.notice?.error as? ArticleError == .elsewhere(address))
    }

    @Test(
        "A link to the article's own site leads there, if the source does not name a site",
        arguments: [
            ("/about", "https://blog.example/about"), ("../feed.xml", "https://blog.example/feed.xml"),
        ])
    func linksOfSite(link: String, address: String) async throws {
        let application = try await Application()
        try await application.articles.upsert([
            ArticleDraft(slug: "x", title: "X", body: "Text", sourceURL: "https://blog.example/posts/x")
        ])
        try await application.register()
        try await application.coordinator.start(at: .article("x"))
        try await application.logIn()
        try await application.send(.linkFollowed(link))
        #expect(try await application.screen.notice?.error as? ArticleError == .elsewhere(address))
    }

    /// Returns an application at the first article of a blog, with an article of another source.
    private static func blog() async throws -> Application {
        let application = try await Application()
        func draft(_ key: ExactText, _ slug: String) -> ArticleDraft {
            ArticleDraft(key: key, slug: slug, title: slug, body: "Text")
        }
        try await application.articles.upsert(
            [
                draft("2020/a.md", "first"), draft("2020/b.md", "second"), draft("notes/c/index.md", "third"),
                draft("https://blog.example/feed/entry?id=4", "fourth"),
            ], into: SourceFacts(name: "blog", kind: .folder, home: "https://blog.example/"))
        try await application.articles.upsert([draft("elsewhere", "elsewhere")])
        try await application.register()
        try await application.coordinator.start(at: .article("first"))
        try await application.logIn()
        return application
    }

    @Test("The original is an outside link, and is offered if it is on the web")
    func original() async throws {
        let application = try await Application()
        let drafts = ["https://example.org/x", nil].map { url in
            ArticleDraft(
                key: ExactText(url ?? "b"), slug: url == nil ? "b" : "a", title: "T", body: "Text", sourceURL: url)
        }
        try await application.articles.upsert(drafts)
        try await application.register()
        try await application.coordinator.start(at: .article("a"))
        try await application.logIn()
        try await application.choose("original")
        #expect(application.place == "/articles/a")
        #expect(
            try await application.screen.notice?.error as? ArticleError == .elsewhere("https://example.org/x"))
        try await application.send(.linkFollowed("b"))
        #expect(try await application.screen.actions.allSatisfy { $0.purpose != .original })
    }

    @Test("A link leads to another article, and back")
    func link() async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        try await application.send(.linkFollowed("article-3"))
        try await application.choose("next-article")
        #expect(application.stack == ["/library", "/articles", "/articles/article-1", "/articles/article-2"])
        try await application.back()
        #expect(application.stack == ["/library", "/articles", "/articles/article-1"])
    }

    @Test("If the article is deleted in the meantime, going on says so and stays")
    func deleted() async throws {
        let application = try await Application()
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: .article("article-2"))
        try await application.logIn()
        try await application.delete("article-2")
        try await application.send(.nextArticleChosen)
        #expect(application.stack == ["/library", "/articles", "/articles/article-2"])
        try await application.back()
        #expect(try await application.screen.list?.rows.count == 2)
    }
}

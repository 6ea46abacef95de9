import Text
import ArticleStore
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("ArticleLog contract")
struct ArticleLogTests {
    private let clock = TestClock()

    private func draft(_ key: String, _ body: String = "Body.") -> ArticleDraft {
        ArticleDraft(key: ExactText(key), title: "Title of \(key)", body: body)
    }

    @Test("A copy that follows the changes in parts becomes equal to the library", arguments: StoreEngine.allCases)
    func copy(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: clock)
        defer { withExtendedLifetime(stores) {} }
        let articles = stores.articles
        var copy: [Int64: Article] = [:]
        var position: LogPosition?
        func follow() async throws {
            var goesOn = true
            while goesOn {
                let changes = try await articles.changes(after: position, limit: 3)
                #expect(changes.articles.count + changes.gone.count <= 3)
                for article in changes.articles { copy[article.id] = article }
                for id in changes.gone { copy[id] = nil }
                (position, goesOn) = (changes.position, changes.goesOn)
            }
            let now = try await articles.articles(ArticleQuery(), after: nil, limit: 1000).articles
            #expect(copy == Dictionary(uniqueKeysWithValues: now.map { ($0.id, $0) }))
        }
        try await follow()
        let ids = try await articles.upsert((0..<7).map { draft("k\($0)") }, into: .library).map(\.id)
        try await follow()
        try await articles.upsert(draft("k1", "Another body."))
        try await articles.delete(id: ids[2])
        try await articles.delete(id: ids[6])
        try await articles.upsert((7..<11).map { draft("k\($0)") }, into: .library)
        try await follow()
        // An article that came and went between two requests is not reported.
        let brief = try await articles.upsert(draft("brief"))
        try await articles.delete(id: brief.id)
        let changes = try await articles.changes(after: position, limit: 9)
        #expect(changes.articles.isEmpty && changes.gone.isEmpty && !changes.goesOn)
        try await follow()
        try await articles.upsert(draft("k1", "Another body."))
        #expect(try await articles.changes(after: position, limit: 9).articles.isEmpty)
    }

    @Test("Renaming a source is a change of its articles")
    func renamed() async throws {
        let stores = try await StoreEngine.sqlite.open(clock: clock)
        defer { withExtendedLifetime(stores) {} }
        let articles = stores.articles
        try await articles.upsert((0..<2).map { draft("k\($0)") }, into: .init(name: "old", kind: .stream))
        let position = try await articles.changes(after: nil, limit: 9).position
        _ = try await articles.renameSource("old", to: "new")
        #expect(try await articles.changes(after: position, limit: 9).articles.map(\.source.name) == ["new", "new"])
    }

    @Test("A position of another library is refused", arguments: StoreEngine.allCases)
    func anotherLibrary(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: clock)
        defer { withExtendedLifetime(stores) {} }
        let articles = stores.articles
        let position = try await articles.changes(after: nil, limit: 1).position
        for other in [
            LogPosition(copy: "another", article: 0, change: 0),
            LogPosition(copy: position.copy, article: 0, change: position.change + 1),
        ] {
            await #expect(throws: ArticleLogError.anotherLibrary) {
                _ = try await articles.changes(after: other, limit: 1)
            }
        }
    }

    @Test(
        "Arrival times are unique and increase, even if the clock goes back",
        arguments: StoreEngine.allCases)
    func arrivals(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: clock)
        defer { withExtendedLifetime(stores) {} }
        let articles = stores.articles
        var ids: [Int64] = []
        var starts: [Arrival] = []
        for (round, step) in [0.0, 60, -30, 60].enumerated() {
            clock.advance(by: step)
            starts.append(Arrival(clock.now))
            ids += try await articles.upsert((0..<3).map { draft("\(round)-\($0)") }, into: .library).map(\.id)
        }
        let arrivals = try await articles.arrivals(of: ids + [99])
        #expect(arrivals.count == ids.count)
        let times = ids.compactMap { arrivals[$0] }
        #expect(times == times.sorted() && Set(times).count == ids.count)
        #expect(times[0] == starts[0] && times[3] == starts[1] && times[9] == starts[3])
        #expect(try await articles.firstArticle(since: Arrival(microseconds: 0)) <= ids[0])
        for (index, time) in times.enumerated() {
            #expect(try await articles.firstArticle(since: time) == ids[index])
            let later = try await articles.firstArticle(since: Arrival(microseconds: time.microseconds + 1))
            #expect(later > ids[index] && (index + 1 == ids.count || later <= ids[index + 1]))
        }
        #expect(try await articles.firstArticle(since: Arrival(.distantFuture)) > ids[11])
    }

    @Test("A list can be limited to articles that arrived in a period", arguments: StoreEngine.allCases)
    func numbers(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: clock)
        defer { withExtendedLifetime(stores) {} }
        let articles = stores.articles
        let ids = try await articles.upsert(
            (0..<9).map { draft("k\($0)", $0 % 2 == 0 ? "even" : "odd") }, into: .library
        ).map(\.id)
        for text in [nil, "even"] {
            var query = ArticleQuery(text: text, sort: .title)
            query.numbers = ids[2]..<ids[7]
            let expected = (2..<7).filter { text == nil || $0 % 2 == 0 }.map { ids[$0] }
            let page = try await articles.list(query, after: nil, limit: 2)
            let rest = try await articles.list(query, after: page.next, limit: 9)
            #expect((page.summaries + rest.summaries).map(\.id) == expected)
            #expect(try await articles.count(query) == expected.count)
            var other = query
            other.numbers = ids[2]..<ids[8]
            await #expect(throws: CursorError.self) { _ = try await articles.list(other, after: page.next, limit: 9) }
        }
    }
}

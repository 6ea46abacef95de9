import ArticleStore
import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Contract of the settings of sources")
struct SourceSettingsTests {
    private static let day = 86_400.0

    /// A library with two users and a subscribed source.
    private struct Library {
        let clock = TestClock()
        let stores: Stores
        let source: Source
        let ada: Int64
        let bob: Int64

        init(_ engine: StoreEngine) async throws {
            stores = try await engine.open(clock: clock)
            source = try await stores.articles.write { try $0.insert(SourceFacts(name: "feed", kind: .feed), uid: nil) }
            try await stores.subscriptions.insert([
                Subscription(source: source.id, address: "https://example.org/feed", nextFetch: clock.now)
            ])
            (ada, bob) = (try await stores.user("ada").id, try await stores.user("bob").id)
        }

        /// Adds articles of this age in days, and returns their numbers.
        func add(_ ages: [Int], to name: String = "feed") async throws -> [Int64] {
            let drafts = ages.map { age in
                ArticleDraft(
                    key: ExactText("key \(age)"), title: "Title \(age)", body: "B.",
                    published: clock.now.addingTimeInterval(-day * Double(age)), tags: ["tag"])
            }
            return try await stores.articles.upsert(drafts, into: SourceFacts(name: name, kind: .feed)).map(\.id)
        }

        func mark(_ change: MarkChange, _ articles: [Int64], by users: Int64...) async throws {
            for user in users {
                try await stores.marks.change(change, of: .ids(articles), by: user, at: clock.now)
            }
        }

        func read(by user: Int64) async throws -> [Int64] {
            let all = try await stores.articles.list(ArticleQuery(sort: .oldest), after: nil, limit: 100).summaries.map(
                \.id)
            let read = try await stores.marks.marks(of: all, by: user).filter(\.value.read.value).keys.sorted()
            // The counts must agree with the marks.
            let counts = try await stores.marks.readCounts(of: user)
            #expect(counts.sources.values.reduce(0, +) == read.count)
            #expect(counts.tags.values.reduce(0, +) == read.count)
            #expect(try await stores.marks.counts(of: user).unread == all.count - read.count)
            return read
        }

        /// Removes what the source does not keep, and returns the ages of the articles that stay.
        func remove(keeping retention: Retention) async throws -> [String] {
            try await stores.articles.removeExpiredArticles(of: [source.id: retention])
            let page = try await stores.articles.list(ArticleQuery(sort: .newest), after: nil, limit: 100)
            return page.summaries.map { String($0.title.dropFirst(6)) }
        }
    }

    @Test("New articles of a quiet source are read for its user, and for nobody else", arguments: StoreEngine.allCases)
    func quiet(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (ada, bob) = (library.ada, library.bob)
        let old = try await library.add([9])
        try await library.stores.subscriptions.setQuiet(true, [library.source.id], by: ada)
        let new = try await library.add([2, 1, 0])
        let other = try await library.add([5], to: "other")
        #expect(try await library.read(by: ada) == new)
        #expect(try await library.read(by: bob).isEmpty)

        // The change is in the log, and it does not count as reading.
        let changes = try await library.stores.marks.changes(of: ada, after: 0, limit: 9)
        #expect(changes.marks.keys.sorted() == new)
        #expect(changes.marks.values.allSatisfy { $0.read == .init(true) })
        #expect(try await library.stores.marks.changes(of: bob, after: 0, limit: 9).marks.isEmpty)
        #expect(try await library.stores.marks.readDays(of: ada).isEmpty)

        // The user decides about each article, and an update does not change that.
        try await library.mark(.read(false), [new[1]], by: ada)
        let position = try await library.stores.marks.changes(of: ada, after: changes.position, limit: 9).position
        #expect(position > changes.position)
        let draft = ArticleDraft(key: "key 1", title: "Title 1", body: "Changed.", tags: ["tag"])
        try await library.stores.articles.upsert(draft, into: SourceFacts(name: "feed", kind: .feed))
        #expect(try await library.read(by: ada) == [new[0], new[2]])

        try await library.stores.subscriptions.setQuiet(false, [library.source.id], by: ada)
        _ = try await library.add([3])
        #expect(try await library.read(by: ada) == [new[0], new[2]])
        #expect(Set(old + other).isDisjoint(with: try await library.read(by: ada)))
    }

    @Test(
        "A changed article becomes unread for those who have read it and need to know", arguments: StoreEngine.allCases)
    func unread(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (ada, bob) = (library.ada, library.bob)
        let eve = try await library.stores.user("eve").id
        let ids = try await library.add([2, 1, 0])
        try await library.mark(.read(true), [ids[0], ids[1]], by: ada)
        try await library.mark(.starred(true), [ids[0]], by: ada)
        // Bob has read all articles at once, and Eve does not want to hear of the source.
        try await library.stores.marks.change(.read(true), of: .all, by: bob, at: library.clock.now)
        try await library.stores.marks.change(.read(true), of: .all, by: eve, at: library.clock.now)
        try await library.stores.subscriptions.setQuiet(true, [library.source.id], by: eve)
        let before = try await library.stores.marks.changes(of: ada, after: 0, limit: 9).position
        library.clock.advance(by: 60)
        try await library.stores.articles.write { writer in
            try writer.markUnread(ids[0])
            try writer.markUnread(ids[2])
        }
        #expect(try await library.read(by: ada) == [ids[1]])
        #expect(try await library.read(by: bob) == [ids[1]])
        #expect(try await library.read(by: eve) == ids)
        let changes = try await library.stores.marks.changes(of: ada, after: before, limit: 9)
        #expect(changes.marks.keys.sorted() == [ids[0]])
        // The time decides between devices.
        #expect(changes.marks[ids[0]]?.read == .init(false, changed: library.clock.now))
        #expect(changes.marks[ids[0]]?.starred.value == true)
    }

    @Test("A source keeps its newest articles, or those of the last days", arguments: StoreEngine.allCases)
    func retention(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let ids = try await library.add([9, 7, 5, 3, 1, 0])
        _ = try await library.add([20], to: "other")
        try await library.stores.marks.change(.read(true), of: .all, by: library.ada, at: library.clock.now)
        try await library.mark(.read(true), ids, by: library.bob)
        #expect(try await library.remove(keeping: .all) == ["0", "1", "3", "5", "7", "9", "20"])
        #expect(try await library.remove(keeping: .newest(6)) == ["0", "1", "3", "5", "7", "9", "20"])
        #expect(try await library.remove(keeping: .newest(5)) == ["0", "1", "3", "5", "7", "20"])
        #expect(try await library.remove(keeping: .days(5)) == ["0", "1", "3", "5", "20"])
        #expect(try await library.remove(keeping: .days(4)) == ["0", "1", "3", "20"])
        #expect(try await library.remove(keeping: .newest(1)) == ["0", "20"])
        #expect(try await library.remove(keeping: .newest(1)) == ["0", "20"])

        // The feed still contains them, and they do not come back.
        _ = try await library.add([9, 7, 5, 3, 1, 0])
        #expect(try await library.remove(keeping: .all) == ["0", "20"])
        #expect(try await library.stores.articles.articleCounts()[library.source.id] == 1)
        #expect(try await library.read(by: library.ada).count == 2)
    }

    @Test("An article that a user needs stays", arguments: StoreEngine.allCases)
    func needed(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (ada, bob) = (library.ada, library.bob)
        let ids = try await library.add([9, 8, 7, 6, 5, 4, 3, 0])
        let tag = try TagName("own")
        try await library.mark(.read(true), ids, by: ada)
        try await library.mark(.read(true), ids.filter { $0 != ids[0] }, by: bob)
        try await library.mark(.starred(true), [ids[1]], by: bob)
        try await library.mark(.later(true), [ids[2]], by: ada)
        try await library.mark(.note("A note"), [ids[3]], by: bob)
        try await library.mark(.tag(tag, true), [ids[4]], by: ada)
        let edited = try #require(try await library.stores.articles.article(id: ids[5]))
        let draft = ArticleDraft(key: edited.key, title: "Title 4", body: "Edited.", published: edited.published)
        _ = try await library.stores.articles.edit(edited, into: draft)
        #expect(try await library.remove(keeping: .newest(1)) == ["0", "4", "5", "6", "7", "8", "9"])

        try await library.mark(.read(true), [ids[0]], by: bob)
        try await library.mark(.starred(false), [ids[1]], by: bob)
        try await library.mark(.later(false), [ids[2]], by: ada)
        try await library.mark(.note(nil), [ids[3]], by: bob)
        try await library.mark(.tag(tag, false), [ids[4]], by: ada)
        // A new user has not read anything yet.
        let eve = try await library.stores.user("eve")
        #expect(try await library.remove(keeping: .newest(1)) == ["0", "4", "5", "6", "7", "8", "9"])
        try await library.stores.delete(eve)
        #expect(try await library.remove(keeping: .newest(1)) == ["0", "4"])
    }

    @Test("In a library without users, all articles stay", arguments: StoreEngine.allCases)
    func unattended(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let source = SourceFacts(name: "feed", kind: .feed)
        let drafts = (1...3).map { ArticleDraft(key: "\($0)", title: "Title \($0)", body: "B.") }
        try await stores.articles.upsert(drafts, into: source)
        let sources = try await stores.articles.sources().map { ($0.id, Retention.newest(1)) }
        #expect(try await stores.articles.removeExpiredArticles(of: Dictionary(uniqueKeysWithValues: sources)) == 0)
        let user = try await stores.user("ada")
        try await stores.marks.change(.read(true), of: .all, by: user.id, at: Date(timeIntervalSince1970: 0))
        #expect(try await stores.articles.removeExpiredArticles(of: Dictionary(uniqueKeysWithValues: sources)) == 2)
    }

    @Test(
        "All articles that a source does not keep are removed, however many they are", arguments: StoreEngine.allCases)
    func many(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let ids = try await library.add(Array(0..<1002))
        try await library.mark(.read(true), ids, by: library.ada, library.bob)
        let sources = [library.source.id: Retention.newest(2)]
        #expect(try await library.stores.articles.removeExpiredArticles(of: sources) == 1000)
        #expect(try await library.stores.articles.articleCounts()[library.source.id] == 2)
    }

    @Test(
        "A retention is all, a number of articles, or a number of days",
        arguments: [
            ("all", Retention.all), ("1", .newest(1)), ("1000000", .newest(1_000_000)), ("30d", .days(30)), ("", nil),
            ("0", nil), ("0d", nil), ("d", nil), ("-1", nil), ("+1", nil), ("1000001", nil), ("3 d", nil), ("3D", nil),
            ("alld", nil), ("99999999999999999999", nil), ("٣", nil),
        ] as [(String, Retention?)])
    func text(text: String, retention: Retention?) {
        #expect(Retention(text) == retention)
        if let retention { #expect(retention.description == text) }
    }
}

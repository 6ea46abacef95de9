import ArticleStore
import AuthService
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Saved searches")
struct SavedSearchTests {
    @Test("A saved search keeps its filters, its order, and its relative dates")
    func text() throws {
        var query = ArticleQuery(
            text: "swift after:7d \"a=b&c\"", source: "Café & Co", since: Date(timeIntervalSince1970: 1_700_000_000),
            marks: MarkCondition(userID: 7, isRead: false, tag: "für später"), sort: .oldest)
        query.numbers = 1..<5
        let search = SavedSearch(name: try TagName("Swift"), query: query)
        #expect(search.text.allSatisfy { $0.isASCII && $0 != " " })
        let stored = try #require(SavedSearch(storedName: "Swift", text: search.text))
        #expect(stored == search)
        query.numbers = nil
        query.marks.userID = nil
        #expect(stored.saved == query)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(stored.query(at: time).text == SearchQuery.dated("swift after:7d \"a=b&c\"", now: time))
        #expect(stored.query(at: time).text != query.text)
        #expect(SavedSearch(storedName: "Swift", text: "colour=red") == nil)
        #expect(SavedSearch(storedName: "Swift", text: "sort=colour") == nil)
    }

    @Test("A user's searches are saved, replaced, renamed, and removed by name", arguments: StoreEngine.allCases)
    func contract(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (ada, bob) = try await (stores.user("ada").id, stores.user("bob").id)
        func search(_ name: String, _ text: String) throws -> SavedSearch {
            SavedSearch(name: try TagName(name), query: ArticleQuery(text: text))
        }
        let marks = stores.marks
        #expect(try await marks.savedSearches(of: ada).isEmpty)
        #expect(try await marks.save(search("Zebra", "a"), of: ada))
        #expect(try await marks.save(search("ångström", "b"), of: ada))
        #expect(try await !marks.save(search("ZEBRA", "c"), of: ada))
        #expect(try await marks.save(search("Zebra", "d"), of: bob))
        #expect(try await marks.savedSearches(of: ada) == [search("ångström", "b"), search("ZEBRA", "c")])
        #expect(try await marks.savedSearches(of: ada).map(\.name.name) == ["ångström", "ZEBRA"])
        await #expect(throws: SavedSearchError.nameIsTaken(try TagName("zebra"))) {
            try await marks.renameSavedSearch(TagName("Ångström"), to: TagName("zebra"), of: ada)
        }
        #expect(try await marks.renameSavedSearch(TagName("zebra"), to: TagName("Zebra"), of: ada))
        #expect(try await marks.renameSavedSearch(TagName("zebra"), to: TagName("Animal"), of: ada))
        #expect(try await !marks.renameSavedSearch(TagName("zebra"), to: TagName("Animal"), of: ada))
        #expect(try await marks.savedSearches(of: ada) == [search("ångström", "b"), search("Animal", "c")].sorted())
        #expect(try await marks.removeSavedSearch(TagName("animal"), of: ada))
        #expect(try await !marks.removeSavedSearch(TagName("animal"), of: ada))
        #expect(try await marks.savedSearches(of: ada) == [search("ångström", "b")])
        #expect(try await marks.savedSearches(of: bob) == [search("Zebra", "d")])
        #expect(try await !marks.save(search("Nobody", "a"), of: bob + 1))
        #expect(try await marks.savedSearches(of: bob + 1).isEmpty)
    }

    @Test("A user can save a limited number of searches", arguments: StoreEngine.allCases)
    func limit(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        for number in 1...SavedSearch.most {
            _ = try await stores.marks.save(.init(name: TagName("\(number)"), query: ArticleQuery()), of: user)
        }
        let other = SavedSearch(name: try TagName("other"), query: ArticleQuery())
        await #expect(throws: SavedSearchError.tooMany) { try await stores.marks.save(other, of: user) }
        let replacing = SavedSearch(name: try TagName("1"), query: ArticleQuery(author: "Ada"))
        #expect(try await !stores.marks.save(replacing, of: user))
        #expect(try await stores.marks.savedSearches(of: user).count == SavedSearch.most)
    }

    @Test("Each search counts its unread articles", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        let drafts = (1...5).map {
            ArticleDraft(key: "a\($0)", title: $0 < 4 ? "Swift \($0)" : "Rust \($0)", body: "B.")
        }
        let ids = try await stores.articles.upsert(drafts, into: .library).map(\.id)
        let marker = ArticleMarker(
            articles: stores.articles, marks: stores.marks, userID: user, refusal: nil, clock: { Date() })
        _ = try await marker.change([.read(true)], of: .query(ArticleQuery(text: "2")))
        for (name, query) in [
            ("All", ArticleQuery()), ("Swift", ArticleQuery(text: "swift")),
            ("Read", ArticleQuery(marks: MarkCondition(isRead: true))), ("None", ArticleQuery(text: "none")),
        ] { try await marker.save(SavedSearch(name: TagName(name), query: query)) }
        let listed = try await LibraryLister(articles: stores.articles, marks: stores.marks, userID: user)
            .searches(at: Date())
        #expect(listed.map(\.search.name.name) == ["All", "None", "Read", "Swift"])
        #expect(listed.map(\.unread) == [4, 0, 0, 2])
        #expect(listed.map(\.newest) == [ids[4], nil, nil, ids[2]])
        #expect(try await stores.marks.savedSearches(of: user).count == 4)
        #expect(try await marker.query(ofSavedSearch: "SWIFT").marks.userID == user)
        await #expect(throws: SavedSearchError.noSearch("c++")) { try await marker.query(ofSavedSearch: "c++") }
    }

    @Test("Searches for whose counts there is no time left have no number", arguments: StoreEngine.allCases)
    func late(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try await stores.articles.upsert(ArticleDraft(key: "a", title: "Swift", body: "B."), into: .library).id
        let queries = [ArticleQuery(text: "swift"), ArticleQuery(), ArticleQuery(text: "none")]
        for (time, expected) in [(Duration.zero, [nil, nil, nil]), (.seconds(3_600), [[id], [id], []])] {
            #expect(
                try await stores.articles.numbers(ofEach: queries, latestFirst: true, limit: 10, within: time)
                    == expected)
        }
        let user = try await stores.user("ada").id
        _ = try await stores.marks.save(SavedSearch(name: TagName("Swift"), query: queries[0]), of: user)
        let lister = LibraryLister(articles: stores.articles, marks: stores.marks, userID: user)
        #expect(try await lister.searches(at: Date(), within: .zero).map(\.unreadText) == ["?"])
        #expect(try await lister.searches(at: Date(), within: .seconds(3_600)).map(\.unreadText) == ["1"])
    }

    @Test("A saved list of a source follows the source when it is renamed", arguments: StoreEngine.allCases)
    func renamedSource(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        let marker = ArticleMarker(
            articles: stores.articles, marks: stores.marks, userID: user, refusal: nil, clock: { Date() })
        for name in ["News", "Other"] {
            _ = try await stores.articles.upsert(
                ArticleDraft(key: "a", title: name, body: "B."), into: SourceFacts(name: name, kind: .feed))
        }
        for (name, source) in [("Mine", "news"), ("Theirs", "Other")] {
            try await marker.save(
                SavedSearch(name: TagName(name), query: ArticleQuery(text: "is:unread", source: source)))
        }
        func sources() async throws -> [String?] { try await marker.savedSearches().map(\.saved.source) }
        try await stores.articles.renameSource("News", to: "Daily & News")
        try await stores.articles.renameSource("Other", to: "News")
        #expect(try await sources() == ["Daily & News", "News"])
        let query = try await marker.query(ofSavedSearch: "Mine")
        #expect(query.text == "is:unread")
        // A saved search can be saved again under the present name of its source.
        let mine = try await marker.savedSearch(named: "Mine")
        try await marker.save(SavedSearch(name: mine.name, query: mine.saved))
        #expect(try await sources() == ["Daily & News", "News"])
        // Without the source, the list remains, and is empty.
        _ = try await stores.articles.removeSources(["Daily & News"])
        #expect(try await marker.savedSearches().count == 2)
        await #expect(throws: SourceError.self) { try await marker.save(mine) }
    }

    @Test("A caller that may only read changes no saved search")
    func refusal() async throws {
        let stores = try await StoreEngine.memory.open()
        let user = try await stores.user("ada").id
        let search = SavedSearch(name: try TagName("Swift"), query: ArticleQuery(text: "swift"))
        _ = try await stores.marks.save(search, of: user)
        let marker = ArticleMarker(
            articles: stores.articles, marks: stores.marks, userID: user, refusal: AuthError.outOfScope,
            clock: { Date() })
        await #expect(throws: AuthError.outOfScope) { try await marker.save(search) }
        await #expect(throws: AuthError.outOfScope) { try await marker.renameSavedSearch("swift", to: TagName("a")) }
        await #expect(throws: AuthError.outOfScope) { try await marker.removeSavedSearch("swift") }
        #expect(try await marker.savedSearches() == [search])
    }
}

extension [SavedSearch] {
    fileprivate func sorted() -> [SavedSearch] { sorted { $0.name < $1.name } }
}

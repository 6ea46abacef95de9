import Text
import ArticleStore
import AuthService
import Database
import FoundationEssentials
import StoreEngines
import Testing

@Suite("MarkLog contract")
struct MarkLogTests {
    @Test("A copy that follows the changes has the marks of its reader", arguments: StoreEngine.allCases)
    func copy(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (ada, bob) = (try await stores.user("ada").id, try await stores.user("bob").id)
        let drafts = (0..<5).map { ArticleDraft(key: ExactText("k\($0)"), title: "T", body: "B.") }
        let ids = try await stores.articles.upsert(drafts, into: .library).map(\.id)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        var copy: [Int64: ArticleMarks] = [:]
        var position: Int64 = 0
        func follow() async throws {
            var goesOn = true
            while goesOn {
                let changes = try await stores.marks.changes(of: ada, after: position, limit: 2)
                #expect(changes.marks.count <= 2)
                copy.merge(changes.marks) { $1 }
                (position, goesOn) = (changes.position, changes.goesOn)
            }
            let now = try await stores.marks.marks(of: ids, by: ada).filter { !$0.value.isEmpty }
            #expect(copy == now)
        }
        func change(_ change: MarkChange, _ places: Int..., by user: Int64) async throws {
            try await stores.marks.change(change, of: .ids(places.map { ids[$0] }), by: user, at: time)
        }
        try await follow()
        try await change(.starred(true), 0, 1, 2, by: ada)
        try await change(.read(true), 3, by: bob)
        try await change(.note("A note"), 4, by: ada)
        try await follow()
        let tag = try TagName("tag")
        try await change(.tag(tag, true), 2, 3, by: ada)
        try await change(.read(true), 2, by: ada)
        try await change(.tag(tag, false), 3, by: ada)
        try await change(.readingPosition(500), 1, by: ada)
        try await follow()
        #expect(copy[ids[3]]?.removedTags.map(\.value) == [tag])
        // Nothing is reported twice, nor to another user.
        #expect(try await stores.marks.changes(of: ada, after: position, limit: 9).marks.isEmpty)
        #expect(try await stores.marks.changes(of: bob, after: 0, limit: 9).marks.keys.sorted() == [ids[3]])
        // Deleting an article deletes its marks.
        try await stores.articles.delete(id: ids[0])
        copy[ids[0]] = nil
        try await follow()
    }

    @Test("A tag that one device removed later than another added it stays removed", arguments: StoreEngine.allCases)
    func tags(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ada = try await stores.user("ada").id
        let id = try await stores.articles.upsert(ArticleDraft(key: "k", title: "T", body: "B.")).id
        let tag = try TagName("tag")
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        let now = time.addingTimeInterval(3_600)
        func merge(given: Double? = nil, removed: Double? = nil) async throws -> [TagName] {
            var marks = ArticleMarks()
            if let given { marks.tags = [.init(tag, changed: time.addingTimeInterval(given))] }
            if let removed { marks.removedTags = [.init(tag, changed: time.addingTimeInterval(removed))] }
            try await stores.marks.merge([id: marks], by: ada, at: now)
            return try await stores.marks.marks(of: [id], by: ada)[id]?.tags.map(\.value) ?? []
        }
        #expect(try await merge(given: 10) == [tag])
        #expect(try await merge(removed: 5) == [tag])
        #expect(try await merge(removed: 20) == [])
        #expect(try await merge(given: 15) == [])
        #expect(try await merge(given: 30) == [tag])
        // Of changes at the same time, the last received wins.
        #expect(try await merge(removed: 30) == [])
        #expect(try await merge(given: 30) == [tag])
    }

    @Test("Of changes within one second, the last received wins", arguments: StoreEngine.allCases)
    func withinSecond(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ada = try await stores.user("ada").id
        let id = try await stores.articles.upsert(ArticleDraft(key: "k", title: "T", body: "B.")).id
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        for isStarred in [true, false, true] {
            var marks = ArticleMarks()
            marks.starred = .init(isStarred, changed: time)
            marks.note = .init(isStarred ? "Yes" : nil, changed: time)
            #expect(try await stores.marks.merge([id: marks], by: ada, at: time).articles == 1)
            let now = try await stores.marks.marks(of: [id], by: ada)[id]
            #expect(now?.starred.value == isStarred && (now?.note.value == "Yes") == isStarred)
        }
    }

    @Test("A device whose clock is ahead does not block changes of others", arguments: StoreEngine.allCases)
    func clockAhead(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ada = try await stores.user("ada").id
        let id = try await stores.articles.upsert(ArticleDraft(key: "k", title: "T", body: "B.")).id
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        for (isRead, changed) in [(true, 86_400.0), (true, 86_400), (false, 10)] {
            var marks = ArticleMarks()
            marks.read = .init(isRead, changed: now.addingTimeInterval(changed))
            let later = now.addingTimeInterval(isRead ? 0 : 20)
            try await stores.marks.merge([id: marks], by: ada, at: later)
            let known = try #require(try await stores.marks.marks(of: [id], by: ada)[id])
            #expect(known.read == .init(isRead, changed: min(now.addingTimeInterval(changed), later)))
        }
    }

    @Test("Setting a mark to its current value confirms it with the new time", arguments: StoreEngine.allCases)
    func confirmed(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ada = try await stores.user("ada").id
        let id = try await stores.articles.upsert(ArticleDraft(key: "k", title: "T", body: "B.")).id
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        func merge(_ isRead: Bool, _ later: Double) async throws -> Bool? {
            var marks = ArticleMarks()
            marks.read = .init(isRead, changed: time.addingTimeInterval(later))
            marks.note = .init(isRead ? "Yes" : nil, changed: time.addingTimeInterval(later))
            try await stores.marks.merge([id: marks], by: ada, at: time.addingTimeInterval(3_600))
            let now = try await stores.marks.marks(of: [id], by: ada)[id]
            #expect((now?.note.value == "Yes") == (now?.read.value == true))
            return now?.read.value
        }
        #expect(try await merge(false, 20) == false)
        #expect(try await merge(true, 10) == false)
        #expect(try await merge(true, 30) == true)
        #expect(try await merge(true, 50) == true)
        #expect(try await merge(false, 40) == true)
        #expect(try await stores.marks.counts(of: ada).unread == 0)
        #expect(try await stores.marks.readCounts(of: ada).sources.values.reduce(0, +) == 1)
    }

    @Test("Marking everything as read is reported as one change")
    func allRead() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let ada = try await stores.user("ada").id
        let ids = try await stores.articles.upsert(
            (0..<3).map { ArticleDraft(key: ExactText("k\($0)"), title: "T", body: "B.") }, into: .library
        ).map(\.id)
        #expect(try await stores.marks.changes(of: ada, after: 0, limit: 9).allRead == nil)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try await stores.marks.change(.read(true), of: .all, by: ada, at: time)
        let changes = try await stores.marks.changes(of: ada, after: 0, limit: 9)
        #expect(changes.allRead?.upTo == ids[2] && changes.allRead?.changed == time)
    }
}

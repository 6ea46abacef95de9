import AuthService
import ArticleStore
import StoreEngines
import Testing

@Suite("ReadingStateRepository contract")
struct ReadingStateRepositoryTests {
    @Test("The bookmark of a session is the last one saved in it", arguments: StoreEngine.allCases)
    func bookmark(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("alice")
        let (first, second) = try await (stores.session(1, of: user), stores.session(2, of: user))
        #expect(try await stores.reading.bookmark(ofSession: first) == nil)
        try await stores.reading.saveBookmark("/a", ofSession: first)
        try await stores.reading.saveBookmark("/b\0'🙂", ofSession: first)
        #expect(try await stores.reading.bookmark(ofSession: first) == "/b\0'🙂")
        #expect(try await stores.reading.bookmark(ofSession: second) == nil)
    }

    @Test(
        "A bookmark ends with its session, in every way that a session ends", arguments: StoreEngine.allCases,
        SessionEnd.allCases)
    func bookmarkEnds(engine: StoreEngine, end: SessionEnd) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("alice")
        let session = try await stores.session(1, of: user)
        try await stores.reading.saveBookmark("/a", ofSession: session)
        try await stores.end(session, of: user, by: end)
        #expect(try await stores.reading.bookmark(ofSession: session) == nil)
        // Another session with the same ID begins without it.
        try #require(try await stores.session(1, of: user) == session)
        #expect(try await stores.reading.bookmark(ofSession: session) == nil)
    }

    @Test("Nothing is saved for a missing session or user", arguments: StoreEngine.allCases)
    func nobody(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("alice")
        let session = Stores.sessionID(1)
        try await stores.reading.saveBookmark("/a", ofSession: session)
        try #require(try await stores.session(1, of: user) == session)
        #expect(try await stores.reading.bookmark(ofSession: session) == nil)
        try await stores.reading.savePreferences("dark", ofUser: user.id + 1)
        #expect(try await stores.reading.preferences(ofUser: user.id + 1) == nil)
    }

    @Test(
        "A bookmark that is much too long is refused, and the previous one stays", arguments: StoreEngine.allCases)
    func tooLong(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let session = try await stores.session(1, of: stores.user("alice"))
        let longest = String(repeating: "a", count: 65_536)
        try await stores.reading.saveBookmark(longest, ofSession: session)
        await #expect(throws: (any Error).self) {
            try await stores.reading.saveBookmark(longest + "a", ofSession: session)
        }
        #expect(try await stores.reading.bookmark(ofSession: session) == longest)
    }

    @Test("An appearance belongs to its user, in every session", arguments: StoreEngine.allCases)
    func appearance(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.user("alice"), stores.user("bob"))
        #expect(try await stores.reading.preferences(ofUser: user.id) == nil)
        try await stores.reading.savePreferences("dark", ofUser: user.id)
        try await stores.reading.savePreferences("light", ofUser: user.id)
        #expect(try await stores.reading.preferences(ofUser: user.id) == "light")
        #expect(try await stores.reading.preferences(ofUser: other.id) == nil)
    }

    @Test("Bookmarks and the appearance are deleted with their user", arguments: StoreEngine.allCases)
    func deleted(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("alice")
        let session = try await stores.session(1, of: user)
        try await stores.reading.saveBookmark("/a", ofSession: session)
        try await stores.reading.savePreferences("dark", ofUser: user.id)
        try await stores.delete(user)
        #expect(try await stores.reading.bookmark(ofSession: session) == nil)
        #expect(try await stores.reading.preferences(ofUser: user.id) == nil)
    }
}

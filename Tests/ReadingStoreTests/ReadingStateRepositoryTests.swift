import AuthService
import ReadingStore
import Testing

@Suite("ReadingStateRepository contract")
struct ReadingStateRepositoryTests {
    @Test("the bookmark of a session is what was saved in it last", arguments: ReadingEngine.allCases)
    func bookmark(engine: ReadingEngine) async throws {
        let readers = try engine.open()
        let user = try await readers.user("alice")
        let (first, second) = try await (readers.session(1, of: user), readers.session(2, of: user))
        #expect(try await readers.reading.bookmark(ofSession: first) == nil)
        try await readers.reading.saveBookmark("/a", ofSession: first)
        try await readers.reading.saveBookmark("/b\0'🙂", ofSession: first)
        #expect(try await readers.reading.bookmark(ofSession: first) == "/b\0'🙂")
        #expect(try await readers.reading.bookmark(ofSession: second) == nil)
    }

    @Test(
        "a bookmark goes with its session, whichever way that ends", arguments: ReadingEngine.allCases,
        ReadingEngine.End.allCases)
    func bookmarkEnds(engine: ReadingEngine, end: ReadingEngine.End) async throws {
        let readers = try engine.open()
        let user = try await readers.user("alice")
        let session = try await readers.session(1, of: user)
        try await readers.reading.saveBookmark("/a", ofSession: session)
        try await readers.end(session, of: user, by: end)
        #expect(try await readers.reading.bookmark(ofSession: session) == nil)
        // Another session of the same id begins without it.
        try #require(try await readers.session(1, of: user) == session)
        #expect(try await readers.reading.bookmark(ofSession: session) == nil)
    }

    @Test("nothing is saved for a session or a user that is not there", arguments: ReadingEngine.allCases)
    func nobody(engine: ReadingEngine) async throws {
        let readers = try engine.open()
        let user = try await readers.user("alice")
        let session = ReadingEngine.sessionID(1)
        try await readers.reading.saveBookmark("/a", ofSession: session)
        try #require(try await readers.session(1, of: user) == session)
        #expect(try await readers.reading.bookmark(ofSession: session) == nil)
        try await readers.reading.saveAppearance("dark", ofUser: user.id + 1)
        #expect(try await readers.reading.appearance(ofUser: user.id + 1) == nil)
    }

    @Test("a bookmark that is far too long is refused, and the one before stays", arguments: ReadingEngine.allCases)
    func tooLong(engine: ReadingEngine) async throws {
        let readers = try engine.open()
        let session = try await readers.session(1, of: readers.user("alice"))
        let longest = String(repeating: "a", count: 65_536)
        try await readers.reading.saveBookmark(longest, ofSession: session)
        await #expect(throws: (any Error).self) {
            try await readers.reading.saveBookmark(longest + "a", ofSession: session)
        }
        #expect(try await readers.reading.bookmark(ofSession: session) == longest)
    }

    @Test("an appearance is its user's, in every session", arguments: ReadingEngine.allCases)
    func appearance(engine: ReadingEngine) async throws {
        let readers = try engine.open()
        let (user, other) = try await (readers.user("alice"), readers.user("bob"))
        #expect(try await readers.reading.appearance(ofUser: user.id) == nil)
        try await readers.reading.saveAppearance("dark", ofUser: user.id)
        try await readers.reading.saveAppearance("light", ofUser: user.id)
        #expect(try await readers.reading.appearance(ofUser: user.id) == "light")
        #expect(try await readers.reading.appearance(ofUser: other.id) == nil)
    }
}

import AuthService
import Testing

@Suite("ReadingStateRepository contract")
struct ReadingStateRepositoryTests {
    @Test("the place of a session is what was saved in it last", arguments: RepositoryEngine.allCases)
    func place(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let (first, second) = try await (repositories.open(1, of: user), repositories.open(2, of: user))
        #expect(try await repositories.reading.place(of: first.session.id) == nil)
        try await repositories.reading.savePlace("/a", of: first.session.id)
        try await repositories.reading.savePlace("/b\0'🙂", of: first.session.id)
        #expect(try await repositories.reading.place(of: first.session.id) == "/b\0'🙂")
        #expect(try await repositories.reading.place(of: second.session.id) == nil)
    }

    @Test("a place goes with its session, whichever way that ends", arguments: RepositoryEngine.allCases)
    func placeEnds(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let ways: [(Session) async throws -> Void] = [
            { _ = try await repositories.sessions.end($0.id, of: user.id, recording: event(.loggedOut, user: user)) },
            { _ in
                _ = try await repositories.sessions.endAll(
                    of: user.id, recording: event(.loggedOutEverywhere, user: user))
            },
            { _ in try await repositories.sessions.endExpired(at: time(9_999), idleSince: time(9_999)) },
        ]
        for end in ways {
            let session = try await repositories.open(1, of: user).session
            try await repositories.reading.savePlace("/a", of: session.id)
            try await end(session)
            #expect(try await repositories.reading.place(of: session.id) == nil)
            // Another session of the same id begins without it.
            try await repositories.open(1, of: user)
            #expect(try await repositories.reading.place(of: session.id) == nil)
            _ = try await repositories.sessions.end(session.id, of: user.id, recording: event(.loggedOut, user: user))
        }
    }

    @Test("nothing is saved for a session or a user that is not there", arguments: RepositoryEngine.allCases)
    func nobody(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let session = try repositories.session(1, of: user).session
        try await repositories.reading.savePlace("/a", of: session.id)
        try await repositories.open(1, of: user)
        #expect(try await repositories.reading.place(of: session.id) == nil)
        try await repositories.reading.saveAppearance("dark", of: user.id + 1)
        #expect(try await repositories.reading.appearance(of: user.id + 1) == nil)
    }

    @Test("a place that is far too long is refused, and the one before stays", arguments: RepositoryEngine.allCases)
    func tooLong(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let session = try await repositories.open(1, of: repositories.insert("alice")).session
        let longest = String(repeating: "a", count: 65_536)
        try await repositories.reading.savePlace(longest, of: session.id)
        await #expect(throws: (any Error).self) {
            try await repositories.reading.savePlace(longest + "a", of: session.id)
        }
        #expect(try await repositories.reading.place(of: session.id) == longest)
    }

    @Test("an appearance is its user's, in every session", arguments: RepositoryEngine.allCases)
    func appearance(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let (user, other) = try await (repositories.insert("alice"), repositories.insert("bob"))
        #expect(try await repositories.reading.appearance(of: user.id) == nil)
        try await repositories.reading.saveAppearance("dark", of: user.id)
        try await repositories.reading.saveAppearance("light", of: user.id)
        #expect(try await repositories.reading.appearance(of: user.id) == "light")
        #expect(try await repositories.reading.appearance(of: other.id) == nil)
    }
}

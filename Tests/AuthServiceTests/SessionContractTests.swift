import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: sessions")
struct SessionContractTests {
    @Test("A session is found by its ID, with all its properties", arguments: StoreEngine.allCases)
    func open(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let stored = try stores.session(1, of: user, client: "'; DROP TABLE session; --\0🙂")
        let isOpen = try await stores.accounts.openSession(
            stored, keeping: 100, recording: event(.loggedIn, user: user, session: stored.session))
        #expect(isOpen)
        #expect(try await stores.accounts.session(stored.session.id) == stored)
        #expect(try await stores.accounts.session(stores.session(2, of: user).session.id) == nil)
        let last = try await stores.accounts.events(of: user.id, limit: 1)
        #expect(last == [event(.loggedIn, user: user, session: stored.session)])
    }

    @Test(
        "A session is not opened with a password that has changed, or for a missing user",
        arguments: StoreEngine.allCases)
    func openTooLate(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let nobody = User(
            id: user.id + 1, username: user.username, region: user.region, createdAt: user.createdAt,
            passwordChangedAt: user.passwordChangedAt)
        for stale in [user.changed(at: -1), user.changed(at: 1), nobody] {
            let stored = try stores.session(1, of: stale)
            let isOpen = try await stores.accounts.openSession(
                stored, keeping: 100, recording: event(.loggedIn, user: user))
            #expect(!isOpen)
            #expect(try await stores.accounts.session(stored.session.id) == nil)
        }
        #expect(try await stores.kinds(of: user) == [.registered])
    }

    @Test(
        "If a user has too many sessions, the oldest end, never the new one", arguments: StoreEngine.allCases
    )
    func limit(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        try await stores.open(9, of: other)
        for number in 1...4 as ClosedRange<UInt8> {
            try await stores.open(number, of: user, at: Double(number), keeping: 3)
        }
        // With a clock that was set back.
        try await stores.open(5, of: user, at: 0, keeping: 3)
        let ids = try await stores.accounts.sessions(of: user.id).compactMap(\.id.description.last)
        #expect(ids.sorted() == ["3", "4", "5"])
        #expect(try await stores.accounts.sessions(of: other.id).count == 1)
        #expect(try await stores.kinds(of: user).filter { $0 == .sessionReplaced }.count == 2)
    }

    @Test("An ID is given once", arguments: StoreEngine.allCases)
    func sameID(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        let stored = try await stores.open(1, of: user)
        await #expect(throws: (any Error).self) { try await stores.open(1, of: other) }
        #expect(try await stores.accounts.session(stored.session.id) == stored)
        #expect(try await stores.kinds(of: other) == [.registered])
    }

    @Test("A user's sessions are listed, the last used first", arguments: StoreEngine.allCases)
    func list(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        for number in 1...3 as ClosedRange<UInt8> {
            try await stores.open(number, of: user, at: Double(number))
        }
        try await stores.open(9, of: other)
        try await stores.accounts.touchSession(stores.session(1, of: user).session.id, at: time(50))
        let listed = try await stores.accounts.sessions(of: user.id)
        #expect(listed.map(\.id.description.last) == ["1", "3", "2"])
        #expect(listed.first?.lastUsedAt == time(50))
        #expect(try await stores.accounts.sessions(of: 999).isEmpty)
    }

    @Test("The time of last use never goes back", arguments: StoreEngine.allCases)
    func touch(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let id = try await stores.open(1, of: user, at: 10).session.id
        for (seconds, expected) in [(20, 20), (15, 20), (-1_000, 20), (21, 21)] as [(Double, Double)] {
            try await stores.accounts.touchSession(id, at: time(seconds))
            #expect(try await stores.accounts.session(id)?.session.lastUsedAt == time(expected))
        }
        try await stores.accounts.touchSession(stores.session(2, of: user).session.id, at: time(0))
        #expect(try await stores.accounts.sessions(of: user.id).count == 1)
    }

    @Test("A session is ended only for its own user, once", arguments: StoreEngine.allCases)
    func end(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        let session = try await stores.open(1, of: user).session
        for (asking, expected) in [(other, false), (user, true), (user, false)] {
            let ended = try await stores.accounts.endSession(
                session.id, of: asking.id, recording: event(.loggedOut, user: asking, session: session))
            #expect(ended == expected)
        }
        #expect(try await stores.accounts.session(session.id) == nil)
        #expect(try await stores.kinds(of: user) == [.registered, .loggedIn, .loggedOut])
        #expect(try await stores.kinds(of: other) == [.registered])
    }

    @Test("All sessions of one user are ended and counted", arguments: StoreEngine.allCases)
    func endAll(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        for number in 1...3 as ClosedRange<UInt8> { try await stores.open(number, of: user) }
        try await stores.open(9, of: other)
        let ended = try await stores.accounts.endSessions(
            of: user.id, recording: event(.loggedOutEverywhere, user: user))
        #expect(ended == 3)
        #expect(try await stores.accounts.sessions(of: user.id).isEmpty)
        #expect(try await stores.accounts.sessions(of: other.id).count == 1)
        #expect(try await stores.kinds(of: user).last == .loggedOutEverywhere)
    }

    @Test(
        "Sessions past their end or unused for too long are removed, each with an event",
        arguments: StoreEngine.allCases)
    func endExpired(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        // Each lasts 1,000 s from its beginning.
        for (number, start) in [(1, 0), (2, 1), (3, 500), (4, 501)] as [(UInt8, Double)] {
            try await stores.open(number, of: user, at: start)
        }
        try await stores.accounts.touchSession(stores.session(1, of: user).session.id, at: time(900))
        try await stores.accounts.touchSession(stores.session(2, of: user).session.id, at: time(900))
        try await stores.accounts.removeExpired(
            at: time(1_000), idleSince: time(500), eventsBefore: time(-1), onceBefore: time(-1),
            recording: event(.logPruned, at: 1_000))
        let left = try await stores.accounts.sessions(of: user.id)
        #expect(left.map(\.id.description.last) == ["2", "4"])
        let events = try await stores.accounts.events(of: user.id, limit: 100).filter { $0.kind == .sessionExpired }
        #expect(Set(events.map(\.sessionID?.description.last)) == ["1", "3"])
        #expect(events.allSatisfy { $0.at == time(1_000) && $0.client == "laptop" })
    }
}

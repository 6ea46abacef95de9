import SQLiteStores
import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: sessions")
struct SessionTests {
    @Test("A token with a wrong secret or a wrong ID opens nothing and ends nothing")
    func wrongToken() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        let other = try await world.logIn().token
        let secret = token.text.dropFirst(17)
        for text in [
            replacing(20, in: token.text, by: token.text.contains("A") ? "B" : "A"),
            "\(session.id).\(String(repeating: "A", count: 43))", "\(other.sessionID).\(secret)",
            "0000000000000000.\(secret)",
        ] where text != token.text {
            let forged = try #require(SessionToken(text))
            #expect(try await world.auth.currentSession(token: forged) == nil)
            try await world.auth.logOut(token: forged)
            await #expect(throws: AuthError.notLoggedIn) { try await world.auth.logOutEverywhere(token: forged) }
            await #expect(throws: AuthError.notLoggedIn) {
                try await world.auth.changePassword(token: forged, old: .good, new: .other)
            }
        }
        #expect(try await world.auth.currentSession(token: token) == session)
    }

    @Test("Logging out ends only this session, immediately, and may be repeated")
    func logOut() async throws {
        let world = try World()
        let user = try await world.register()
        let (first, second) = try await (world.logIn(), world.logIn())
        try await world.auth.logOut(token: first.token)
        try await world.auth.logOut(token: first.token)
        #expect(try await world.auth.currentSession(token: first.token) == nil)
        #expect(try await world.auth.currentSession(token: second.token) == second.session)
        #expect(try await world.events(of: user).suffix(2) == [.loggedIn, .loggedOut])
    }

    @Test("Logging out everywhere ends all sessions of this user and counts them")
    func logOutEverywhere() async throws {
        let world = try World()
        let user = try await world.register()
        try await world.register("bob")
        let bob = try await world.logIn("bob")
        var tokens: [SessionToken] = []
        for _ in 0..<3 { tokens.append(try await world.logIn().token) }
        #expect(try await world.auth.logOutEverywhere(token: tokens[1]) == 3)
        for token in tokens { #expect(try await world.auth.currentSession(token: token) == nil) }
        #expect(try await world.auth.currentSession(token: bob.token) == bob.session)
        await #expect(throws: AuthError.notLoggedIn) { try await world.auth.logOutEverywhere(token: tokens[1]) }
        #expect(try await world.events(of: user).last == .loggedOutEverywhere)
    }

    @Test("Sessions are listed with origin and time, and only their owner revokes one")
    func revoke() async throws {
        let world = try World()
        let user = try await world.register()
        let bob = try await world.register("bob")
        let desk = try await world.logIn(client: "desk")
        world.clock.advance(by: minute)
        let phone = try await world.logIn(client: "phone")
        #expect(
            try await world.auth.sessions(of: user.id, by: .system(user: "test")).map(\.client) == ["phone", "desk"])
        #expect(try await !world.auth.revoke(desk.session.id, of: bob.id, by: .system(user: "test")))
        #expect(try await world.auth.revoke(desk.session.id, of: user.id, by: .system(user: "test")))
        #expect(try await !world.auth.revoke(desk.session.id, of: user.id, by: .system(user: "test")))
        #expect(try await world.auth.currentSession(token: desk.token) == nil)
        #expect(try await world.auth.sessions(of: user.id, by: .system(user: "test")) == [phone.session])
        #expect(try await world.events(of: user).last == .sessionRevoked)
        #expect(try await world.events(of: bob) == [.registered])
    }

    @Test("A session names its origin, also after a change of the password")
    func origin() async throws {
        let world = try World()
        let user = try await world.register()
        let (session, token) = try await world.logIn(from: .away)
        #expect(session.origin == .away)
        #expect(try await world.auth.sessions(of: user.id, by: .token(token)).map(\.origin) == [.away])
        let next = try await world.auth.changePassword(token: token, old: .good, new: .other)
        #expect(try await world.auth.currentSession(token: next.token)?.origin == .away)
    }

    @Test("Of too many sessions the oldest ends")
    func limit() async throws {
        let world = try World(sessions: SessionPolicy(limit: 2))
        let user = try await world.register()
        var tokens: [SessionToken] = []
        for _ in 0..<4 {
            tokens.append(try await world.logIn().token)
            world.clock.advance(by: 1)
        }
        var isOpen: [Bool] = []
        for token in tokens { isOpen.append(try await world.auth.currentSession(token: token) != nil) }
        #expect(isOpen == [false, false, true, true])
        #expect(try await world.events(of: user).filter { $0 == .sessionReplaced }.count == 2)
    }

    @Test("A token is recognized by its secret, also after its session has expired, and nothing ends by it")
    func recognised() async throws {
        let world = try World()
        try await world.register()
        let token = try await world.logIn().token
        world.clock.advance(by: 31 * day)
        #expect(try await world.auth.hasSession(token))
        let forged = try #require(SessionToken("\(token.sessionID).\(String(repeating: "A", count: 43))"))
        #expect(try await !world.auth.hasSession(forged))
        #expect(try world.storage.count("SELECT count(*) FROM session") == 1)
    }

    @Test("A session ends after 30 days, however much it is used")
    func lifetime() async throws {
        let world = try World()
        let user = try await world.register()
        let (session, token) = try await world.logIn()
        #expect(session.expiresAt == world.clock.now + 30 * day)
        for _ in 0..<29 {
            world.clock.advance(by: day)
            #expect(try await world.auth.currentSession(token: token)?.id == session.id)
        }
        world.clock.advance(by: day - 1)
        #expect(try await world.auth.currentSession(token: token) != nil)
        world.clock.advance(by: 1)
        #expect(try await world.auth.currentSession(token: token) == nil)
        #expect(try await world.events(of: user).last == .sessionExpired)
    }

    @Test("A session ends after 7 days without use")
    func idle() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        world.clock.advance(by: 7 * day - 1)
        #expect(try await world.auth.currentSession(token: token) != nil)
        world.clock.advance(by: 7 * day)
        #expect(try await world.auth.sessions(of: session.user.id, by: .system(user: "test")).isEmpty)
        #expect(try await world.auth.currentSession(token: token) == nil)
    }

    @Test("The use of a session is written every 5 minutes, not each time")
    func touch() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        var written: [TimeInterval] = []
        for _ in 0..<12 {
            world.clock.advance(by: minute)
            _ = try await world.auth.currentSession(token: token)
            let listed = try #require(
                try await world.auth.sessions(of: session.user.id, by: .system(user: "test")).first)
            written.append(listed.lastUsedAt.timeIntervalSince(session.createdAt) / minute)
        }
        #expect(written == [0, 0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10])
    }

    @Test("A session that was found expired stays ended if the clock is set back")
    func noRevival() async throws {
        let world = try World()
        try await world.register()
        let (_, token) = try await world.logIn()
        world.clock.advance(by: 31 * day)
        #expect(try await world.auth.currentSession(token: token) == nil)
        world.clock.advance(by: -31 * day)
        #expect(try await world.auth.currentSession(token: token) == nil)
    }

    @Test("An unseen expired session stays ended, once anyone has logged in since")
    func noRevivalUnseen() async throws {
        let world = try World()
        let user = try await world.register()
        try await world.register("bob")
        let (_, token) = try await world.logIn()
        world.clock.advance(by: 8 * day)
        _ = try await world.logIn("bob")
        #expect(try await world.events(of: user).last == .sessionExpired)
        world.clock.advance(by: -8 * day)
        #expect(try await world.auth.currentSession(token: token) == nil)
    }

    @Test("Holding the clock back does not prolong a session: before its last use it is refused")
    func clockHeldBack() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        world.clock.advance(by: 6 * day)
        #expect(try await world.auth.currentSession(token: token) != nil)
        for back in [6 * minute, day, 6 * day] {
            world.clock.advance(by: -back)
            #expect(try await world.auth.currentSession(token: token) == nil)
            #expect(try await world.auth.sessions(of: session.user.id, by: .system(user: "test")).isEmpty)
            await #expect(throws: AuthError.notLoggedIn) {
                try await world.auth.changePassword(token: token, old: .good, new: .other)
            }
            world.clock.advance(by: back)
        }
        // The session was refused, not ended: with the right time it works, and ends when it would have.
        #expect(try await world.auth.currentSession(token: token)?.lastUsedAt == session.createdAt + 6 * day)
        world.clock.advance(by: 7 * day)
        #expect(try await world.auth.currentSession(token: token) == nil)
    }

    @Test("A small correction of the clock has no effect, and moves no time of use back")
    func smallCorrection() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        world.clock.advance(by: -5 * minute)
        #expect(try await world.auth.currentSession(token: token) == session)
        #expect(try await world.auth.sessions(of: session.user.id, by: .system(user: "test")) == [session])
    }

    @Test(
        "A clock at the end or the beginning of time breaks nothing", arguments: [Date.distantPast, .distantFuture])
    func extremeClock(date: Date) async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        world.clock.set(date)
        #expect(try await world.auth.currentSession(token: token) == nil)
        let (late, lateToken) = try await world.logIn()
        #expect(try await world.auth.currentSession(token: lateToken) == late)
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: .wrong) }
        world.clock.set(session.createdAt)
        #expect(try await world.auth.currentSession(token: lateToken) == nil)
    }

    @Test("A token is made from 40 bytes of the given randomness")
    func randomness() async throws {
        let storage = try TemporaryDatabase()
        let auth = AuthService(
            store: SQLiteAccountStore(database: storage.database), hasher: PasswordHasher(parameters: .weakest),
            randomBytes: { [UInt8](repeating: 0xAB, count: $0) })
        try await auth.register(username: Username("alice"), password: .good, region: Region("DE"), from: .home)
        let opened = try await auth.logIn(username: "alice", password: .good, client: "", from: .home).newSession
        let (token, device) = (opened.token, opened.device)
        #expect(device.text == String(repeating: "q6ur", count: 10) + "q6s")
        #expect(token.text == "abababababababab." + String(repeating: "q6ur", count: 10) + "q6s")
    }

    @Test("No two tokens are equal")
    func unique() async throws {
        let world = try World()
        try await world.register()
        var tokens: Set<String> = []
        for _ in 0..<5 { tokens.insert(try await world.logIn().token.text) }
        #expect(tokens.count == 5)
        #expect(Set(tokens.flatMap { $0.split(separator: ".") }).count == 10)
    }
}

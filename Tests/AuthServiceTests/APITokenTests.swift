import SQLiteStores
import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: API tokens")
struct APITokenTests {
    private func world() async throws -> (World, SessionToken) {
        let world = try World()
        try await world.register("op")
        try await world.register()
        return (world, try await world.logIn().token)
    }

    private func make(
        _ world: World, _ token: SessionToken, name: String = "backup", scope: APIToken.Scope = .read,
        lifetime: Double = 90 * day
    ) async throws -> (APIToken, SessionToken) {
        try await world.auth.createToken(named: name, scope: scope, lifetime: lifetime, token: token)
    }

    @Test("A token works for its user until it expires, also if it is not used")
    func opens() async throws {
        let (world, token) = try await world()
        let (made, secret) = try await make(world, token)
        let read = try #require(SessionToken(secret.text))
        #expect(read.isAPIToken && secret.text.hasPrefix("actl_"))
        world.clock.advance(by: 89 * day)
        let session = try #require(try await world.auth.currentSession(token: read))
        #expect(session.user.username.text == "alice")
        #expect(session.apiToken?.name == "backup")
        world.clock.advance(by: day)
        #expect(try await world.auth.currentSession(token: read) == nil)
        #expect(made.expiresAt == world.clock.now)
    }

    @Test("A token with a wrong secret, or a session's token without the prefix, is refused")
    func forged() async throws {
        let (world, token) = try await world()
        let secret = try await make(world, token).1
        let bare = String(secret.text.dropFirst(5))
        for text in [
            bare, "actl_" + token.text, replacing(30, in: secret.text, by: secret.text.last == "A" ? "B" : "A"),
        ]
        where text != secret.text {
            guard let forged = SessionToken(text) else { continue }
            #expect(try await world.auth.currentSession(token: forged) == nil)
        }
        #expect(SessionToken("actl_actl_" + bare) == nil)
        #expect(SessionToken("actl_") == nil)
        #expect(try !world.storage.dump().contains(String(secret.text.suffix(43))))
    }

    @Test("A token cannot do what needs a log-in")
    func outOfScope() async throws {
        let (world, token) = try await world()
        let secret = try await make(world, token, scope: .write).1
        let attempts: [() async throws -> Void] = [
            { _ = try await world.auth.changePassword(token: secret, old: .good, new: .other) },
            { try await world.auth.logOut(token: secret) },
            { try await world.auth.logOutEverywhere(token: secret) },
            { _ = try await make(world, secret, name: "more") },
            { _ = try await world.auth.tokens(token: secret) },
            { try await world.auth.revokeToken(secret.sessionID, token: secret) },
            { try await world.auth.rename(to: Username("eve"), token: secret) },
            { try await world.auth.changeRegion(to: Region("JP"), token: secret) },
            { try await world.auth.deleteAccount(token: secret, password: .good) },
            { _ = try await world.auth.records(token: secret) },
        ]
        for attempt in attempts { await #expect(throws: AuthError.outOfScope) { try await attempt() } }
        #expect(try await world.auth.currentSession(token: secret) != nil)
    }

    @Test("A token of an operator sees users, and cannot change them")
    func operators() async throws {
        let (world, _) = try await world()
        let secret = try await make(world, world.logIn("op").token, scope: .write).1
        #expect(try await world.auth.users(by: .token(secret)).count == 2)
        await #expect(throws: AuthError.outOfScope) {
            try await world.auth.setRole(.editor, of: Username("alice"), by: .token(secret))
        }
        try await world.auth.record(.exported, detail: "jsonl", by: .token(secret))
        let op = try await world.auth.users(by: .token(secret))[1]
        let log = try await SQLiteAccountStore(database: world.storage.database).events(of: op.id, limit: 2)
        #expect(log.map(\.kind) == [.exported, .accessRefused])
        #expect(log.allSatisfy { $0.actor == .token(secret.sessionID) && $0.sessionID == nil })
    }

    @Test("Tokens that are revoked, of a disabled user, or older than the password are refused")
    func ended() async throws {
        let (world, token) = try await world()
        let name = try Username("alice")
        let (made, secret) = try await make(world, token)
        try await world.auth.setDisabled(true, name, by: .system(user: "root"))
        #expect(try await world.auth.currentSession(token: secret) == nil)
        try await world.auth.setDisabled(false, name, by: .system(user: "root"))
        #expect(try await world.auth.currentSession(token: secret) != nil)
        let anew = try await world.logIn().token
        #expect(try await world.auth.tokens(token: anew).map(\.name) == ["backup"])
        #expect(try await world.auth.revokeToken(made.id, token: anew))
        #expect(try await !world.auth.revokeToken(made.id, token: anew))
        #expect(try await world.auth.currentSession(token: secret) == nil)
        let next = try await make(world, anew).1
        _ = try await world.auth.changePassword(token: anew, old: .good, new: .other)
        #expect(try await world.auth.currentSession(token: next) == nil)
    }

    @Test("A token that was used while the clock was ahead is refused until then, and a new one works")
    func clockAhead() async throws {
        let world = try World()
        try await world.register()
        let login = try await world.logIn().token
        let token = try await world.auth.createToken(named: "a", scope: .read, lifetime: 30 * day, token: login).1
        world.clock.advance(by: 3 * day)
        #expect(try await world.auth.currentSession(token: token) != nil)
        #expect(try await world.auth.currentSession(token: login) != nil)
        world.clock.advance(by: -3 * day)
        #expect(try await world.auth.currentSession(token: token) == nil)
        #expect(try await world.auth.currentSession(token: login) == nil)
        let next = try await world.logIn().token
        let other = try await world.auth.createToken(named: "b", scope: .read, lifetime: day, token: next).1
        #expect(try await world.auth.currentSession(token: other) != nil)
        world.clock.advance(by: 3 * day)
        #expect(try await world.auth.currentSession(token: token) != nil)
        #expect(try await world.auth.currentSession(token: login) != nil)
    }

    @Test("The last use is reported within minutes")
    func lastUse() async throws {
        let (world, token) = try await world()
        let secret = try await make(world, token).1
        #expect(try await world.auth.tokens(token: token).map(\.lastUsedAt) == [nil])
        let first = world.clock.now
        for wait in [0, 299, 1] as [Double] {
            world.clock.advance(by: wait)
            _ = try await world.auth.currentSession(token: secret)
        }
        #expect(try await world.auth.tokens(token: token).map(\.lastUsedAt) == [first + 300])
        world.clock.advance(by: -301)
        #expect(try await world.auth.currentSession(token: secret) == nil)
    }

    @Test(
        "A name without visible characters is refused",
        arguments: ["", "  ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 65)])
    func names(name: String) async throws {
        let (world, token) = try await world()
        await #expect(throws: AuthError.invalidName) { _ = try await make(world, token, name: name) }
    }

    @Test("A token expires within the time of the policy", arguments: [0, -1, 367 * day, .infinity, .nan])
    func lifetimes(lifetime: Double) async throws {
        let (world, token) = try await world()
        await #expect(throws: AuthError.self) { _ = try await make(world, token, lifetime: lifetime) }
        #expect(try await world.auth.tokens(token: token).isEmpty)
    }
}

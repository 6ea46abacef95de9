import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: confirming the password")
struct ConfirmationTests {
    private static let hour: TimeInterval = 3_600

    /// The actions that need the password, each in its own session.
    private static let acts: [@Sendable (World, SessionToken, Session) async throws -> Void] = [
        { world, token, _ in try await world.auth.rename(to: Username("alice.l"), token: token) },
        { world, token, _ in try await world.auth.logOutEverywhere(token: token) },
        { world, token, other in try await world.auth.revoke(other.id, of: other.user.id, by: .token(token)) },
        { world, token, _ in
            _ = try await world.auth.createToken(named: "backup", scope: .read, lifetime: day, token: token)
        },
    ]

    @Test("The password is needed again some time after the login, and then not for a while", arguments: 0..<4)
    func asked(act: Int) async throws {
        for age in [0, Self.hour - 1, Self.hour, 5 * Self.hour] {
            let world = try World()
            try await world.register()
            let (other, token) = (try await world.logIn().session, try await world.logIn().token)
            world.clock.advance(by: age)
            if age >= Self.hour {
                await #expect(throws: AuthError.passwordNeeded) { try await Self.acts[act](world, token, other) }
                try await world.auth.confirm(.good, token: token)
                world.clock.advance(by: Self.hour - 1)
            }
            try await Self.acts[act](world, token, other)
        }
    }

    @Test("A wrong password confirms nothing and counts for the session only, and the right one is recorded")
    func wrong() async throws {
        let world = try World()
        let user = try await world.register()
        let token = try await world.logIn().token
        world.clock.advance(by: 2 * Self.hour)
        await #expect(throws: AuthError.wrongPassword) { try await world.auth.confirm(.wrong, token: token) }
        await #expect(throws: AuthError.passwordNeeded) { try await world.auth.logOutEverywhere(token: token) }
        try await world.auth.confirm(.good, token: token)
        #expect(try await world.events(of: user).suffix(2) == [.logInFailed, .passwordConfirmed])
        _ = try await world.logIn()
    }

    @Test("A session confirms only itself")
    func alone() async throws {
        let world = try World()
        try await world.register()
        let (first, second) = try await (world.logIn(), world.logIn())
        world.clock.advance(by: 2 * Self.hour)
        try await world.auth.confirm(.good, token: first.token)
        await #expect(throws: AuthError.passwordNeeded) {
            try await world.auth.logOutEverywhere(token: second.token)
        }
        #expect(try await world.auth.currentSession(token: first.token)?.confirmedAt == world.clock.now)
    }

    @Test("A clock that is set far back does not make an old confirmation valid")
    func clock() async throws {
        let world = try World()
        try await world.register()
        let token = try await world.logIn().token
        world.clock.advance(by: 2 * Self.hour)
        _ = try await world.auth.currentSession(token: token)
        try await world.auth.confirm(.good, token: token)
        world.clock.advance(by: -Self.hour)
        await #expect(throws: AuthError.notLoggedIn) { try await world.auth.logOutEverywhere(token: token) }
    }

    @Test("A confirmation counts while the clock is set back by less than five minutes")
    func smallCorrection() async throws {
        let world = try World()
        try await world.register()
        let token = try await world.logIn().token
        // Too early for another update of the last use: the session is still open after both corrections.
        world.clock.advance(by: 290)
        try await world.auth.confirm(.good, token: token)
        world.clock.advance(by: -310)
        await #expect(throws: AuthError.passwordNeeded) { try await world.auth.logOutEverywhere(token: token) }
        world.clock.advance(by: 20)
        try await world.auth.logOutEverywhere(token: token)
    }

    @Test("A user ends the current session without a confirmation")
    func own() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        world.clock.advance(by: 2 * Self.hour)
        #expect(try await world.auth.revoke(session.id, of: session.user.id, by: .token(token)))
    }

    @Test("An API token confirms nothing")
    func apiToken() async throws {
        let world = try World()
        try await world.register()
        let token = try await world.logIn().token
        let made = try await world.auth.createToken(named: "all", scope: .write, lifetime: day, token: token).1
        await #expect(throws: AuthError.outOfScope) { try await world.auth.confirm(.good, token: made) }
    }

    @Test("Only its user names a session, with a visible name")
    func name() async throws {
        let world = try World()
        let user = try await world.register()
        try await world.register("bob")
        let (session, token) = try await world.logIn()
        let bob = try await world.logIn("bob").token
        #expect(try await !world.auth.rename(session.id, to: "kitchen", token: bob))
        #expect(try await world.auth.rename(session.id, to: " kitchen ", token: token))
        #expect(try await world.auth.currentSession(token: token)?.client == "kitchen")
        #expect(try await world.events(of: user).last == .sessionRenamed)
        for name in ["", " ", "a\u{1B}[2J", String(repeating: "x", count: 65)] {
            await #expect(throws: AuthError.invalidName) {
                try await world.auth.rename(session.id, to: name, token: token)
            }
        }
    }
}

import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: registration and access to sessions")
struct RegistrationTests {
    private let system = Authority.system(user: "root")

    @Test(
        "Nobody can register a name that suggests authority",
        arguments: ["admin", "ROOT", "System", "operator", "postmaster"])
    func reserved(name: String) async throws {
        let world = try World()
        let username = try Username(name)
        #expect(try await !world.auth.isFree(username, from: .home))
        await #expect(throws: AuthError.reservedName(username)) { try await world.register(name) }
        try await world.register()
        let token = try await world.logIn().token
        await #expect(throws: AuthError.reservedName(username)) {
            try await world.auth.rename(to: username, token: token)
        }
    }

    @Test("An invitation makes one account, within a week")
    func invited() async throws {
        let world = try World()
        try await world.register("op")
        try await world.auth.setRegistration(.invitation, by: system)
        func register(_ name: String, _ code: String?) async throws {
            _ = try await world.auth.register(
                username: Username(name), password: .good, region: Region("DE"), from: .home,
                invitation: code)
        }
        await #expect(throws: AuthError.invalidCode) { try await register("alice", nil) }
        let (code, end) = try await world.auth.invite(by: system)
        #expect(end == world.clock.now + 7 * day)
        try await register("alice", code.text.lowercased())
        await #expect(throws: AuthError.invalidCode) { try await register("bob", code.text) }
        let late = try await world.auth.invite(by: system).code
        world.clock.advance(by: 7 * day)
        await #expect(throws: AuthError.invalidCode) { try await register("bob", late.text) }
        try await world.auth.setRegistration(.closed, by: system)
        await #expect(throws: AuthError.registrationClosed) { try await register("bob", late.text) }
        #expect(try !world.storage.dump().contains(code.text))
        let log = try await world.auth.events(matching: AuditQuery(kind: .registrationChanged), by: system)
        #expect(log.map(\.event.detail) == ["closed", "invitation"])
    }

    @Test("Only an operator invites users or decides who may register")
    func operators() async throws {
        let world = try World()
        try await world.register("op")
        try await world.register()
        let token = try await world.logIn().token
        await #expect(throws: AuthError.notAllowed(.operator)) { _ = try await world.auth.invite(by: .token(token)) }
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await world.auth.setRegistration(.closed, by: .token(token))
        }
        try await world.auth.setRegistration(.closed, by: .token(world.logIn("op").token))
        #expect(try await world.auth.registration() == .closed)
    }

    @Test("Only their user and operators see and end sessions")
    func proof() async throws {
        let world = try World()
        try await world.register("op")
        let user = try await world.register()
        try await world.register("bob")
        let (own, bob, op) = try await (world.logIn(), world.logIn("bob"), world.logIn("op"))
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await world.auth.sessions(of: user.id, by: .token(bob.token))
        }
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await world.auth.revoke(own.session.id, of: user.id, by: .token(bob.token))
        }
        #expect(try await world.auth.sessions(of: user.id, by: .token(own.token)) == [own.session])
        #expect(try await world.auth.sessions(of: user.id, by: .token(op.token)) == [own.session])
        #expect(try await !world.auth.revoke(own.session.id, of: bob.session.user.id, by: .token(bob.token)))
        #expect(try await world.auth.revoke(own.session.id, of: user.id, by: .token(op.token)))
        await #expect(throws: AuthError.notLoggedIn) {
            try await world.auth.sessions(of: user.id, by: .token(own.token))
        }
        let log = try await world.auth.events(matching: AuditQuery(kind: .sessionRevoked), by: system)
        #expect(log.map(\.event.actor) == [.user(op.session.user.id)])
        #expect(log.map(\.event.detail) == [own.session.id.description])
    }
}

import AuthService
import Database
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: roles")
struct RoleTests {
    @Test("the roles are in order, and each may do what those before it may")
    func order() {
        #expect(Role.allCases.sorted() == [.reader, .editor, .operator])
    }

    @Test(
        "only an operator sees users or gives roles, and who else asks is recorded", arguments: [Role.reader, .editor])
    func refused(role: Role) async throws {
        let world = try World()
        try await world.register("op")
        let user = try await world.register()
        try await world.auth.setRole(role, of: user.username, by: .system(user: "root"))
        let token = try await world.logIn().token
        await #expect(throws: AuthError.notAllowed(.operator)) { try await world.auth.users(by: .token(token)) }
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await world.auth.setRole(.operator, of: user.username, by: .token(token))
        }
        #expect(try await world.auth.currentSession(token: token)?.user.role == role)
        // Once an hour, so that nobody fills the log by asking again and again.
        func refusals() async throws -> [AuditEvent] {
            try await SQLiteAuditLog(database: world.storage.database).events(of: user.id, limit: 10)
                .filter { $0.kind == .accessRefused }
        }
        let log = try await refusals()
        #expect(log.count == 1 && log.first?.sessionID == token.sessionID && log.first?.actor == .holder)
        world.clock.advance(by: 3_601)
        await #expect(throws: AuthError.notAllowed(.operator)) { try await world.auth.users(by: .token(token)) }
        #expect(try await refusals().count == 2)
    }

    @Test("a role holds at once in a session that is open, and the log tells who gave it")
    func given() async throws {
        let world = try World()
        let op = try await world.register("op")
        let user = try await world.register()
        let (asking, token) = try await (world.logIn("op"), world.logIn().token)
        try await world.auth.setRole(.editor, of: user.username, by: .token(asking.token))
        #expect(try await world.auth.currentSession(token: token)?.user.role == .editor)
        try await world.auth.setRole(.reader, of: user.username, by: .system(user: "root"))
        let log = try await SQLiteAuditLog(database: world.storage.database).events(of: user.id, limit: 2)
        #expect(log.map(\.kind) == [.roleChanged, .roleChanged])
        #expect(log.map(\.actor) == [.system("root"), .user(op.id)])
        #expect(log.map(\.detail) == ["reader", "editor"])
        #expect(log.last?.sessionID == asking.session.id)
    }

    @Test("who is not signed in, and a name that nobody has, are told so")
    func unknown() async throws {
        let world = try World()
        try await world.register("op")
        let token = try await world.logIn("op").token
        await #expect(throws: AuthError.noUser(try Username("alice"))) {
            try await world.auth.setRole(.editor, of: Username("alice"), by: .token(token))
        }
        try await world.auth.logOut(token: token)
        await #expect(throws: AuthError.notSignedIn) { try await world.auth.users(by: .token(token)) }
    }

    @Test("what is done by nobody's session is recorded with who did it")
    func recorded() async throws {
        let world = try World()
        try await world.auth.record(.libraryChanged, detail: "seed: 3", by: .system(user: "a:b"), client: "host")
        let rows = try world.storage.database.read {
            try $0.query("SELECT event || '|' || actor || '|' || detail || '|' || client FROM audit") {
                try $0.value(0) as String
            }
        }
        #expect(rows == ["libraryChanged|system:a:b|seed: 3|host"])
    }

    @Test(
        "an actor is read as it was written",
        arguments: [AuditEvent.Actor.holder, .user(7), .system("a:b"), .system("")])
    func actors(actor: AuditEvent.Actor) {
        #expect(AuditEvent.Actor(actor.description) == actor)
    }

    @Test("what is no actor is none", arguments: ["user", "user:x", "nobody:1", ":"])
    func noActor(text: String) {
        #expect(AuditEvent.Actor(text) == nil)
    }
}

import SQLiteStores
import AuthService
import Database
import StoreEngines
import TestSupport
import Testing

@Suite("AuthService: roles")
struct RoleTests {
    @Test("The roles are ordered, and each may do what the lower ones may")
    func order() {
        #expect(Role.allCases.sorted() == [.reader, .editor, .operator])
    }

    @Test(
        "Only an operator sees users or gives roles, and other attempts are recorded",
        arguments: [Role.reader, .editor])
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
        // A refusal is recorded once an hour, so that nobody can fill the log with repeated attempts.
        func refusals() async throws -> [AuditEvent] {
            try await SQLiteAccountStore(database: world.storage.database).events(of: user.id, limit: 10)
                .filter { $0.kind == .accessRefused }
        }
        let log = try await refusals()
        #expect(log.count == 1 && log.first?.sessionID == token.sessionID && log.first?.actor == .holder)
        world.clock.advance(by: 3_601)
        await #expect(throws: AuthError.notAllowed(.operator)) { try await world.auth.users(by: .token(token)) }
        #expect(try await refusals().count == 2)
    }

    @Test("A role applies immediately in open sessions, and the log names who gave it")
    func given() async throws {
        let world = try World()
        let op = try await world.register("op")
        let user = try await world.register()
        let (asking, token) = try await (world.logIn("op"), world.logIn().token)
        try await world.auth.setRole(.editor, of: user.username, by: .token(asking.token))
        #expect(try await world.auth.currentSession(token: token)?.user.role == .editor)
        try await world.auth.setRole(.reader, of: user.username, by: .system(user: "root"))
        let log = try await SQLiteAccountStore(database: world.storage.database).events(of: user.id, limit: 2)
        #expect(log.map(\.kind) == [.roleChanged, .roleChanged])
        #expect(log.map(\.actor) == [.system("root"), .user(op.id)])
        #expect(log.map(\.detail) == ["reader", "editor"])
        #expect(log.last?.sessionID == asking.session.id)
    }

    @Test("A caller without a session, and an unknown name, get an error that says so")
    func unknown() async throws {
        let world = try World()
        try await world.register("op")
        let token = try await world.logIn("op").token
        await #expect(throws: AuthError.noUser(try Username("alice"))) {
            try await world.auth.setRole(.editor, of: Username("alice"), by: .token(token))
        }
        try await world.auth.logOut(token: token)
        await #expect(throws: AuthError.notLoggedIn) { try await world.auth.users(by: .token(token)) }
    }

    @Test("An action without a session is recorded with its actor")
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

    @Test("A change of the library needs an editor, and a token that may write, whatever the front has checked")
    func libraryChange() async throws {
        let world = try World()
        try await world.register("op")
        let user = try await world.register()
        let token = try await world.logIn().token
        func change(by token: SessionToken) async throws {
            try await world.auth.record(.libraryChanged, detail: "delete: 1", by: .token(token))
        }
        await #expect(throws: AuthError.notAllowed(.editor)) { try await change(by: token) }
        try await world.auth.record(.exported, detail: "csv", by: .token(token))
        try await world.auth.setRole(.editor, of: user.username, by: .system(user: "root"))
        let reading = try await world.auth.createToken(named: "a", scope: .read, lifetime: 86_400, token: token).1
        await #expect(throws: AuthError.outOfScope) { try await change(by: reading) }
        try await change(by: token)
        #expect(try world.storage.count("SELECT count(*) FROM audit WHERE event = 'libraryChanged'") == 1)
    }

    @Test(
        "An actor is read as it was written",
        arguments: [AuditEvent.Actor.holder, .user(7), .system("a:b"), .system("")])
    func actors(actor: AuditEvent.Actor) {
        #expect(AuditEvent.Actor(actor.description) == actor)
    }

    @Test("Text that is not an actor is not read as one", arguments: ["user", "user:x", "nobody:1", ":"])
    func noActor(text: String) {
        #expect(AuditEvent.Actor(text) == nil)
    }
}

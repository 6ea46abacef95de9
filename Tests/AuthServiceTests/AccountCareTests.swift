import SQLiteStores
import AuthService
import FoundationEssentials
import StoreEngines
import Synchronization
import TestSupport
import Testing

@Suite("AuthService: forgotten passwords, disabled and deleted users")
struct AccountCareTests {
    private let system = Authority.system(user: "root")

    /// A world with the operator `op` and the user `alice`.
    private func world() async throws -> World {
        let world = try World()
        try await world.register("op")
        try await world.register()
        return world
    }

    private func log(_ world: World, _ user: User) async throws -> [AuditEvent] {
        try await SQLiteAccountStore(database: world.storage.database).events(of: user.id, limit: 100).reversed()
    }

    @Test("A disabled user is out immediately, and gets the response for a wrong password, at the same cost")
    func disabled() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        try await world.auth.setDisabled(true, session.user.username, by: system)
        #expect(try await world.auth.currentSession(token: token) == nil)
        // New hashes cost more than the user's hash.
        let parameters = try #require(PasswordHasher.Parameters(memory: 19 << 20, passes: 3))
        let work = Mutex<[Int]>([])
        let auth = world.service(
            hasher: PasswordHasher(
                parameters: parameters, onWork: { kibibytes in work.withLock { $0.append(kibibytes) } }))
        for password in [Password.good, .wrong] {
            await #expect(throws: AuthError.invalidCredentials) {
                try await auth.logIn(username: "alice", password: password, client: "laptop", from: .home)
            }
        }
        let newest = (19 << 10) * 3
        #expect(work.withLock { $0 } == [newest, newest])
        #expect(try await log(world, session.user).map(\.kind).suffix(3) == [.disabled, .logInRefused, .logInRefused])
        try await world.auth.setDisabled(false, session.user.username, by: system)
        _ = try await world.logIn()
        #expect(try await log(world, session.user).map(\.kind).suffix(2) == [.enabled, .loggedIn])
    }

    @Test("A code resets the password once, however it is typed, and ends every session")
    func reset() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        let (code, end) = try await world.auth.issueReset(for: session.user.username, by: system)
        #expect(end == world.clock.now + 3_600)
        #expect(try await world.auth.currentSession(token: token) == session)
        let typed = " " + code.text.lowercased().filter { $0 != "-" }.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }
        let user = try await world.auth.resetPassword(code: typed, new: .other, from: .home)
        #expect(user == session.user)
        #expect(try await world.auth.currentSession(token: token) == nil)
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn() }
        _ = try await world.logIn(password: .other)
        await #expect(throws: AuthError.invalidCode) {
            try await world.auth.resetPassword(code: typed, new: .good, from: .home)
        }
        #expect(try !world.storage.dump().contains(code.text))
    }

    @Test("A weak password does not use up the code, but an hour does")
    func resetEnds() async throws {
        let world = try await world()
        let name = try Username("alice")
        let code = try await world.auth.issueReset(for: name, by: system).code
        await #expect(throws: AuthError.self) {
            try await world.auth.resetPassword(code: code.text, new: Password("a"), from: .home)
        }
        world.clock.advance(by: 3_599)
        try await world.auth.resetPassword(code: code.text, new: .other, from: .home)
        let late = try await world.auth.issueReset(for: name, by: system).code
        world.clock.advance(by: 3_600)
        await #expect(throws: AuthError.invalidCode) {
            try await world.auth.resetPassword(code: late.text, new: .good, from: .home)
        }
    }

    @Test("A new password resets the failed logins with the old one")
    func resetForgives() async throws {
        let world = try await world()
        for _ in 0..<6 {
            await #expect(throws: AuthError.self) { try await world.logIn(password: .wrong) }
        }
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn() }
        let code = try await world.auth.issueReset(for: Username("alice"), by: system).code
        try await world.auth.resetPassword(code: code.text, new: .other, from: .home)
        _ = try await world.logIn(password: .other)
    }

    @Test("A code logs the user in while strangers' guesses have closed the name")
    func resetOpens() async throws {
        let world = try await world()
        for number in 0..<200 {
            await #expect(throws: AuthError.invalidCredentials) {
                try await world.logIn(password: .wrong, from: .away(number))
            }
        }
        await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn() }
        let code = try await world.auth.issueReset(for: Username("alice"), by: system).code
        await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn() }
        try await world.auth.resetPassword(code: code.text, new: .other, from: .home)
        _ = try await world.logIn(password: .other)
    }

    @Test("A code does not accept a leaked password, and is not used up by it")
    func resetBreached() async throws {
        let world = try await world()
        let code = try await world.auth.issueReset(for: Username("alice"), by: system).code
        let auth = AuthService(
            store: SQLiteAccountStore(database: world.storage.database), hasher: PasswordHasher(parameters: .weakest),
            breaches: Leaks(),
            clock: { world.clock.now })
        await #expect(throws: AuthError.weakPassword(.breached)) {
            try await auth.resetPassword(code: code.text, new: .other, from: .home)
        }
        try await auth.resetPassword(code: code.text, new: .good, from: .home)
    }

    @Test(
        "Text that is not a code is refused",
        arguments: ["", "x", "🙂", "0000-0000-0000-0000-0000-0000-0000", "U000-0000-0000-0000-0000-0000-0000"])
    func noCode(text: String) async throws {
        let world = try await world()
        await #expect(throws: AuthError.invalidCode) {
            try await world.auth.resetPassword(code: text, new: .other, from: .home)
        }
    }

    @Test("Wrong codes are recorded and limited per origin, and a right code is always accepted")
    func guessedCodes() async throws {
        let world = try World(throttling: ThrottlePolicy(registrations: .rate(free: 3, interval: 60)))
        try await world.register()
        let code = try await world.auth.issueReset(for: Username("alice"), by: system).code.text
        for _ in 0..<3 {
            await #expect(throws: AuthError.invalidCode) {
                try await world.auth.resetPassword(code: "x", new: .other, from: .away)
            }
        }
        await #expect(throws: AuthError.throttled(seconds: 60)) {
            try await world.auth.resetPassword(code: "x", new: .other, from: .away)
        }
        try await world.auth.resetPassword(code: code, new: .other, from: .away)
        let log = try await world.auth.events(matching: AuditQuery(kind: .resetRefused), by: system)
        #expect(log.map(\.event.origin) == [.away, .away, .away])
    }

    @Test("A code never prints itself")
    func hidden() async throws {
        let world = try await world()
        let code = try await world.auth.issueReset(for: Username("alice"), by: system).code
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), dumped] {
            #expect(!text.contains(code.text.prefix(5)))
        }
    }

    @Test("Users change their own name and region, and their sessions continue")
    func own() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        try await world.auth.rename(to: Username("alison"), token: token)
        try await world.auth.changeRegion(to: Region("JP"), token: token)
        await #expect(throws: AuthError.usernameTaken(try Username("op"))) {
            try await world.auth.rename(to: Username("op"), token: token)
        }
        let user = try #require(try await world.auth.currentSession(token: token)?.user)
        #expect(user.username.text == "alison")
        #expect(user.region.code == "JP")
        _ = try await world.logIn("alison")
        #expect(
            try await log(world, session.user).map(\.kind)
                == [.registered, .loggedIn, .renamed, .regionChanged, .loggedIn])
    }

    @Test("A change to the present value is not recorded")
    func unchanged() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        let (name, op) = (session.user.username, Authority.token(try await world.logIn("op").token))
        let before = try await log(world, session.user).count
        #expect(try await !world.auth.rename(to: name, token: token))
        #expect(try await !world.auth.changeRegion(to: session.user.region, token: token))
        #expect(try await !world.auth.rename(name, to: name, by: op))
        #expect(try await !world.auth.setRole(session.user.role, of: name, by: op))
        #expect(try await !world.auth.setDisabled(false, name, by: op))
        #expect(try await log(world, session.user).count == before)
        #expect(try await world.auth.setDisabled(true, name, by: op))
        let disabled = try await world.auth.user(name, by: op).disabledAt
        world.clock.advance(by: 60)
        #expect(try await !world.auth.setDisabled(true, name, by: op))
        #expect(try await world.auth.user(name, by: op).disabledAt == disabled)
        #expect(try await world.auth.setRole(.editor, of: name, by: op))
        #expect(try await log(world, session.user).count == before + 2)
    }

    @Test("Users delete their own account with only the password")
    func ownDeletion() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        await #expect(throws: AuthError.wrongPassword) {
            try await world.auth.deleteAccount(token: token, password: .wrong)
        }
        #expect(try await world.auth.currentSession(token: token) != nil)
        try await world.auth.deleteAccount(token: token, password: .good)
        #expect(try await world.auth.currentSession(token: token) == nil)
        #expect(try await world.auth.isFree(session.user.username, from: .home))
        #expect(try await log(world, session.user).map(\.kind) == [.registered, .loggedIn, .logInFailed, .deleted])
        let op = try await world.logIn("op").token
        try await world.register()
        await #expect(throws: AuthError.lastOperator) {
            try await world.auth.deleteAccount(token: op, password: .good)
        }
    }

    @Test("Only the user can export their data")
    func records() async throws {
        let world = try await world()
        let (session, token) = try await world.logIn()
        let other = try await world.logIn("op")
        let records = try await world.auth.records(token: token)
        #expect(records.user == session.user)
        #expect(records.sessions == [session])
        #expect(records.events.map(\.kind) == [.registered, .loggedIn])
        try await world.auth.logOut(token: other.token)
        await #expect(throws: AuthError.notLoggedIn) { try await world.auth.records(token: other.token) }
    }

    @Test("An operator renames and deletes users, and a reader does not")
    func operators() async throws {
        let world = try await world()
        let name = try Username("alice")
        let (op, token) = try await (world.logIn("op").token, world.logIn().token)
        let attempts: [() async throws -> Void] = [
            { try await world.auth.setDisabled(true, Username("op"), by: .token(token)) },
            { try await world.auth.logOut(Username("op"), by: .token(token)) },
            { try await world.auth.rename(Username("op"), to: Username("xx"), by: .token(token)) },
            { try await world.auth.delete(Username("op"), by: .token(token)) },
            { _ = try await world.auth.issueReset(for: Username("op"), by: .token(token)) },
        ]
        for attempt in attempts {
            await #expect(throws: AuthError.notAllowed(.operator)) { try await attempt() }
        }
        try await world.auth.rename(name, to: Username("alison"), by: .token(op))
        try await world.auth.delete(Username("alison"), by: .token(op))
        #expect(try await world.auth.users(by: .token(op)).map(\.username.text) == ["op"])
        await #expect(throws: AuthError.noUser(name)) { try await world.auth.delete(name, by: .token(op)) }
    }
}

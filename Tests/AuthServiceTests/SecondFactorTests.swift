import SQLiteStores
import Database
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@testable import AuthService

@Suite("AuthService: second factor")
struct SecondFactorTests {
    /// A world in which alice has a second factor.
    private struct Guarded {
        let world: World
        let user: User
        let token: SessionToken
        let device: DeviceToken
        let secret: TOTPSecret
        let recoveryCodes: [OneTimeCode]

        init(throttling: ThrottlePolicy = ThrottlePolicy()) async throws {
            world = try World(throttling: throttling)
            user = try await world.register()
            let opened = try await world.auth.logIn(
                username: "alice", password: .good, client: "laptop", from: .home
            ).newSession
            (token, device) = (opened.token, opened.device)
            secret = world.auth.newSecret()
            recoveryCodes = try await world.auth.addSecondFactor(
                secret, code: secret.code(of: TOTPSecret.step(at: world.clock.now)), token: token)
            world.clock.advance(by: 30)
        }

        /// The code of the authenticator, this many steps from now.
        func code(_ steps: Int64 = 0) -> String { secret.code(of: TOTPSecret.step(at: world.clock.now) + steps) }

        /// A code that is not valid at any relevant time.
        var wrongCode: String { code(1_000) }

        func logIn(
            password: Password = .good, from origin: Origin = .home, on device: DeviceToken? = nil
        ) async throws -> PendingLogin {
            let result = try await world.auth.logIn(
                username: "alice", password: password, client: "phone", from: origin, device: device)
            #expect(throws: AuthError.secondFactorNeeded) { try result.newSession }
            return try #require(result.pending)
        }

        func complete(_ pending: PendingLogin, _ code: String) async throws -> Session {
            try await world.auth.completeLogIn(pending, code: code).session
        }

        func fail(_ count: Int, _ pending: PendingLogin) async throws {
            for _ in 0..<count {
                await #expect(throws: AuthError.wrongCode) { try await complete(pending, wrongCode) }
            }
        }
    }

    @Test("A login with the right password needs a code, and opens no session before")
    func asked() async throws {
        let guarded = try await Guarded()
        let auth = guarded.world.auth
        let pending = try await guarded.logIn()
        #expect(pending.user.id == guarded.user.id)
        #expect(try await auth.sessions(of: guarded.user.id, by: .token(guarded.token)).count == 1)
        let opened = try await auth.completeLogIn(pending, code: guarded.code())
        #expect(opened.session.client == "phone" && opened.session.user.id == guarded.user.id)
        #expect(try await auth.currentSession(token: opened.token)?.id == opened.session.id)
        #expect(
            try await guarded.world.events(of: guarded.user) == [
                .registered, .loggedIn, .secondFactorAdded, .secondFactorAsked, .loggedIn,
            ])
    }

    @Test("The factor is not mentioned before the password is right")
    func untold() async throws {
        let guarded = try await Guarded()
        for (name, password) in [("alice", Password.wrong), ("nobody", .good)] {
            await #expect(throws: AuthError.invalidCredentials) {
                try await guarded.world.logIn(name, password: password)
            }
        }
    }

    @Test("The codes of the previous and the next step are accepted, and no others")
    func drift() async throws {
        let guarded = try await Guarded()
        guarded.world.clock.advance(by: 300)
        let pending = try await guarded.logIn()
        for steps in [-2, 2] as [Int64] {
            await #expect(throws: AuthError.wrongCode) { try await guarded.complete(pending, guarded.code(steps)) }
        }
        _ = try await guarded.complete(pending, guarded.code(-1))
        _ = try await guarded.complete(pending, guarded.code(1))
    }

    @Test("A code is accepted once, also that of the set-up, and no older one after it")
    func reuse() async throws {
        let guarded = try await Guarded()
        let pending = try await guarded.logIn()
        await #expect(throws: AuthError.wrongCode) { try await guarded.complete(pending, guarded.code(-1)) }
        _ = try await guarded.complete(pending, guarded.code(1))
        for steps in [1, 0] as [Int64] {
            await #expect(throws: AuthError.wrongCode) { try await guarded.complete(pending, guarded.code(steps)) }
        }
    }

    @Test("Of two logins with one code at once, one succeeds")
    func race() async throws {
        let guarded = try await Guarded()
        let (first, second, code) = (try await guarded.logIn(), try await guarded.logIn(), guarded.code())
        let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
            for pending in [first, second] {
                group.addTask { (try? await guarded.complete(pending, code)) != nil }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(opened == 1)
    }

    @Test("A recovery code replaces a code, once, however it is typed")
    func recoveryCode() async throws {
        let guarded = try await Guarded()
        #expect(guarded.recoveryCodes.count == 10)
        let pending = try await guarded.logIn()
        let text = guarded.recoveryCodes[3].text
        _ = try await guarded.complete(pending, text.lowercased().replacing("-", with: " "))
        await #expect(throws: AuthError.wrongCode) { try await guarded.complete(pending, text) }
        _ = try await guarded.complete(pending, guarded.recoveryCodes[4].text)
        #expect(try await guarded.world.auth.secondFactor(token: guarded.token)?.recoveryCodes == 8)
        let log = SQLiteAccountStore(database: guarded.world.storage.database)
        let used = try await log.events(matching: AuditQuery(kind: .recoveryCodeUsed, limit: 9))
        #expect(used.map(\.event.detail) == ["8", "9"])
    }

    @Test("An incomplete login ends after five minutes, and if the clock was set back")
    func ended() async throws {
        let guarded = try await Guarded()
        let pending = try await guarded.logIn()
        guarded.world.clock.advance(by: 5 * minute)
        await #expect(throws: AuthError.logInEnded) { try await guarded.complete(pending, guarded.code()) }
        guarded.world.clock.advance(by: -10 * minute)
        await #expect(throws: AuthError.logInEnded) { try await guarded.complete(pending, guarded.code()) }
        guarded.world.clock.advance(by: 9 * minute)
        _ = try await guarded.complete(pending, guarded.code())
    }

    @Test("An incomplete login ends with the password, the second factor, or the user's access")
    func overtaken() async throws {
        for change in 0..<3 {
            let guarded = try await Guarded()
            let (auth, pending) = (guarded.world.auth, try await guarded.logIn())
            let system = Authority.system(user: "test")
            switch change {
            case 0: _ = try await auth.changePassword(token: guarded.token, old: .good, new: .other)
            case 1: try await auth.removeSecondFactor(token: guarded.token)
            default:
                try await guarded.world.register("bob")
                try await auth.setRole(.operator, of: Username("bob"), by: system)
                try await auth.setDisabled(true, Username("alice"), by: system)
            }
            await #expect(throws: AuthError.logInEnded) { try await guarded.complete(pending, guarded.code()) }
        }
    }

    @Test("After five wrong codes the next waits, wherever it comes from, and each is recorded")
    func throttled() async throws {
        let guarded = try await Guarded()
        try await guarded.fail(5, guarded.logIn(from: .away(1)))
        let elsewhere = try await guarded.logIn(from: .away)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await guarded.complete(elsewhere, guarded.code()) }
        await #expect(throws: AuthError.throttled(seconds: 1)) {
            try await guarded.complete(elsewhere, "0000-0000-0000-0000-0000-0000-0000")
        }
        let kinds = try await guarded.world.events(of: guarded.user)
        #expect(kinds.count { $0 == .secondFactorFailed } == 5)
        #expect(kinds.count { $0 == .throttled } == 1)
        guarded.world.clock.advance(by: 1)
        _ = try await guarded.complete(elsewhere, guarded.code())
        try await guarded.fail(5, elsewhere)
    }

    @Test("A guesser who knows the password does not lock the user out of known devices and origins")
    func knownDevice() async throws {
        let guarded = try await Guarded()
        try await guarded.fail(5, guarded.logIn(from: .away))
        _ = try await guarded.complete(guarded.logIn(on: guarded.device), guarded.code())
        // A success here does not clear the count elsewhere.
        let elsewhere = try await guarded.logIn(from: .away)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await guarded.complete(elsewhere, guarded.code()) }
    }

    @Test("A recovery code or a known origin gives access while others guess codes")
    func recovery() async throws {
        let guarded = try await Guarded()
        try await guarded.fail(5, guarded.logIn(from: .away))
        _ = try await guarded.complete(guarded.logIn(from: .away), guarded.recoveryCodes[0].text)
        try await guarded.fail(5, guarded.logIn(from: .away(1)))
        _ = try await guarded.complete(guarded.logIn(from: .home), guarded.code())
    }

    @Test("After a hundred wrong codes all codes are refused until the password changes")
    func blocked() async throws {
        let free = ThrottlePolicy(perNameAndOrigin: .rate(free: 1_000, interval: 1), maximumFailuresInARow: 6)
        let guarded = try await Guarded(throttling: free)
        try await guarded.fail(6, guarded.logIn(from: .away))
        let pending = try await guarded.logIn(from: .away)
        await #expect(throws: AuthError.blocked) { try await guarded.complete(pending, guarded.code()) }
        let reset = try await guarded.world.auth.issueReset(for: Username("alice"), by: .system(user: "test"))
        try await guarded.world.auth.resetPassword(code: reset.code.text, new: .other, from: .home)
        _ = try await guarded.complete(guarded.logIn(password: .other), guarded.code())
    }

    @Test("A device with too many wrong codes becomes a stranger")
    func strangeDevice() async throws {
        let free = ThrottlePolicy(perNameAndOrigin: .rate(free: 1_000, interval: 1), maximumFailuresInARow: 6)
        let guarded = try await Guarded(throttling: free)
        try await guarded.fail(6, guarded.logIn(on: guarded.device))
        #expect(try await guarded.logIn(on: guarded.device).standing.device == nil)
    }

    @Test("A code that was used while the clock was ahead bars the codes before it, but no recovery code")
    func clockAhead() async throws {
        let guarded = try await Guarded()
        guarded.world.clock.advance(by: day)
        _ = try await guarded.complete(guarded.logIn(), guarded.code())
        guarded.world.clock.advance(by: -day)
        let pending = try await guarded.logIn()
        await #expect(throws: AuthError.wrongCode) { try await guarded.complete(pending, guarded.code()) }
        _ = try await guarded.complete(pending, guarded.recoveryCodes[0].text)
    }

    @Test("A reset of the password does not bypass the factor")
    func reset() async throws {
        let guarded = try await Guarded()
        let reset = try await guarded.world.auth.issueReset(for: Username("alice"), by: .system(user: "test"))
        try await guarded.world.auth.resetPassword(code: reset.code.text, new: .other, from: .home)
        _ = try await guarded.complete(guarded.logIn(password: .other), guarded.code())
    }

    @Test("A factor is set up once with one of its codes, and removed again")
    func setUp() async throws {
        let world = try World()
        try await world.register()
        let token = try await world.logIn().token
        let secret = world.auth.newSecret()
        let step = TOTPSecret.step(at: world.clock.now)
        await #expect(throws: AuthError.wrongCode) {
            try await world.auth.addSecondFactor(secret, code: secret.code(of: step + 5), token: token)
        }
        #expect(try await world.auth.secondFactor(token: token) == nil)
        _ = try await world.logIn()
        _ = try await world.auth.addSecondFactor(secret, code: secret.code(of: step), token: token)
        let factor = SecondFactor(since: world.clock.now, recoveryCodes: 10)
        #expect(try await world.auth.secondFactor(token: token) == factor)
        let other = world.auth.newSecret()
        await #expect(throws: AuthError.secondFactorThere) {
            try await world.auth.addSecondFactor(other, code: other.code(of: step), token: token)
        }
        try await world.auth.removeSecondFactor(token: token)
        _ = try await world.logIn()
        await #expect(throws: AuthError.noSecondFactor) { try await world.auth.removeSecondFactor(token: token) }
        await #expect(throws: AuthError.noSecondFactor) { try await world.auth.renewRecoveryCodes(token: token) }
    }

    @Test("Setting up, removing, and new recovery codes need a password entered within the hour")
    func confirmed() async throws {
        let guarded = try await Guarded()
        let (auth, token) = (guarded.world.auth, guarded.token)
        guarded.world.clock.advance(by: 60 * minute)
        await #expect(throws: AuthError.passwordNeeded) { try await auth.removeSecondFactor(token: token) }
        await #expect(throws: AuthError.passwordNeeded) { try await auth.renewRecoveryCodes(token: token) }
        let secret = auth.newSecret()
        let code = secret.code(of: TOTPSecret.step(at: guarded.world.clock.now))
        await #expect(throws: AuthError.passwordNeeded) {
            try await auth.addSecondFactor(secret, code: code, token: token)
        }
        #expect(try await auth.secondFactor(token: token)?.recoveryCodes == 10)
    }

    @Test("New recovery codes replace the first ones")
    func renewed() async throws {
        let guarded = try await Guarded()
        let codes = try await guarded.world.auth.renewRecoveryCodes(token: guarded.token)
        let pending = try await guarded.logIn()
        await #expect(throws: AuthError.wrongCode) {
            try await guarded.complete(pending, guarded.recoveryCodes[0].text)
        }
        _ = try await guarded.complete(pending, codes[0].text)
        #expect(Set((codes + guarded.recoveryCodes).map(\.text)).count == 20)
    }

    @Test("Only an operator sees a user's factor and can remove it if it is lost")
    func operated() async throws {
        let guarded = try await Guarded()
        let (auth, alice) = (guarded.world.auth, try Username("alice"))
        try await guarded.world.register("bob")
        let bob = try await guarded.world.logIn("bob").token
        await #expect(throws: AuthError.notAllowed(.operator)) {
            try await auth.removeSecondFactor(of: alice, by: .token(bob))
        }
        #expect(try await auth.secondFactor(of: alice, by: .system(user: "test"))?.recoveryCodes == 10)
        try await auth.removeSecondFactor(of: alice, by: .system(user: "test"))
        _ = try await guarded.world.logIn()
        let log = SQLiteAccountStore(database: guarded.world.storage.database)
        let removed = try await log.events(matching: AuditQuery(kind: .secondFactorRemoved, limit: 9))
        #expect(removed.map(\.event.actor) == [.system("test")] && removed.map(\.event.userID) == [guarded.user.id])
    }

    @Test("An API token neither sees nor changes the factor")
    func apiToken() async throws {
        let guarded = try await Guarded()
        let auth = guarded.world.auth
        let token = try await auth.createToken(named: "ci", scope: .write, lifetime: 60, token: guarded.token).1
        await #expect(throws: AuthError.outOfScope) { try await auth.secondFactor(token: token) }
        await #expect(throws: AuthError.outOfScope) { try await auth.removeSecondFactor(token: token) }
        await #expect(throws: AuthError.outOfScope) { try await auth.renewRecoveryCodes(token: token) }
    }

    @Test("Neither a result nor the database shows a code, and no result shows the secret")
    func redacted() async throws {
        let guarded = try await Guarded()
        let pending = try await guarded.logIn()
        var shown = ""
        dump(LoginResult.codeNeeded(pending), to: &shown)
        #expect(!shown.contains(guarded.secret.base32))
        let hashes = try guarded.world.storage.database.read { snapshot in
            try snapshot.query("SELECT hex(code_hash) FROM recovery_code") { try $0.value(0) as String }
        }
        #expect(hashes.count == 10 && Set(hashes.map(\.count)) == [64])
    }
}

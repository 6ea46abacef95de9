import Database
import FoundationEssentials
import StoreEngines
import Synchronization
import TestSupport
import Testing

@testable import AuthService

@Suite("AuthService: throttling")
struct ThrottlingTests {
    private func fail(
        _ count: Int, on name: String = "alice", from origin: Origin = .home, device: DeviceToken? = nil,
        in world: World
    ) async throws {
        for _ in 0..<count {
            await #expect(throws: AuthError.invalidCredentials) {
                try await world.logIn(name, password: .wrong, on: device, from: origin)
            }
        }
    }

    /// Fails as often as allowed, and as often again as time permits.
    private func failForLong(_ count: Int, device: DeviceToken? = nil, in world: World) async throws {
        for _ in 0..<count {
            try await fail(1, from: .away, device: device, in: world)
            world.clock.advance(by: 15 * minute)
        }
    }

    @Test(
        "After five failures the next attempt waits, also with the right password, for every name",
        arguments: ["alice", "nobody"])
    func waits(name: String) async throws {
        let world = try World()
        try await world.register()
        try await fail(5, on: name, in: world)
        for _ in 0..<3 {
            await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn(name) }
        }
        world.clock.advance(by: 1)
        try await fail(1, on: name, in: world)
        await #expect(throws: AuthError.throttled(seconds: 2)) { try await world.logIn(name) }
    }

    @Test("Another name is not slowed down, and another spelling does not help")
    func perName() async throws {
        let world = try World()
        try await world.register()
        try await world.register("bob")
        try await fail(5, in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn("ＡLICE") }
        #expect(try await world.logIn("bob").session.user.username.text == "bob")
    }

    @Test("A successful login clears the count")
    func cleared() async throws {
        let world = try World()
        try await world.register()
        for _ in 0..<3 {
            try await fail(4, in: world)
            _ = try await world.logIn()
        }
    }

    @Test("Guesses made at the same time count like guesses made in turn")
    func parallel() async throws {
        let world = try World()
        try await world.register()
        let results = await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await world.logIn(password: .wrong)
                        return "in"
                    } catch AuthError.invalidCredentials {
                        return "wrong"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(results == ["wrong": 5, "\(AuthError.throttled(seconds: 1))": 15])
    }

    @Test("Right passwords at the same time wait for each other, and all succeed")
    func parallelSuccesses() async throws {
        let world = try World(patience: .max) { _, _ in await Task.yield() }
        try await world.register()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await world.logIn() } }
            try await group.waitForAll()
        }
        #expect(try world.storage.count("SELECT count(*) FROM session") == 20)
    }

    @Test("Waiting admits no more simultaneous guesses than the delays do")
    func parallelGuesses() async throws {
        let world = try World(patience: 3) { _, _ in await Task.yield() }
        try await world.register()
        let wrong = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await world.logIn(password: .wrong)
                        return 0
                    } catch AuthError.invalidCredentials {
                        return 1
                    } catch AuthError.throttled {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 5)
    }

    @Test("An attempt waits as long as allowed, and not at all if that would not help")
    func patience() async throws {
        let pauses = Mutex<[Int]>([])
        let world = try World(patience: 5) { clock, seconds in
            pauses.withLock { $0.append(seconds) }
            clock.advance(by: Double(seconds))
        }
        try await world.register()
        try await fail(8, in: world)
        #expect(pauses.withLock { $0 } == [1, 2, 4])
        await #expect(throws: AuthError.throttled(seconds: 8)) { try await world.logIn() }
        world.clock.advance(by: 6)
        _ = try await world.logIn()
        #expect(pauses.withLock { $0 } == [1, 2, 4, 2])
    }

    @Test("A clock that stands still does not delay anybody forever")
    func stoppedClock() async throws {
        let pauses = Mutex<[Int]>([])
        let world = try World(patience: 3) { _, seconds in pauses.withLock { $0.append(seconds) } }
        try await fail(5, on: "nobody", in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn("nobody") }
        #expect(pauses.withLock { $0 } == [1, 1, 1])
    }

    @Test("The log shows who was slowed down, and does not grow during the wait")
    func audited() async throws {
        let world = try World()
        let user = try await world.register()
        try await fail(5, in: world)
        for _ in 0..<50 {
            await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn() }
        }
        let failures = Array(repeating: AuditEvent.Kind.logInFailed, count: 5)
        #expect(try await world.events(of: user) == [.registered] + failures + [.throttled])
    }

    @Test("Guessing the old password with a stolen token is slowed down, and slows down nothing else")
    func changingPassword() async throws {
        let world = try World()
        try await world.register()
        let (thief, other) = (try await world.logIn().token, try await world.logIn().token)
        for _ in 0..<5 {
            await #expect(throws: AuthError.wrongPassword) {
                try await world.auth.changePassword(token: thief, old: .wrong, new: .other)
            }
        }
        await #expect(throws: AuthError.throttled(seconds: 1)) {
            try await world.auth.changePassword(token: thief, old: .good, new: .other)
        }
        _ = try await world.logIn()
        _ = try await world.auth.changePassword(token: other, old: .good, new: .other)
    }

    @Test("A session ends after a hundred wrong passwords")
    func changingPasswordForLong() async throws {
        let world = try World()
        let user = try await world.register()
        let token = try await world.logIn().token
        for _ in 0..<100 {
            await #expect(throws: AuthError.wrongPassword) {
                try await world.auth.changePassword(token: token, old: .wrong, new: .other)
            }
            world.clock.advance(by: 15 * minute)
        }
        await #expect(throws: AuthError.notLoggedIn) {
            try await world.auth.changePassword(token: token, old: .good, new: .other)
        }
        #expect(try await world.events(of: user).last == .sessionRevoked)
    }

    @Test("Guesses delay only the guesser: not the user elsewhere, in a session, or on a device")
    func nobodyIsLockedOut() async throws {
        let world = try World()
        try await world.register()
        let device = try await world.logIn(on: nil)
        let token = try await world.logIn().token
        try await failForLong(60, in: world)
        await #expect(throws: AuthError.invalidCredentials) {
            try await world.logIn(password: .wrong, from: .away)
        }
        await #expect(throws: AuthError.throttled(seconds: 900)) { try await world.logIn(from: .away) }
        _ = try await world.logIn(from: .home)
        // A device is known at every origin.
        try await world.logIn(on: device, from: .away)
        _ = try await world.auth.changePassword(token: token, old: .good, new: .other)
    }

    @Test("Five wrong passwords from each of 21 addresses keep nobody out, not even on a new device")
    func manyOrigins() async throws {
        let world = try World()
        try await world.register()
        for number in 0..<21 { try await fail(5, from: .away(number), in: world) }
        _ = try await world.logIn(from: .home)
        _ = try await world.logIn(from: Origin("another home"))
    }

    @Test("Strangers that exhaust the limit of a name delay its user by minutes, and an unused name equally")
    func exhaustedName() async throws {
        let world = try World(throttling: ThrottlePolicy(perName: .rate(free: 10, interval: 200)))
        try await world.register()
        try await world.register("bob")
        let device = try await world.logIn(on: nil, from: Origin("office"))
        for name in ["alice", "nobody"] {
            for number in 0..<10 { try await fail(1, on: name, from: .away(number), in: world) }
            await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn(name) }
            await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn(name, password: .wrong) }
        }
        _ = try await world.logIn("bob")
        try await world.logIn(on: device, from: .away(50))
        _ = try await world.logIn(from: Origin("office"))
        world.clock.advance(by: 200)
        _ = try await world.logIn()
    }

    @Test("A second factor or an operator's code gives access immediately while strangers keep guessing")
    func accessAtOnce() async throws {
        let world = try World(throttling: ThrottlePolicy(perName: .rate(free: 10, interval: 200)))
        try await world.register()
        try await world.register("bob")
        let token = try await world.logIn(from: Origin("office")).token
        let secret = world.auth.newSecret()
        let first = secret.code(of: TOTPSecret.step(at: world.clock.now))
        _ = try await world.auth.addSecondFactor(secret, code: first, token: token)
        for name in ["alice", "bob"] {
            for number in 0..<10 { try await fail(1, on: name, from: .away(number), in: world) }
        }
        await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn("bob") }
        await #expect(throws: AuthError.throttled(seconds: 200)) { try await world.logIn(password: .wrong) }
        let result = try await world.auth.logIn(username: "alice", password: .good, client: "laptop", from: .home)
        let pending = try #require(result.pending)
        world.clock.advance(by: 30)
        let code = secret.code(of: TOTPSecret.step(at: world.clock.now))
        _ = try await world.auth.completeLogIn(pending, code: code)
        let reset = try await world.auth.issueReset(for: Username("bob"), by: .system(user: "test")).code
        try await world.auth.resetPassword(code: reset.text, new: .other, from: .home)
        _ = try await world.logIn("bob", password: .other)
    }

    @Test("A login makes eight calls to the store, and a wrong password five")
    func calls() async throws {
        let calls = Mutex<[WatchedAccounts.Call]>([])
        let clock = TestClock()
        let auth = AuthService(
            store: WatchedAccounts(MemoryAccounts(), before: { call in calls.withLock { $0.append(call) } }),
            hasher: PasswordHasher(parameters: .weakest), clock: { clock.now })
        let name = try Username("alice")
        try await auth.register(username: name, password: .good, region: Region("DE"), from: .home)
        for origin in [Origin.home, .home, .away] {
            calls.withLock { $0 = [] }
            _ = try await auth.logIn(username: name.text, password: .good, client: "", from: origin)
            #expect(
                calls.withLock { $0 } == [
                    .logInHistory, .admitAttempt, .account, .secondFactor, .recordSuccess, .removeExpired, .openSession,
                    .recordLogIn,
                ])
        }
        for unknown in [name.text, "nobody"] {
            calls.withLock { $0 = [] }
            await #expect(throws: AuthError.invalidCredentials) {
                try await auth.logIn(username: unknown, password: .wrong, client: "", from: .away)
            }
            #expect(
                calls.withLock { $0 } == [.logInHistory, .admitAttempt, .account, .secondFactor, .record])
        }
    }

    @Test("Many origins guess one name at most 1,264 times on the first day and 864 times on each further day")
    func guessesADay() async throws {
        let (policy, throttle) = (ThrottlePolicy(), MemoryAccounts())
        let (name, clock) = (try Username("alice"), TestClock())
        var admitted = 0
        func guess(from origin: Origin, as standing: Standing) async throws {
            let counters = policy.sharedCounters(of: name, as: standing)
            if case .admitted = try await throttle.admitAttempt(
                counters, at: clock.now, keeping: policy.maximumCounters)
            {
                admitted += 1
            }
        }
        for (limit, hours) in [(1_264, 24), (864, 24), (864, 24)] {
            admitted = 0
            for second in 0..<(hours * 360) {
                for _ in 0..<(second == 0 ? 300 : 1) {
                    try await guess(from: .away, as: .newcomer)
                    try await guess(from: .away, as: .stranger)
                }
                clock.advance(by: 10)
            }
            #expect(admitted <= limit)
            #expect(admitted > limit - 10)
        }
    }

    @Test("One address guesses one name at most 109 times a day, and one site at most 124 times")
    func guessesOfAnOrigin() async throws {
        let (policy, throttle) = (ThrottlePolicy(), MemoryAccounts())
        let (name, clock) = (try Username("alice"), TestClock())
        for (limit, addresses) in [(109, 1), (124, 500)] {
            let end = clock.now + day
            var (admitted, number) = (0, 0)
            while clock.now < end {
                number += 1
                let origin = Origin(address: "2001:db8:\(addresses):\(number % addresses)::1")
                let counters = policy.ownCounters(of: name, from: origin, as: .origin)
                switch try await throttle.admitAttempt(counters, at: clock.now, keeping: policy.maximumCounters) {
                case .admitted: admitted += 1
                case .refused(let seconds): clock.advance(by: Double(seconds))
                case .blocked: throw AuthError.blocked
                }
            }
            #expect(admitted == limit)
        }
    }

    @Test("An IPv6 network that changes its addresses is one origin, and so is its site")
    func networks() async throws {
        let world = try World()
        try await world.register()
        for host in 0..<5 { try await fail(1, from: Origin(address: "2001:db8:1:1::\(host)"), in: world) }
        await #expect(throws: AuthError.throttled(seconds: 1)) {
            try await world.logIn(from: Origin(address: "2001:db8:1:1::99"))
        }
        for network in 2..<17 { try await fail(1, from: Origin(address: "2001:db8:1:\(network)::1"), in: world) }
        await #expect(throws: AuthError.throttled(seconds: 1)) {
            try await world.logIn(from: Origin(address: "2001:db8:1:99::1"))
        }
        _ = try await world.logIn(from: Origin(address: "2001:db8:2::1"))
    }

    @Test("A device has its own count, and after a hundred failures it is a stranger")
    func device() async throws {
        let world = try World()
        try await world.register()
        let (device, other) = (try await world.logIn(on: nil), try await world.logIn(on: nil))
        try await fail(5, device: device, in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn(on: device) }
        try await world.logIn(on: other)
        _ = try await world.logIn()
        world.clock.advance(by: minute)
        try await failForLong(95, device: device, in: world)
        // The device has a free count again, because its failures count here.
        try await world.logIn(on: device, from: .home)
        #expect(try world.storage.count("SELECT count(*) FROM device") == 3)
    }

    @Test("A device keeps its secret, and an unknown or another user's device gets a new one")
    func devices() async throws {
        let world = try World()
        try await world.register()
        try await world.register("bob")
        let device = try await world.logIn(on: nil)
        #expect(try await world.logIn(on: device).text == device.text)
        #expect(try await world.logIn("bob", on: device).text != device.text)
        try await fail(5, on: "bob", device: device, in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn("bob", on: device) }
        let forged = try #require(DeviceToken(String(repeating: "A", count: 43)))
        #expect(try await world.logIn(on: forged).text != forged.text)
        world.clock.advance(by: 365 * day)
        #expect(try await world.logIn(on: device).text != device.text)
    }

    @Test("A device that cannot be recorded keeps nobody out")
    func deviceFails() async throws {
        let world = try World()
        try await world.register()
        try await world.storage.database.write { transaction in
            try transaction.execute(
                "CREATE TRIGGER full BEFORE INSERT ON device BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        }
        _ = try await world.logIn()
    }

    @Test(
        "An origin may fail a hundred times and once a minute more for any names, and successes clear nothing"
    )
    func origin() async throws {
        let world = try World()
        try await world.register()
        try await world.register("bob")
        let device = try await world.logIn(on: nil)
        for number in 0..<100 {
            try await fail(1, on: "name\(number)", from: .away, in: world)
            if number % 10 == 0 { _ = try await world.logIn("bob", from: .away) }
        }
        for name in ["alice", "nobody"] {
            await #expect(throws: AuthError.throttled(seconds: 60)) { try await world.logIn(name, from: .away) }
        }
        _ = try await world.logIn(from: .home)
        try await world.logIn(on: device, from: .away)
        world.clock.advance(by: minute)
        try await fail(1, on: "nobody", from: .away, in: world)
        // The login from the device made this origin known for its user, and for no other user.
        await #expect(throws: AuthError.throttled(seconds: 60)) { try await world.logIn("nobody", from: .away) }
    }

    @Test("The failures of all strangers together are limited, and known devices do not notice")
    func strangers() async throws {
        let world = try World(throttling: ThrottlePolicy(allStrangers: .rate(free: 10, interval: 5)))
        try await world.register()
        let device = try await world.logIn(on: nil)
        for number in 0..<10 { try await fail(1, on: "name\(number)", from: .away(number), in: world) }
        await #expect(throws: AuthError.throttled(seconds: 5)) { try await world.logIn(from: .away) }
        try await world.logIn(on: device)
        _ = try await world.logIn(from: .home)
        world.clock.advance(by: 5)
        _ = try await world.logIn(from: .away)
    }

    @Test("Registrations and requests for names are limited per origin")
    func registrations() async throws {
        let world = try World(throttling: ThrottlePolicy(registrations: .rate(free: 3, interval: 60)))
        try await world.register(from: .away)
        await #expect(throws: AuthError.usernameTaken(try Username("alice"))) { try await world.register(from: .away) }
        #expect(try await world.auth.isFree(Username("bob"), from: .away))
        await #expect(throws: AuthError.throttled(seconds: 60)) { try await world.register("bob", from: .away) }
        await #expect(throws: AuthError.throttled(seconds: 60)) {
            try await world.auth.isFree(Username("bob"), from: .away)
        }
        try await world.register("bob", from: .home)
    }

    @Test("Requests for a taken name do not close the registration for others")
    func takenNames() async throws {
        let world = try World(throttling: ThrottlePolicy(allRegistrations: .rate(free: 5, interval: 10)))
        try await world.register()
        for number in 0..<1_200 {
            await #expect(throws: AuthError.usernameTaken(try Username("alice"))) {
                try await world.register(from: .away(number % 60))
            }
        }
        try await world.register("bob", from: .home)
    }

    @Test("Many accounts of a few origins leave room for the first accounts of other origins")
    func manyAccounts() async throws {
        let world = try World(throttling: ThrottlePolicy(allRegistrations: .rate(free: 5, interval: 10)))
        for number in 0..<3 { try await world.register("first\(number)", from: .away) }
        for number in 0..<5 { try await world.register("next\(number)", from: .away) }
        await #expect(throws: AuthError.throttled(seconds: 10)) { try await world.register("last", from: .away) }
        try await world.register("bob", from: .home)
    }

    @Test("A flood of names and origins fills no table")
    func flood() async throws {
        let world = try World(throttling: ThrottlePolicy(maximumCounters: 20))
        for number in 0..<30 { try await fail(1, on: "name\(number)", from: .away(number), in: world) }
        #expect(try world.storage.count("SELECT count(*) FROM attempt_counter") == 20)
    }

    @Test("Neither a name nor an origin can be read from the counters")
    func hashed() async throws {
        let world = try World()
        try await fail(1, on: "velvet", from: Origin("192.0.2.7"), in: world)
        let keys = try world.storage.count("SELECT count(*) FROM attempt_counter WHERE length(key) = 32")
        #expect(keys == 4)
        #expect(try !world.storage.dump().contains("velvet"))
    }
}

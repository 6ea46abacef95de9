import AuthService
import Synchronization
import TestSupport
import Testing

@Suite("AuthService: throttling")
struct ThrottlingTests {
    private func fail(_ count: Int, on name: String = "alice", in world: World) async throws {
        for _ in 0..<count {
            await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(name, password: .wrong) }
        }
    }

    @Test(
        "after five failures the next waits, the right password too, known name or not", arguments: ["alice", "nobody"])
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

    @Test("another name is not slowed down, and another spelling does not help")
    func perName() async throws {
        let world = try World()
        try await world.register()
        try await world.register("bob")
        try await fail(5, in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn("ＡLICE") }
        #expect(try await world.logIn("bob").session.user.username.text == "bob")
    }

    @Test("a log-in that succeeds clears the count")
    func cleared() async throws {
        let world = try World()
        try await world.register()
        for _ in 0..<3 {
            try await fail(4, in: world)
            _ = try await world.logIn()
        }
        #expect(try world.storage.count("SELECT count(*) FROM login_throttle") == 0)
    }

    @Test("guesses made at the same time are counted like guesses made in turn")
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

    @Test("right passwords at the same time wait for each other, and all come in")
    func parallelSuccesses() async throws {
        let world = try World(patience: .max) { _, _ in await Task.yield() }
        try await world.register()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await world.logIn() } }
            try await group.waitForAll()
        }
        #expect(try world.storage.count("SELECT count(*) FROM session") == 20)
    }

    @Test("patience lets no more guesses at the same time through than the delays do")
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

    @Test("an attempt is held back as long as patience lasts, and not at all when that would not help")
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

    @Test("a clock that stands still holds nobody back for ever")
    func stoppedClock() async throws {
        let pauses = Mutex<[Int]>([])
        let world = try World(patience: 3) { _, seconds in pauses.withLock { $0.append(seconds) } }
        try await fail(5, on: "nobody", in: world)
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn("nobody") }
        #expect(pauses.withLock { $0 } == [1, 1, 1])
    }

    @Test("the log shows who was slowed down, and does not grow during the wait")
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

    @Test("guessing the old password with a stolen token is slowed down, too")
    func changingPassword() async throws {
        let world = try World()
        try await world.register()
        let (_, token) = try await world.logIn()
        for _ in 0..<5 {
            await #expect(throws: AuthError.invalidCredentials) {
                try await world.auth.changePassword(token: token, old: .wrong, new: .other)
            }
        }
        await #expect(throws: AuthError.throttled(seconds: 1)) {
            try await world.auth.changePassword(token: token, old: .good, new: .other)
        }
        await #expect(throws: AuthError.throttled(seconds: 1)) { try await world.logIn() }
    }
}

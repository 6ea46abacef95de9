import AuthService
import StoreEngines
import Testing

@Suite("LogInThrottleRepository contract")
struct LogInThrottleRepositoryTests {
    private let policy = ThrottlePolicy(freeAttempts: 3, firstDelay: 10, longestDelay: 40, memory: 1_000)
    private let alice = [UInt8](repeating: 1, count: 32)
    private let bob = [UInt8](repeating: 2, count: 32)

    private func admit(_ name: [UInt8], at seconds: Double, in stores: Stores) async throws
        -> LogInAttempt
    {
        try await stores.throttle.admit(name, at: time(seconds), policy: policy)
    }

    @Test("attempts are counted per name until one succeeds", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        let stores = try engine.open()
        for count in 1...3 { #expect(try await admit(alice, at: 0, in: stores) == .admitted(failures: count)) }
        #expect(try await admit(alice, at: 0, in: stores) == .refused(seconds: 10))
        #expect(try await admit(alice, at: 9, in: stores) == .refused(seconds: 1))
        #expect(try await admit(bob, at: 9, in: stores) == .admitted(failures: 1))
        #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: 4))
        #expect(try await admit(alice, at: 29, in: stores) == .refused(seconds: 1))
        #expect(try await admit(alice, at: 30, in: stores) == .admitted(failures: 5))
        try await stores.throttle.reset(alice)
        #expect(try await admit(alice, at: 30, in: stores) == .admitted(failures: 1))
        #expect(try await admit(bob, at: 30, in: stores) == .admitted(failures: 2))
    }

    @Test(
        "an attempt that is taken back does not count, and its wait is not asked for again",
        arguments: StoreEngine.allCases)
    func withdrawn(engine: StoreEngine) async throws {
        let stores = try engine.open()
        for _ in 1...2 {
            #expect(try await admit(alice, at: 0, in: stores) == .admitted(failures: 1))
            try await stores.throttle.withdraw(alice, policy: policy)
        }
        for count in 1...3 { #expect(try await admit(alice, at: 0, in: stores) == .admitted(failures: count)) }
        for _ in 1...2 {
            #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: 4))
            try await stores.throttle.withdraw(alice, policy: policy)
        }
        try await stores.throttle.withdraw(bob, policy: policy)
        #expect(try await admit(bob, at: 10, in: stores) == .admitted(failures: 1))
    }

    @Test("of many at once no more are admitted than in turn", arguments: StoreEngine.allCases)
    func atOnce(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let (policy, alice) = (policy, alice)
        let attempts = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await stores.throttle.admit(alice, at: time(0), policy: policy) }
            }
            return try await group.reduce(into: [LogInAttempt: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(
            attempts == [
                .admitted(failures: 1): 1, .admitted(failures: 2): 1, .admitted(failures: 3): 1,
                .refused(seconds: 10): 17,
            ])
    }

    @Test(
        "failures are forgotten after the time of the policy, also those of other names",
        arguments: StoreEngine.allCases)
    func forgets(engine: StoreEngine) async throws {
        let stores = try engine.open()
        for _ in 1...3 { _ = try await admit(alice, at: 0, in: stores) }
        #expect(try await admit(alice, at: 999, in: stores) == .admitted(failures: 4))
        #expect(try await admit(bob, at: 1_999, in: stores) == .admitted(failures: 1))
        // Removed by the attempt on another name: not to be seen even by a clock that was set back.
        #expect(try await admit(alice, at: 999, in: stores) == .admitted(failures: 1))
    }

    @Test(
        "after the clock was set back the delay passes, neither at once nor never", arguments: StoreEngine.allCases
    )
    func clockSetBack(engine: StoreEngine) async throws {
        let stores = try engine.open()
        for _ in 1...3 { _ = try await admit(alice, at: 1_000_000, in: stores) }
        #expect(try await admit(alice, at: 0, in: stores) == .refused(seconds: 10))
        #expect(try await admit(alice, at: 4, in: stores) == .refused(seconds: 6))
        #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: 4))
    }
}

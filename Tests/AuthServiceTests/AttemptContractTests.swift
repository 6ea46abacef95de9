import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: attempts")
struct AttemptContractTests {
    private static let guesses = ThrottleRule.doubling(free: 3, first: 10, longest: 40, memory: 1_000)
    private let alice = counter(1, guesses)
    private let bob = counter(2, guesses)
    private let row = counter(3, .limit(4, memory: 10_000))
    private let rate = counter(4, .rate(free: 5, interval: 100))

    private static func counter(_ number: UInt8, _ rule: ThrottleRule) -> AttemptCounter {
        AttemptCounter(key: [UInt8](repeating: number, count: 32), rule: rule)
    }

    private func admit(_ counters: AttemptCounter..., at seconds: Double, keeping limit: Int = 100, in stores: Stores)
        async throws -> AttemptDecision
    {
        try await stores.accounts.admitAttempt(counters, at: time(seconds), keeping: limit)
    }

    @Test("Attempts count until one succeeds", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for count in 1...3 { #expect(try await admit(alice, at: 0, in: stores) == .admitted(failures: [count])) }
        #expect(try await admit(alice, at: 0, in: stores) == .refused(seconds: 10))
        #expect(try await admit(alice, at: 9, in: stores) == .refused(seconds: 1))
        #expect(try await admit(bob, at: 9, in: stores) == .admitted(failures: [1]))
        #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: [4]))
        #expect(try await admit(alice, at: 29, in: stores) == .refused(seconds: 1))
        #expect(try await admit(alice, at: 30, in: stores) == .admitted(failures: [5]))
        try await stores.accounts.recordSuccess([alice])
        #expect(try await admit(alice, at: 30, in: stores) == .admitted(failures: [1]))
        #expect(try await admit(bob, at: 30, in: stores) == .admitted(failures: [2]))
    }

    @Test(
        "The strictest of several counters decides, and a refused attempt counts in none",
        arguments: StoreEngine.allCases)
    func several(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for count in 1...3 {
            let attempt = try await admit(alice, row, rate, at: 0, in: stores)
            #expect(attempt == .admitted(failures: [count, count, count]))
        }
        for _ in 1...3 { #expect(try await admit(alice, row, rate, at: 0, in: stores) == .refused(seconds: 10)) }
        #expect(try await admit(bob, row, rate, at: 0, in: stores) == .admitted(failures: [1, 4, 4]))
        #expect(try await admit(alice, row, rate, at: 0, in: stores) == .blocked)
        #expect(try await admit(bob, rate, at: 0, in: stores) == .admitted(failures: [2, 5]))
        #expect(try await admit(alice, rate, at: 0, in: stores) == .refused(seconds: 100))
    }

    @Test(
        "Groups of counters are decided in order, and those after the first refusal count nothing",
        arguments: StoreEngine.allCases)
    func groups(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        func admit(_ groups: [AttemptCounter]...) async throws -> [AttemptDecision] {
            try await stores.accounts.admitAttempt(groups, at: time(0), keeping: 100)
        }
        for count in 1...3 {
            #expect(
                try await admit([rate], [alice, row], [])
                    == [.admitted(failures: [count]), .admitted(failures: [count, count]), .admitted(failures: [])])
        }
        #expect(try await admit([rate], [alice], [row]) == [.admitted(failures: [4]), .refused(seconds: 10)])
        #expect(try await admit([alice, bob], [row]) == [.refused(seconds: 10)])
        #expect(
            try await admit([row], [bob], [rate])
                == [.admitted(failures: [4]), .admitted(failures: [1]), .admitted(failures: [5])])
        #expect(try await admit([row], [bob]) == [.blocked])
    }

    @Test(
        "The history of a login has the failures that still count, and changes nothing",
        arguments: StoreEngine.allCases)
    func history(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let name = try Username("alice")
        _ = try await admit(alice, rate, at: 0, in: stores)
        _ = try await admit(alice, rate, at: 0, in: stores)
        for (seconds, counts) in [(0, [2, 0, 2]), (100, [2, 0, 1]), (1_000, [0, 0, 0]), (0, [2, 0, 2])] {
            let history = try await stores.accounts.logInHistory(
                of: name, device: nil, usedAfter: time(-1), counters: [alice, bob, rate], at: time(Double(seconds)))
            #expect(history == (false, counts))
        }
    }

    @Test("A success clears guesses, and only itself from a rate", arguments: StoreEngine.allCases)
    func succeeds(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for _ in 1...3 { _ = try await admit(alice, row, rate, at: 0, in: stores) }
        try await stores.accounts.recordSuccess([alice, row, rate, bob])
        #expect(try await admit(alice, row, rate, at: 0, in: stores) == .admitted(failures: [1, 1, 3]))
        #expect(try await admit(bob, at: 0, in: stores) == .admitted(failures: [1]))
    }

    @Test(
        "An attempt that is taken back does not count, and causes no further wait",
        arguments: StoreEngine.allCases)
    func withdrawn(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for _ in 1...2 {
            #expect(try await admit(alice, row, at: 0, in: stores) == .admitted(failures: [1, 1]))
            try await stores.accounts.withdrawAttempt([alice, row])
        }
        for count in 1...3 { #expect(try await admit(alice, at: 0, in: stores) == .admitted(failures: [count])) }
        for _ in 1...2 {
            #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: [4]))
            try await stores.accounts.withdrawAttempt([alice])
        }
        try await stores.accounts.withdrawAttempt([bob])
        #expect(try await admit(bob, at: 10, in: stores) == .admitted(failures: [1]))
    }

    @Test("Of many attempts at once, no more are admitted than in turn", arguments: StoreEngine.allCases)
    func atOnce(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let alice = alice
        let attempts = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await stores.accounts.admitAttempt([alice], at: time(0), keeping: 100) }
            }
            return try await group.reduce(into: [AttemptDecision: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(
            attempts == [
                .admitted(failures: [1]): 1, .admitted(failures: [2]): 1, .admitted(failures: [3]): 1,
                .refused(seconds: 10): 17,
            ])
    }

    @Test(
        "Failures are forgotten after the time of their rule, also those of others", arguments: StoreEngine.allCases
    )
    func forgets(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for _ in 1...3 { _ = try await admit(alice, row, at: 0, in: stores) }
        #expect(try await admit(alice, at: 999, in: stores) == .admitted(failures: [4]))
        #expect(try await admit(bob, at: 1_999, in: stores) == .admitted(failures: [1]))
        // Another attempt removed the failures: they stay removed if the clock is set back.
        #expect(try await admit(alice, row, at: 999, in: stores) == .admitted(failures: [1, 4]))
    }

    @Test(
        "The number of counts is limited, and those that expire first are removed", arguments: StoreEngine.allCases)
    func bounded(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        _ = try await admit(alice, row, at: 0, keeping: 3, in: stores)
        for second in 1...50 {
            let name = Self.counter(UInt8(100 + second), Self.guesses)
            _ = try await admit(name, at: Double(second), keeping: 3, in: stores)
        }
        #expect(
            try await admit(Self.counter(149, Self.guesses), at: 51, keeping: 3, in: stores) == .admitted(failures: [2])
        )
        #expect(
            try await admit(Self.counter(148, Self.guesses), at: 51, keeping: 3, in: stores) == .admitted(failures: [1])
        )
        #expect(try await admit(alice, row, at: 51, keeping: 3, in: stores) == .admitted(failures: [1, 2]))
    }

    @Test(
        "If the clock is set back, the delay still passes in its time", arguments: StoreEngine.allCases
    )
    func clockSetBack(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        for _ in 1...3 { _ = try await admit(alice, at: 1_000_000, in: stores) }
        #expect(try await admit(alice, at: 0, in: stores) == .refused(seconds: 10))
        #expect(try await admit(alice, at: 4, in: stores) == .refused(seconds: 6))
        #expect(try await admit(alice, at: 10, in: stores) == .admitted(failures: [4]))
    }
}

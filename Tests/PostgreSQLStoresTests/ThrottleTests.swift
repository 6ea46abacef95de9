import AuthService
import PostgreSQLStores
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text

@Suite("PostgreSQLAccountStore: attempts", .withServer)
struct ThrottleTests {
    private static let rules: [ThrottleRule] = [
        .doubling(free: 2, first: 3, longest: 20, memory: 100), .doubling(free: 0, first: 0, longest: 0, memory: 5),
        .doubling(free: 1, first: 1 << 20, longest: 1 << 30, memory: 1 << 30), .limit(3, memory: 50),
        .limit(0, memory: 0),
        .rate(free: 3, interval: 7), .rate(free: 1, interval: 0), .tally(memory: 30),
    ]

    private static func counter(_ number: Int) -> AttemptCounter {
        AttemptCounter(key: [UInt8](repeating: UInt8(number), count: 32), rule: rules[number % rules.count])
    }

    @Test("The schema decides like the rules do, for random attempts in groups", arguments: 1...8)
    func sameAsRules(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let schema = try await TemporarySchema()
        let (accounts, model) = (PostgreSQLAccountStore(schema.server), MemoryAccounts())
        var seconds = 1_700_000_000.0
        for step in 0..<60 {
            // The clock also goes back.
            seconds += Double.random(in: -3...9, using: &random).rounded()
            let now = Date(timeIntervalSince1970: seconds)
            let numbers = (0..<Self.rules.count).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
            let counters = numbers.map(Self.counter)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: for store in [accounts, model] as [any AccountStore] { try await store.recordSuccess(counters) }
            case 1: for store in [accounts, model] as [any AccountStore] { try await store.withdrawAttempt(counters) }
            default:
                let cut = Int.random(in: 0...counters.count, using: &random)
                let groups = [Array(counters[..<cut]), Array(counters[cut...])]
                let expected = try await model.admitAttempt(groups, at: now, keeping: 100)
                let attempts = try await accounts.admitAttempt(groups, at: now, keeping: 100)
                #expect(attempts == expected, "step \(step)")
            }
        }
    }

    @Test("A decision is one round trip")
    func oneRoundTrip() async throws {
        let count = Atomic(0)
        let schema = try await TemporarySchema(onRoundTrip: { count.add(1, ordering: .relaxed) })
        let accounts = PostgreSQLAccountStore(schema.server)
        let before = count.load(ordering: .relaxed)
        _ = try await accounts.admitAttempt(
            [[Self.counter(3), Self.counter(5)], [Self.counter(7)]], at: Date(timeIntervalSince1970: 0), keeping: 10)
        #expect(count.load(ordering: .relaxed) - before == 1)
    }

    @Test(
        "Parallel attempts on two servers, with their counters in any order, are admitted as often as sequential ones")
    func parallel() async throws {
        let schema = try await TemporarySchema()
        let stores = [
            PostgreSQLAccountStore(schema.server), PostgreSQLAccountStore(LibraryServer(try schema.otherPool())),
        ]
        let counters = (1...4).map {
            AttemptCounter(key: [UInt8](repeating: $0, count: 32), rule: .limit(10, memory: 1_000))
        }
        let admitted = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                let order = number % 2 == 0 ? counters : counters.reversed()
                group.addTask {
                    let attempt = try await stores[number % 2].admitAttempt(
                        order, at: Date(timeIntervalSince1970: 0), keeping: 100)
                    return if case .admitted = attempt { 1 } else { 0 }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(admitted == 10)
    }
}

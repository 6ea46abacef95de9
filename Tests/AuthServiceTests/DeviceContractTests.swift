import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: devices")
struct DeviceContractTests {
    private func secret(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private func isKnown(_ number: UInt8, to user: User, since seconds: Double = -1, in stores: Stores) async throws
        -> Bool
    {
        try await stores.accounts.logInHistory(
            of: user.username, device: secret(number), usedAfter: time(seconds), counters: [], at: time(0)
        ).isKnownDevice
    }

    private func logIn(_ user: User, on number: UInt8, at seconds: Double, keeping limit: Int, in stores: Stores)
        async throws
    {
        try await stores.accounts.recordLogIn(
            of: user.id, on: secret(number), from: place, at: time(seconds), keepingDevices: limit, counters: 100)
    }

    private let place = AttemptCounter(key: [UInt8](repeating: 9, count: 32), rule: .tally(memory: 1_000))

    @Test(
        "A device is known to the user who logged in from it, as long as it is used",
        arguments: StoreEngine.allCases)
    func known(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (alice, bob) = (try await stores.insert("alice"), try await stores.insert("bob"))
        #expect(try await !isKnown(1, to: alice, in: stores))
        try await logIn(alice, on: 1, at: 10, keeping: 5, in: stores)
        #expect(try await isKnown(1, to: alice, since: 9, in: stores))
        #expect(try await !isKnown(1, to: alice, since: 10, in: stores))
        #expect(try await !isKnown(2, to: alice, in: stores))
        #expect(try await !isKnown(1, to: bob, in: stores))
        try await logIn(bob, on: 1, at: 11, keeping: 5, in: stores)
        try await logIn(alice, on: 1, at: 5, keeping: 5, in: stores)
        #expect(try await isKnown(1, to: alice, since: 9, in: stores))
        try await stores.accounts.removeDevice(secret(1), of: alice.id)
        #expect(try await !isKnown(1, to: alice, in: stores))
        #expect(try await isKnown(1, to: bob, in: stores))
    }

    @Test(
        "Of too many devices, the least recently used are forgotten, never the new one",
        arguments: StoreEngine.allCases
    )
    func limited(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (alice, bob) = (try await stores.insert("alice"), try await stores.insert("bob"))
        try await logIn(bob, on: 9, at: 0, keeping: 3, in: stores)
        for number in 1...3 as ClosedRange<UInt8> {
            try await logIn(alice, on: number, at: Double(number), keeping: 3, in: stores)
        }
        try await logIn(alice, on: 1, at: 4, keeping: 3, in: stores)
        // With a clock that was set back.
        try await logIn(alice, on: 4, at: 0, keeping: 3, in: stores)
        var known: [UInt8] = []
        for number in 1...4 as ClosedRange<UInt8> where try await isKnown(number, to: alice, in: stores) {
            known.append(number)
        }
        #expect(known == [1, 3, 4])
        #expect(try await isKnown(9, to: bob, in: stores))
    }
}

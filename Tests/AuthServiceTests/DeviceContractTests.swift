import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: devices")
struct DeviceContractTests {
    private func secret(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private func isKnown(_ number: UInt8, to user: User, since seconds: Double = -1, in stores: Stores) async throws
        -> Bool
    {
        try await stores.accounts.isKnownDevice(secret(number), to: user.username, since: time(seconds))
    }

    @Test("A device is known to the user who logged in from it, as long as it is used", arguments: StoreEngine.allCases)
    func known(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let (alice, bob) = (try await stores.insert("alice"), try await stores.insert("bob"))
        #expect(try await !isKnown(1, to: alice, in: stores))
        try await stores.accounts.saveDevice(secret(1), of: alice.id, at: time(10), keeping: 5)
        #expect(try await isKnown(1, to: alice, since: 9, in: stores))
        #expect(try await !isKnown(1, to: alice, since: 10, in: stores))
        #expect(try await !isKnown(2, to: alice, in: stores))
        #expect(try await !isKnown(1, to: bob, in: stores))
        try await stores.accounts.saveDevice(secret(1), of: bob.id, at: time(11), keeping: 5)
        try await stores.accounts.saveDevice(secret(1), of: alice.id, at: time(5), keeping: 5)
        #expect(try await isKnown(1, to: alice, since: 9, in: stores))
        try await stores.accounts.removeDevice(secret(1), of: alice.id)
        #expect(try await !isKnown(1, to: alice, in: stores))
        #expect(try await isKnown(1, to: bob, in: stores))
    }

    @Test(
        "Of too many devices, the least recently used are forgotten, never the new one", arguments: StoreEngine.allCases
    )
    func limited(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let (alice, bob) = (try await stores.insert("alice"), try await stores.insert("bob"))
        try await stores.accounts.saveDevice(secret(9), of: bob.id, at: time(0), keeping: 3)
        for number in 1...3 as ClosedRange<UInt8> {
            try await stores.accounts.saveDevice(secret(number), of: alice.id, at: time(Double(number)), keeping: 3)
        }
        try await stores.accounts.saveDevice(secret(1), of: alice.id, at: time(4), keeping: 3)
        // With a clock that was set back.
        try await stores.accounts.saveDevice(secret(4), of: alice.id, at: time(0), keeping: 3)
        var known: [UInt8] = []
        for number in 1...4 as ClosedRange<UInt8> where try await isKnown(number, to: alice, in: stores) {
            known.append(number)
        }
        #expect(known == [1, 3, 4])
        #expect(try await isKnown(9, to: bob, in: stores))
    }
}

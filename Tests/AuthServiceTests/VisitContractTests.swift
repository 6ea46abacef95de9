import AuthService
import StoreEngines
import Testing

@Suite("Contract of VisitRepository")
struct VisitContractTests {
    private func bytes(_ number: UInt8, _ count: Int = 32) -> [UInt8] { [UInt8](repeating: number, count: count) }

    private func visit(_ id: UInt8, of holder: UInt8 = 1, content: [UInt8] = [0, 255], at seconds: Double)
        -> StoredVisit
    {
        StoredVisit(id: bytes(id, 16), owner: bytes(7), holder: bytes(holder), content: content, usedAt: time(seconds))
    }

    private func add(_ visits: StoredVisit..., keeping limit: Int = 100, to stores: Stores) async throws {
        for visit in visits { try await stores.visits.add(visit, keeping: limit, usedAfter: time(-900)) }
    }

    private func ids(_ ids: ClosedRange<UInt8>, in stores: Stores) async throws -> [UInt8] {
        var found: [UInt8] = []
        for id in ids {
            if try await stores.visits.visit(bytes(id, 16))?.visit != nil { found.append(id) }
        }
        return found
    }

    @Test("A visit is found as it was stored, until it is removed", arguments: StoreEngine.allCases)
    func stored(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let visit = visit(1, content: Array(0...255), at: 0)
        try await add(visit, to: stores)
        #expect(try await stores.visits.visit(visit.id)?.visit == visit)
        #expect(try await stores.visits.visit(bytes(2, 16))?.visit == nil)
        // The ID exists.
        try await add(self.visit(1, content: [1], at: 5), to: stores)
        #expect(try await stores.visits.visit(visit.id)?.visit == visit)
        try await stores.visits.remove(visit.id)
        #expect(try await stores.visits.visit(visit.id)?.visit == nil)
    }

    @Test("Of two changes of the same version, the second one has no effect", arguments: StoreEngine.allCases)
    func versions(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await add(visit(1, at: 0), to: stores)
        let version = try #require(try await stores.visits.visit(bytes(1, 16))).version
        let changed = StoredVisit(id: bytes(1, 16), owner: bytes(8), holder: bytes(2), content: [1], usedAt: time(1))
        #expect(try await stores.visits.replace(changed, version: version))
        #expect(try await !stores.visits.replace(visit(1, content: [2], at: 2), version: version))
        let found = try #require(try await stores.visits.visit(bytes(1, 16)))
        #expect(found.visit == changed)
        // A use is not a change.
        try await stores.visits.touch(bytes(1, 16), at: time(9))
        #expect(try await stores.visits.visit(bytes(1, 16))?.visit.usedAt == time(9))
        #expect(try await stores.visits.replace(visit(1, content: [3], at: 10), version: found.version))
    }

    @Test("A removed visit is not replaced", arguments: StoreEngine.allCases)
    func removed(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await add(visit(1, at: 0), to: stores)
        try await stores.visits.remove(bytes(1, 16))
        #expect(try await !stores.visits.replace(visit(1, at: 1), version: 1))
        #expect(try await stores.visits.visit(bytes(1, 16))?.visit == nil)
    }

    @Test("A new visit removes those that were not used for a time", arguments: StoreEngine.allCases)
    func expired(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await add(visit(1, at: 0), visit(2, at: 1), visit(3, at: 0), to: stores)
        try await stores.visits.touch(bytes(3, 16), at: time(50))
        try await stores.visits.add(visit(4, at: 900), keeping: 100, usedAfter: time(0))
        #expect(try await ids(1...4, in: stores) == [2, 3, 4])
    }

    @Test(
        "Of too many visits, the holder with the most loses the least recently used one, never the new one",
        arguments: StoreEngine.allCases)
    func limited(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await add(visit(1, of: 1, at: 0), visit(2, of: 2, at: 2), visit(3, of: 2, at: 1), to: stores)
        try await add(visit(4, of: 3, at: -5), keeping: 3, to: stores)
        #expect(try await ids(1...4, in: stores) == [1, 2, 4])
        // Each has one: the oldest goes, but not the new one.
        try await add(visit(5, of: 4, at: -6), keeping: 3, to: stores)
        #expect(try await ids(1...5, in: stores) == [1, 2, 5])
    }
}

import ArticleStore
import Foundation
import StoreEngines
import Testing
import Text

@Suite("Contract of PictureRepository")
struct PictureContractTests {
    private let limits = PictureLimits()

    private func time(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(1_000_000 + seconds)) }

    private func address(_ name: String) -> String { "https://example.org/\(name).gif" }

    /// Returns a picture whose bytes differ by the number.
    private func picture(_ number: UInt8, size: Int = 100) throws -> Picture {
        let start = Array("GIF89a".utf8) + [number]
        return try #require(Picture(start + Array(repeating: 0, count: size - start.count)))
    }

    /// Adds articles to a source, and returns their numbers.
    private func add(_ keys: [String], to source: String = "feed", in stores: Stores) async throws -> [Int64] {
        try await stores.articles.upsert(
            keys.map { ArticleDraft(key: ExactText($0), title: $0, body: "Text.") },
            into: SourceFacts(name: source, kind: .feed))
        var query = ArticleQuery()
        query.source = source
        return try await stores.articles.numbers(of: query, latestFirst: false, limit: 100).suffix(keys.count)
    }

    private func progress(_ number: Int64, start: Int64 = 0) -> PictureProgress {
        PictureProgress(
            position: LogPosition(copy: "copy", article: number, change: number), start: start, date: time(0))
    }

    /// Replaces addresses, whatever the progress is.
    private func set(
        _ addresses: [Int64: [String]], start: Int64 = 0, limits: PictureLimits = PictureLimits(), at seconds: Int = 0,
        in stores: Stores
    ) async throws {
        let old = try await stores.pictures.progress()
        let new = progress((old?.position.article ?? 0) + 1, start: start)
        #expect(
            try await stores.pictures.setAddresses(addresses, from: old, to: new, limits: limits, at: time(seconds)))
        #expect(try await stores.pictures.progress() == new)
    }

    private func claim(_ stores: Stores, upTo count: Int = 99, at seconds: Int) async throws -> [String] {
        try await stores.pictures.claimPictures(upTo: count, at: time(seconds)).map { "\($0.article) \($0.address)" }
            .sorted()
    }

    @Test("Addresses change only if the progress is the one that was read", arguments: StoreEngine.allCases)
    func progress(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try #require(try await add(["a"], in: stores).first)
        #expect(try await stores.pictures.progress() == nil)
        let (first, second) = (progress(1), progress(2))
        func set(from old: PictureProgress?, to new: PictureProgress) async throws -> Bool {
            try await stores.pictures.setAddresses(
                [id: [address("\(new.position.article)")]], from: old, to: new, limits: limits, at: time(0))
        }
        #expect(try await !set(from: second, to: first))
        #expect(try await stores.pictures.progress() == nil)
        #expect(try await claim(stores, at: 0).isEmpty)
        #expect(try await set(from: nil, to: first))
        #expect(try await !set(from: nil, to: second))
        #expect(try await stores.pictures.progress() == first)
        #expect(try await claim(stores, at: 0) == ["\(id) \(address("1"))"])
        #expect(try await set(from: first, to: second))
        #expect(try await stores.pictures.progress() == second)
    }

    @Test(
        "A claim lasts, the attempts are further and further apart, and the last one ends them",
        arguments: StoreEngine.allCases)
    func attempts(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await add(["a", "b"], in: stores)
        try await set([ids[1]: [address("b")]], at: 5, in: stores)
        try await set([ids[0]: [address("a"), address("c")], 4_711: [address("d")]], at: 10, in: stores)
        #expect(try await claim(stores, at: 4).isEmpty)
        // The ones that have waited longest come first.
        #expect(try await claim(stores, upTo: 1, at: 10) == ["\(ids[1]) \(address("b"))"])
        #expect(try await claim(stores, at: 10) == ["a", "c"].map { "\(ids[0]) \(address($0))" })
        var now = 10
        for attempt in 1..<PictureClaim.attempts {
            let pause = try #require(PictureClaim.pause(after: attempt))
            #expect(try await claim(stores, at: now + pause - 1).isEmpty)
            now += pause
            #expect(try await claim(stores, at: now).count == 3)
        }
        #expect(PictureClaim.pause(after: PictureClaim.attempts) == nil)
        #expect(try await claim(stores, at: 1 << 40).isEmpty)
        // An address that stays is not new.
        try await set([ids[1]: [address("b")]], in: stores)
        #expect(try await claim(stores, at: 1 << 40).isEmpty)
    }

    @Test(
        "A picture of several articles is stored once, and deleted with the last of them",
        arguments: StoreEngine.allCases)
    func sharing(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await add(["a", "b", "c"], in: stores)
        let (one, two) = (try picture(1), try picture(2))
        try await set(Dictionary(uniqueKeysWithValues: ids.map { ($0, [address("x"), address("y")]) }), in: stores)
        func finish(_ index: Int, _ name: String, _ picture: Picture?) async throws -> Bool {
            try await stores.pictures.finish(
                PictureClaim(article: ids[index], address: address(name)), with: picture, limits: limits)
        }
        #expect(try await stores.pictures.size() == PictureSize(count: 0, bytes: 0))
        #expect(try await finish(0, "x", one))
        #expect(try await finish(1, "y", one))
        #expect(try await finish(1, "x", two))
        #expect(try await !finish(2, "x", nil))
        #expect(try await !finish(2, "z", one))
        #expect(try await stores.pictures.size() == PictureSize(count: 2, bytes: 200))
        // A stored picture, and an address that has failed for good, are not due again.
        #expect(try await claim(stores, at: 0) == ["\(ids[0]) \(address("y"))", "\(ids[2]) \(address("y"))"])

        let found = try await stores.pictures.pictures(of: ids + [4_711])
        #expect(Set(found.keys) == [ids[0], ids[1]])
        let reference = try #require(found[ids[0]]?[address("x")])
        #expect(found[ids[0]] == [address("x"): reference])
        #expect(found[ids[1]]?[address("y")] == reference)
        #expect((reference.type, reference.size) == (.gif, 100))
        #expect(try await stores.pictures.picture(reference.uid) == one)
        #expect(try await stores.pictures.picture(PictureUID.random()) == nil)

        func delete(_ id: Int64) async throws {
            try await stores.articles.write { writer in _ = try writer.delete(id: id, forGood: false) }
        }
        try await delete(ids[0])
        #expect(try await stores.pictures.picture(reference.uid) == one)
        try await delete(ids[1])
        #expect(try await stores.pictures.picture(reference.uid) == nil)
        #expect(try await stores.pictures.size() == PictureSize(count: 0, bytes: 0))
        #expect(try await !finish(0, "x", one))
        #expect(try await stores.pictures.size().count == 0)
    }

    @Test("An address that leaves the text takes its picture along", arguments: StoreEngine.allCases)
    func replacing(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try #require(try await add(["a"], in: stores).first)
        try await set([id: [address("x"), address("y")]], in: stores)
        for (name, number) in [("x", 1), ("y", 2)] as [(String, UInt8)] {
            let claim = PictureClaim(article: id, address: address(name))
            #expect(try await stores.pictures.finish(claim, with: try picture(number), limits: limits))
        }
        try await set([id: [address("y"), address("z")]], in: stores)
        #expect(try await stores.pictures.pictures(of: [id])[id]?.keys.sorted() == [address("y")])
        #expect(try await stores.pictures.size().count == 1)
        #expect(try await claim(stores, at: 0) == ["\(id) \(address("z"))"])
        try await set([id: []], in: stores)
        #expect(try await stores.pictures.size().count == 0)
    }

    @Test("An older article has no pictures, unless it had some before", arguments: StoreEngine.allCases)
    func start(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await add(["a", "b", "c"], in: stores)
        try await set([ids[0]: [address("x")]], in: stores)
        try await set(Dictionary(uniqueKeysWithValues: ids.map { ($0, [address("y")]) }), start: ids[1], in: stores)
        #expect(try await claim(stores, at: 0) == [ids[0], ids[2]].map { "\($0) \(address("y"))" })
    }

    @Test(
        "A picture over the limit of its article or source is not stored, and a full source gets no more addresses",
        arguments: StoreEngine.allCases)
    func limits(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let ids = try await add(["a", "b", "c"], in: stores)
        let other = try #require(try await add(["d"], to: "other", in: stores).first)
        var limits = PictureLimits()
        (limits.articleBytes, limits.sourceBytes) = (250, 400)
        let names = ["x", "y", "z"].map(address)
        try await set([ids[0]: names, ids[1]: names, other: names], limits: limits, in: stores)
        func finish(_ article: Int64, _ name: String, _ number: UInt8, size: Int = 100) async throws -> Bool {
            try await stores.pictures.finish(
                PictureClaim(article: article, address: address(name)), with: try picture(number, size: size),
                limits: limits)
        }
        #expect(try await finish(ids[0], "x", 1))
        #expect(try await !finish(ids[0], "y", 2, size: 151))
        #expect(try await finish(ids[0], "z", 2, size: 150))
        #expect(try await finish(ids[1], "x", 1))
        #expect(try await !finish(ids[1], "y", 3, size: 51))
        #expect(try await finish(other, "x", 4))
        #expect(try await finish(ids[1], "z", 3, size: 50))
        #expect(try await stores.pictures.size() == PictureSize(count: 4, bytes: 400))

        try await set([ids[2]: names], limits: limits, in: stores)
        #expect(try await claim(stores, at: 0) == names.dropFirst().map { "\(other) \($0)" })
        try await stores.articles.write { writer in _ = try writer.delete(id: ids[0], forGood: false) }
        try await set([ids[2]: names], limits: limits, at: 1, in: stores)
        #expect(try await claim(stores, at: 1).count == 3)
    }
}
